import { ENDPOINTS } from '../../../../contract/constants';
import { optionsField } from '../../../shared/fields/field';
import type { OperationDefinition } from '../../run/operation';
import { idempotencyKeyField, onRepeatedKeyField } from '../../writes/idempotencyKey';
import { writeOnce } from '../../writes/writeOnce';
import { additionalFields } from './additionalFields';
import { currencyField, expiryFields, itemsField } from './createFields';
import { describeLink, linkOf } from './oneLink';

const endpoint = ENDPOINTS.linkCreate;

/** POST /v1/links (docs/service.md, Links). */
export const create = {
	name: 'Create',
	action: 'Create payment link',
	description: 'Create a payment link: the address of a page on which customers pay',
	endpoint,
	fields: [
		currencyField,
		itemsField,
		...expiryFields,
		additionalFields,
		optionsField([idempotencyKeyField, onRepeatedKeyField]),
	],
	run: writeOnce({
		what: 'link',
		become: 'created',
		whereToLook:
			'This run does not send it again, and running the workflow again can create a second link. Look for the link in the payment collection service first: its interface can’t list links.',
		requestOf: ({ body }) => ({ endpoint, body }),
		resultOf: linkOf,
	}),
	write: {
		describeEffect: describeLink('created'),
		toolNotice:
			'Customers pay what the link says. Set by hand: the credential, Currency, and under Additional Fields Success URL and Failure URL, if you use them. Leave to the model: Items, and Title. An Idempotency Key keeps a model that asks twice from making two links.',
	},
} satisfies OperationDefinition;
