import type { INodeProperties } from 'n8n-workflow';
import {
	MAX_CUSTOM_FIELDS,
	MAX_DISCOUNT_PERCENTAGE,
	MAX_INTEGER,
	MAX_NOTE_LENGTH,
	MAX_TITLE_LENGTH,
	MIN_DISCOUNT_PERCENTAGE,
	MIN_ITEM_QUANTITY,
	MIN_LINK_ITEMS,
	MIN_PAYMENT_EXPIRY_LIMIT,
} from '../../../../contract/limits';
import { currencyField } from '../../../shared/fields/currencyField';
import { idempotencyKeyField, onRepeatedKeyField } from '../../writes/idempotencyFields';
import { showFor } from '../showFor';

/** An optional field that goes into the body of POST /v1/links as it is. */
const optional = (property: string, field: Omit<INodeProperties, 'routing'>): INodeProperties => ({
	...field,
	routing: { send: { type: 'body', property } },
});

const additionalFields: INodeProperties[] = [
	optional('allow_installment_a', {
		displayName: 'Allow Installment A',
		name: 'allowInstallmentA',
		type: 'boolean',
		default: true,
		description: 'Whether the customer may pay in installments by method A',
	}),
	optional('allow_installment_b', {
		displayName: 'Allow Installment B',
		name: 'allowInstallmentB',
		type: 'boolean',
		default: true,
		description: 'Whether the customer may pay in installments by method B',
	}),
	optional('allow_service_fee', {
		displayName: 'Allow Service Fee',
		name: 'allowServiceFee',
		type: 'boolean',
		default: true,
		description: 'Whether a service fee may be added',
	}),
	optional('allow_tip', {
		displayName: 'Allow Tip',
		name: 'allowTip',
		type: 'boolean',
		default: false,
		description: 'Whether the customer may add a tip',
	}),
	{
		displayName: 'Custom Fields',
		name: 'customFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, maxAllowedFields: MAX_CUSTOM_FIELDS },
		placeholder: 'Add Custom Field',
		default: {},
		description: `What the customer is asked to fill in, at most ${MAX_CUSTOM_FIELDS} fields`,
		options: [
			{
				displayName: 'Field',
				name: 'field',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. Delivery instructions',
						description: 'What the field is called on the payment page',
					},
				],
			},
		],
		routing: { send: { type: 'body', property: 'custom_fields', value: '={{ $value.field }}' } },
	},
	optional('discount_percentage', {
		displayName: 'Discount Percentage',
		name: 'discountPercentage',
		type: 'number',
		typeOptions: {
			minValue: MIN_DISCOUNT_PERCENTAGE,
			maxValue: MAX_DISCOUNT_PERCENTAGE,
			numberPrecision: 0,
		},
		default: 0,
		description: `Whole percent taken off the total, from ${MIN_DISCOUNT_PERCENTAGE} to ${MAX_DISCOUNT_PERCENTAGE}`,
	}),
	optional('failure_url', {
		displayName: 'Failure URL',
		name: 'failureUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://shop.example.com/failed',
		description: 'Where the customer is led after a failed payment',
	}),
	optional('note', {
		displayName: 'Note',
		name: 'note',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		description: `Text on the payment page, at most ${MAX_NOTE_LENGTH} characters`,
	}),
	optional('shipping_address_required', {
		displayName: 'Shipping Address Required',
		name: 'shippingAddressRequired',
		type: 'boolean',
		default: false,
		description: 'Whether the customer must give a shipping address',
	}),
	optional('success_url', {
		displayName: 'Success URL',
		name: 'successUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://shop.example.com/thanks',
		description: 'Where the customer is led after the payment',
	}),
	optional('title', {
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Spring workshop',
		description: `Heading of the payment page, at most ${MAX_TITLE_LENGTH} characters`,
	}),
];

/** POST /v1/links, in the order of the editor. Limits are checked at run time too, see linkBody.ts. */
export const createFields = showFor('link', 'create', [
	{
		...currencyField,
		required: true,
		routing: { send: { type: 'body', property: 'currency' } },
	},
	{
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
	},
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'options',
		options: [
			{
				name: 'After Payments',
				value: 'afterPayments',
				description: 'The link expires once it was paid a number of times',
			},
			{
				name: 'Never',
				value: 'never',
				description: 'The link stays until it is disabled or deleted',
			},
			{
				name: 'On Date',
				value: 'onDate',
				description: 'The link expires at 11:59 PM of a day',
			},
		],
		default: 'never',
		description: 'When the link stops taking payments. The service allows one rule only.',
	},
	{
		displayName: 'Payment Expiry Limit',
		name: 'paymentExpiryLimit',
		type: 'number',
		typeOptions: {
			minValue: MIN_PAYMENT_EXPIRY_LIMIT,
			maxValue: MAX_INTEGER,
			numberPrecision: 0,
		},
		default: MIN_PAYMENT_EXPIRY_LIMIT,
		required: true,
		displayOptions: { show: { expiry: ['afterPayments'] } },
		description: 'Number of payments after which the link expires',
	},
	{
		displayName: 'Expiry Date',
		name: 'expiryDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		// Not `required`: with an expression in Expiry n8n shows both fields, and would ask for a date with every rule.
		displayOptions: { show: { expiry: ['onDate'] } },
		description:
			'Last day of the link, after today. In which time zone the day ends is not documented.',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: additionalFields,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [idempotencyKeyField, onRepeatedKeyField],
	},
]);
