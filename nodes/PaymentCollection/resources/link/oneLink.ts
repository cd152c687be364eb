import type { IDataObject } from 'n8n-workflow';
import { inPath, type Field } from '../../../shared/fields/field';
import { textThat } from '../../../shared/fields/kinds';
import { checkUuid } from '../../../shared/input/inputChecks';
import { plainText } from '../../../shared/values';
import { asRecord, isBlank, malformed } from '../../../shared/service/answers';
import type { ServiceRequest } from '../../../shared/service/request';

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

/**
 * The link that the service answers with to its creation or change; of a change that it answers without one, the ID.
 *
 * @throws {ServiceFailure} when that is no link, and when it is a new one without an ID: that it is there is then not known
 */
export function linkOf(answer: unknown, request: ServiceRequest): IDataObject {
	const { id } = request;
	if (id !== undefined) return { id, ...(isBlank(answer) ? {} : asRecord(answer, request)) };
	const link = asRecord(answer, request);
	if (plainText(link['id']).trim() === '') throw malformed(request, 'an object without an ID');
	return link;
}
