import type { INodeProperties } from 'n8n-workflow';
import { MAX_INTEGER, MIN_ITEM_QUANTITY, MIN_LINK_ITEMS } from '../../../../contract/limits';

/** What a link sells. */
export const itemsField: INodeProperties = {
	displayName: 'Items',
	name: 'items',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true, minRequiredFields: MIN_LINK_ITEMS },
	placeholder: 'Add Item',
	default: { item: [{ name: '', amount: '', quantity: MIN_ITEM_QUANTITY }] },
	required: true,
	description: 'What the link sells, at least one item',
	options: [
		{
			displayName: 'Item',
			name: 'item',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Workshop ticket',
					description: 'What is sold, as the customer sees it',
				},
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. 12.50',
					description:
						'Price of one piece as a decimal number with a point, in the main currency unit',
				},
				{
					displayName: 'Quantity',
					name: 'quantity',
					type: 'number',
					typeOptions: {
						minValue: MIN_ITEM_QUANTITY,
						maxValue: MAX_INTEGER,
						numberPrecision: 0,
					},
					default: MIN_ITEM_QUANTITY,
					required: true,
					description: 'How many pieces are sold',
				},
			],
		},
	],
	routing: { send: { type: 'body', property: 'items', value: '={{ $value.item }}' } },
};
