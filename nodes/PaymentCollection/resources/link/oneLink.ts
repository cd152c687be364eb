import type { IDataObject } from 'n8n-workflow';
import { MAX_TITLE_LENGTH } from '../../../../contract/constants';
import type { LinkCreate, LinkEdit } from '../../../../contract/schemas/link';
import { inBody, type Field } from '../../../shared/fields/field';
import { idField, text } from '../../../shared/fields/kinds';
import { shownText } from '../../../shared/redaction/redactText';
import type { ServiceRequest } from '../../../shared/service/request';

export const linkIdField = idField(
	'Payment Link ID',
	'linkId',
	'ID of the payment link, as returned by the Create operation',
);

export const titleField: Field<string> = {
	...inBody<LinkCreate | LinkEdit>('title'),
	...text(MAX_TITLE_LENGTH),
	default: '',
	placeholder: 'e.g. Spring workshop',
	description: `Heading of the payment page, at most ${MAX_TITLE_LENGTH} characters`,
};

export const linkWords = (done: string) => ({
	whether: `the link was ${done}`,
	not: `the link was NOT ${done} by this request`,
	describeEffect: ({ id }: IDataObject): string => `link ${shownText(id, '')} ${done}`,
});

/** Adds the ID of an updated link, in case the response has none. */
export const linkOf = (answer: IDataObject, { id }: ServiceRequest): IDataObject =>
	id === undefined ? answer : { id, ...answer };
