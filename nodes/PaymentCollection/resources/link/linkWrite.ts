import type { IDataObject } from 'n8n-workflow';
import { plainText } from '../../../shared/plainText';
import { asRecord, isBlank, malformed } from '../../../shared/service/answers';
import type { SendOptions, ServiceRequest } from '../../../shared/service/request';
import type { Item } from '../../run/item';

/** One link in words, for the error of another item. */
export const describeLink =
	(done: string) =>
	({ id }: IDataObject): string =>
		`link ${plainText(id)} ${done}`;

/**
 * Sends what creates or changes a link.
 *
 * @returns the link that the service answers with; of a change that it answers without a body, the ID alone
 * @throws {ServiceFailure} when that is no link, and when it is a new one without an ID: that it is there is then not known
 */
export async function sendForLink(
	{ transport }: Item,
	request: ServiceRequest,
	options: SendOptions,
): Promise<IDataObject> {
	const answer = await transport.send(request, options);
	const { id } = request;
	if (id !== undefined && isBlank(answer)) return { id };
	const link = asRecord(answer, request);
	if (id === undefined && plainText(link['id']).trim() === '') {
		throw malformed(request, 'an object without an ID');
	}
	return link;
}
