import type { INodeProperties } from 'n8n-workflow';
import {
	MAX_CUSTOM_FIELDS,
	MAX_DISCOUNT_PERCENTAGE,
	MAX_NOTE_LENGTH,
	MAX_TITLE_LENGTH,
	MIN_DISCOUNT_PERCENTAGE,
} from '../../../../contract/limits';

/** An optional field that goes into the body of POST /v1/links as it is. */
const optional = (property: string, field: Omit<INodeProperties, 'routing'>): INodeProperties => ({
	...field,
	routing: { send: { type: 'body', property } },
});

/** What a link may have beside its items and its end, in alphabetical order. */
export const additionalFields: INodeProperties[] = [
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
