import { MIN_PAYMENT_EXPIRY_LIMIT } from '../../../../contract/limits';
import type { LinkCreate } from '../../../../contract/schemas/link';
import { inBody, type Field } from '../../../shared/fields/field';
import { oneOf, wholeNumber } from '../../../shared/fields/kinds';
import { checkFutureDate } from '../../../shared/input/dates';

/** When a link ends: only one of the service's two rules may be set, so the user chooses one. */
export const expiryFields: readonly Field[] = [
	{
		displayName: 'Expiry',
		name: 'expiry',
		...oneOf([
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
		]),
		default: 'never',
		description: 'When the link stops taking payments. The service allows one rule only.',
	},
	{
		displayName: 'Payment Expiry Limit',
		name: 'paymentExpiryLimit',
		...wholeNumber(MIN_PAYMENT_EXPIRY_LIMIT),
		default: MIN_PAYMENT_EXPIRY_LIMIT,
		required: true,
		displayOptions: { show: { expiry: ['afterPayments'] } },
		description:
			'Number of payments after which the link expires: 1 for a link that can be paid once',
		sent: inBody('payment_expiry_limit' satisfies keyof LinkCreate),
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
		check: (value, field, { timeZone }) => checkFutureDate(value, field, timeZone),
		sent: inBody('expiry_date' satisfies keyof LinkCreate),
	},
];
