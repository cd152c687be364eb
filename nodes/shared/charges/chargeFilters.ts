import { CHARGE_TYPES } from '../../../contract/enums';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { checkCurrency, checkOneOf, checkRequiredText, checkUuid } from '../input/inputChecks';
import type { FilterTable } from '../input/filters';

/** Filters of GET /v1/charges by their names in the nodes. */
export const CHARGE_FILTERS = {
	chargeId: { sentAs: 'id', check: (value) => checkRequiredText(value, 'Filter Charge ID') },
	currency: { sentAs: 'currency', check: (value) => checkCurrency(value, 'Filter Currency') },
	customerId: { sentAs: 'customer_id', check: (value) => checkUuid(value, 'Filter Customer') },
	search: { sentAs: 'search', check: (value) => checkRequiredText(value, 'Filter Search') },
	status: { sentAs: 'status', check: (value) => checkRequiredText(value, 'Filter Status') },
	type: { sentAs: 'type', check: (value) => checkOneOf(value, 'Filter Type', CHARGE_TYPES) },
} as const satisfies FilterTable<keyof ChargeFilters>;
