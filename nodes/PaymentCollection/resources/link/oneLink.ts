import type { IDataObject } from 'n8n-workflow';
import { MAX_TITLE_LENGTH } from '../../../../contract/constants';
import type { LinkCreate, LinkEdit } from '../../../../contract/schemas/link';
import { inBody, type Field } from '../../../shared/fields/field';
import { idField, text } from '../../../shared/fields/kinds';
import { shownText } from '../../../shared/redaction/redactText';
import type { ServiceRequest } from '../../../shared/service/request';

/** The link that an operation is about. */
export const linkIdField = idField(
	'Payment Link ID',
	'linkId',
	'ID of the payment link, as returned by the Create operation',
);

/** Of a new link, and of one that is updated. */
export const titleField: Field<string> = {
	...inBody<LinkCreate | LinkEdit>('title'),
	...text(MAX_TITLE_LENGTH),
	default: '',
	placeholder: 'e.g. Spring workshop',
	description: `Heading of the payment page, at most ${MAX_TITLE_LENGTH} characters`,
};

/** What is said of one link: of its write when that failed, and of its result in the error of another item. */
export const linkWords = (done: string) => ({
	whether: `the link was ${done}`,
	not: `the link was NOT ${done} by this request`,
	describeEffect: ({ id }: IDataObject): string => `link ${shownText(id, '')} ${done}`,
});

/** The link that the service answers with to its creation or change; of a change that it answers without one, the ID. */
export const linkOf = (answer: IDataObject, { id }: ServiceRequest): IDataObject =>
	id === undefined ? answer : { id, ...answer };
