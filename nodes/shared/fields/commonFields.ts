import { CHARGE_TYPES, SHOWN_CHARGE_STATUS } from '../../../contract/constants';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { checkUuid } from '../input/inputChecks';
import { inQuery, type Field } from './field';
import { currencyKind, locator, oneOf, requiredText, trueOrFalse } from './kinds';

const CHARGE_TYPE_NAMES: Readonly<Record<(typeof CHARGE_TYPES)[number], string>> = {
	charge: 'Charge',
	checkout: 'Checkout',
	creditpayment: 'Credit Payment',
	invoice: 'Invoice',
	link: 'Link',
};

/** Filters of the charge list that both nodes offer (docs/service.md, Charges). */
export const chargeFilters = {
	currency: {
		displayName: 'Currency',
		name: 'currency',
		...currencyKind,
		sent: inQuery('currency' satisfies keyof ChargeFilters),
	},
	customerId: {
		displayName: 'Customer',
		name: 'customerId',
		...locator('customer', 'searchCustomers', checkUuid),
		description:
			'Only charges of this customer. Type in the list to search by name or email address.',
		sent: inQuery('customer_id' satisfies keyof ChargeFilters),
	},
	search: {
		displayName: 'Search',
		name: 'search',
		...requiredText,
		default: '',
		placeholder: 'e.g. Ruiz',
		description:
			'Only charges that hold this text. What the service compares it with is not documented.',
		sent: inQuery('search' satisfies keyof ChargeFilters),
	},
	status: {
		displayName: 'Status',
		name: 'status',
		...requiredText,
		default: '',
		placeholder: `e.g. ${SHOWN_CHARGE_STATUS}`,
		description: 'Only charges in this status',
		sent: inQuery('status' satisfies keyof ChargeFilters),
	},
	type: {
		displayName: 'Type',
		name: 'type',
		...oneOf(CHARGE_TYPES.map((value) => ({ name: CHARGE_TYPE_NAMES[value], value }))),
		default: 'charge',
		description: 'Only charges that came about in this way',
		sent: inQuery('type' satisfies keyof ChargeFilters),
	},
} as const satisfies Readonly<Record<string, Field<string>>>;

/** Whether whole records leave a node, or the fields that matter most. */
export const simplifyField = {
	displayName: 'Simplify',
	name: 'simplify',
	...trueOrFalse,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field<boolean>;

/** docs/service.md, Charges: card data and tokens are sensitive. */
export const includeSensitiveDataField = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitiveData',
	...trueOrFalse,
	default: false,
	hint: 'Whoever may see the executions of the workflow sees them too',
	description:
		'Whether to keep card data and payment tokens in the output, where n8n stores them with the execution. Security codes are always removed.',
} as const satisfies Field<boolean>;
