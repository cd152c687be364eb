import type { IDataObject } from 'n8n-workflow';
import { MIN_ITEM_QUANTITY, MIN_LINK_ITEMS } from '../../../../contract/limits';
import type { LinkCreate } from '../../../../contract/schemas/link';
import { inBody, type Field } from '../../../shared/fields/field';
import { listOf, requiredText, textThat, wholeNumber } from '../../../shared/fields/kinds';
import { checkCurrency } from '../../../shared/input/inputChecks';
import { moneyToSend } from '../../../shared/money';

/** The names are those that the service takes. */
const entry: ReadonlyArray<Field & { readonly name: keyof LinkCreate['items'][number] }> = [
	{
		displayName: 'Name',
		name: 'name',
		...requiredText,
		default: '',
		required: true,
		placeholder: 'e.g. Workshop ticket',
		description: 'What is sold, as the customer sees it',
	},
	{
		displayName: 'Amount',
		name: 'amount',
		...textThat((value, field, { body }) =>
			// Read from the field above this one: without it, digits that the currency does not have would pass.
			moneyToSend(value, field, { currency: checkCurrency(body['currency'], 'Currency') }),
		),
		default: '',
		required: true,
		placeholder: 'e.g. 12.50',
		description: 'Price of one piece as a decimal number with a point, in the main currency unit',
		hint: 'For one piece, not for all of Quantity',
	},
	{
		displayName: 'Quantity',
		name: 'quantity',
		...wholeNumber(MIN_ITEM_QUANTITY),
		default: MIN_ITEM_QUANTITY,
		required: true,
		description: 'How many pieces are sold',
	},
];

/** What a link sells. */
export const itemsField: Field<IDataObject[]> = {
	displayName: 'Items',
	name: 'items',
	...listOf({ displayName: 'Item', name: 'item', fields: entry }, { least: MIN_LINK_ITEMS }),
	placeholder: 'Add Item',
	// The first item alone has a name, where the editor shows it: one that a workflow gives without a name is refused.
	default: { item: [{ name: 'Payment', amount: '', quantity: MIN_ITEM_QUANTITY }] },
	required: true,
	description: 'What the link sells, at least one item',
	sent: inBody('items' satisfies keyof LinkCreate),
};
