import { CHARGE_TYPES, SHOWN_CHARGE_STATUS } from '../../../contract/enums';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { checkUuid } from '../input/inputChecks';
import { currencyKind } from './currency';
import { inQuery, type Field } from './field';
import { oneOf, requiredText } from './kinds';
import { locator } from './recordLocator';

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
		label: 'Filter Currency',
		...currencyKind,
		sent: inQuery('currency' satisfies keyof ChargeFilters),
	},
	customerId: {
		displayName: 'Customer',
		name: 'customerId',
		label: 'Filter Customer',
		...locator('customer', 'searchCustomers', checkUuid),
		description:
			'Only charges of this customer. Type in the list to search by name or email address.',
		sent: inQuery('customer_id' satisfies keyof ChargeFilters),
	},
	search: {
		displayName: 'Search',
		name: 'search',
		label: 'Filter Search',
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
		label: 'Filter Status',
		...requiredText,
		default: '',
		placeholder: `e.g. ${SHOWN_CHARGE_STATUS}`,
		description: 'Only charges in this status',
		sent: inQuery('status' satisfies keyof ChargeFilters),
	},
	type: {
		displayName: 'Type',
		name: 'type',
		label: 'Filter Type',
		...oneOf(CHARGE_TYPES.map((value) => ({ name: CHARGE_TYPE_NAMES[value], value }))),
		default: 'charge',
		description: 'Only charges that came about in this way',
		sent: inQuery('type' satisfies keyof ChargeFilters),
	},
} as const satisfies Readonly<Record<string, Field<string>>>;
