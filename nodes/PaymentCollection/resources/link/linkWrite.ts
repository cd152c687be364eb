import type { IDataObject } from 'n8n-workflow';
import { plainText } from '../../../shared/plainText';
import { asRecord, malformed } from '../../../shared/service/answers';
import type { SendOptions, ServiceRequest } from '../../../shared/service/request';
import type { Item } from '../../run/item';

/** One link in words, for the error of another item. */
export const describeLink =
	(done: string) =>
	({ id }: IDataObject): string =>
		`link ${plainText(id)} ${done}`;

/** An object without the ID that every link has says something else: that the link is there is then not known. */
export async function sendForLink(
	{ transport }: Item,
	request: ServiceRequest,
	options: SendOptions,
): Promise<IDataObject> {
	const link = asRecord(await transport.send(request, options), request);
	const id = plainText(link['id']);
	if (id === '') throw malformed(request, 'an object without an ID');
	const isOther = request.id !== undefined && id.toLowerCase() !== request.id.toLowerCase();
	if (isOther) throw malformed(request, 'another link');
	return link;
}
