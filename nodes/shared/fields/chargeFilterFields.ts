import type { INodeProperties } from 'n8n-workflow';
import type { CHARGE_TYPES } from '../../../contract/enums';
import { SHOWN_CHARGE_STATUS } from '../../../contract/enums';
import { currencyField } from './currencyField';
import { customerLocator } from './customerLocator';

const searchField: INodeProperties = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	description: 'Text to search for. What the service compares it with is not documented.',
};

const statusField: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'string',
	default: '',
	placeholder: `e.g. ${SHOWN_CHARGE_STATUS}`,
	description: 'Only charges in this status',
};

const typeField: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Charge', value: 'charge' },
		{ name: 'Checkout', value: 'checkout' },
		{ name: 'Credit Payment', value: 'creditpayment' },
		{ name: 'Invoice', value: 'invoice' },
		{ name: 'Link', value: 'link' },
	] satisfies Array<{ name: string; value: (typeof CHARGE_TYPES)[number] }>,
	default: 'charge',
	description: 'Only charges that came about in this way',
};

/** Filters of the charge list that both nodes offer (service-interface.md, GET /v1/charges). */
export const chargeFilterFields = {
	currency: currencyField,
	customerId: customerLocator,
	search: searchField,
	status: statusField,
	type: typeField,
} as const;
