import type { IDataObject } from 'n8n-workflow';
import { inPath, type Field } from '../../../shared/fields/field';
import { textThat } from '../../../shared/fields/kinds';
import { checkUuid } from '../../../shared/input/inputChecks';
import { plainText } from '../../../shared/plainText';
import { asRecord, malformed } from '../../../shared/service/answers';
import type { SendOptions, ServiceRequest } from '../../../shared/service/request';
import type { Item } from '../../run/item';

/** The link that an operation is about. */
export const linkIdField: Field<string> = {
	displayName: 'Payment Link ID',
	name: 'linkId',
	...textThat(checkUuid),
	default: '',
	required: true,
	placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
	description: 'UUID of the payment link, the ID in the output of Create',
	sent: inPath,
};

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
