import { MAX_TITLE_LENGTH } from '../../../../contract/constants';
import type { LinkCreate, LinkEdit } from '../../../../contract/schemas/link';
import { inBody, type Field } from '../../../shared/fields/field';
import { idField, text } from '../../../shared/fields/kinds';
import { checkLinkId } from '../../../shared/input/inputChecks';

export const linkIdField = idField(
	'Payment Link ID',
	'linkId',
	'ID of the payment link, as returned by the Create operation',
	checkLinkId,
);

export const titleField: Field<string> = {
	...inBody<LinkCreate | LinkEdit>('title'),
	...text(MAX_TITLE_LENGTH),
	default: '',
	placeholder: 'e.g. Spring workshop',
	description: `Heading of the payment page, at most ${MAX_TITLE_LENGTH} characters`,
};
