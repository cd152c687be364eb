import type { INodeProperties } from 'n8n-workflow';
import { MAX_INTEGER, MIN_PAYMENT_EXPIRY_LIMIT } from '../../../../contract/limits';

/** When a link ends: only one of the service's two rules may be set, so the user chooses one. */
export const expiryFields: INodeProperties[] = [
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
];
