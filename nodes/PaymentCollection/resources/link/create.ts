import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/constants';
import { optionsField } from '../../../shared/fields/field';
import type { Item } from '../../run/item';
import type { OperationDefinition } from '../../run/operation';
import {
	idempotencyKeyField,
	keyOptionsOf,
	oncePerKey,
	onRepeatedKeyField,
} from '../../writes/idempotencyKey';
import { writeOnce } from '../../writes/writeOnce';
import { additionalFields } from './additionalFields';
import { currencyField, expiryFields, itemsField } from './createFields';
import { describeLink, sendForLink } from './oneLink';

const endpoint = ENDPOINTS.linkCreate;
const describeEffect = describeLink('created');

const CREATION = {
	endpoint,
	what: 'link',
	done: 'created',
	whereToLook:
		'This run does not send it again, and running the workflow again can create a second link. Look for the link in the payment collection service first: its interface can’t list links.',
};

/** At most once per item and Idempotency Key. @returns the created link */
async function createLink(item: Item): Promise<IDataObject[]> {
	return await writeOnce(
		item,
		CREATION,
		() => {
			const { body } = item.values();
			const request = { endpoint, body };
			return { request, send: async (options) => await sendForLink(item, request, options) };
		},
		async (write, mayBeCarriedOut) =>
			await oncePerKey(item, keyOptionsOf(item.values()), {
				operation: `${endpoint.method} ${endpoint.path}`,
				write,
				mayBeCarriedOut,
			}),
	);
}

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
	run: createLink,
	write: {
		describeEffect,
		toolNotice:
			'Customers pay what the link says. Set by hand: the credential, Currency, and under Additional Fields Success URL and Failure URL, if you use them. Leave to the model: Items, and Title. An Idempotency Key keeps a model that asks twice from making two links.',
	},
} satisfies OperationDefinition;
