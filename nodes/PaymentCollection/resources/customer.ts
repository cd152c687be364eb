import { ENDPOINTS } from '../../../contract/constants';
import type { CustomerFilters } from '../../../contract/schemas/customer';
import { filtersField, inQuery, optionsField, type Field } from '../../shared/fields/field';
import { customerFilters } from '../../shared/fields/customerFields';
import { locator } from '../../shared/fields/kinds';
import { checkIdText, checkUuid } from '../../shared/input/inputChecks';
import { howManyFields, listing, pagingOptions } from '../run/listRecords';
import { findRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../run/item';
import { simplifiedOutput } from '../run/simplifiedOutput';
import { resource } from './resource';

/** GET /v1/customers, filtered by the ID (docs/service.md, Customers). */
const get = {
	name: 'Get',
	action: 'Get customer',
	description: 'Retrieve a customer with name, email, phone number and address',
	endpoint: ENDPOINTS.customerList,
	fields: [
		{
			displayName: 'Customer',
			name: 'customerId',
			...locator('customer', 'searchCustomers', checkUuid),
			required: true,
			description: 'The customer to retrieve. Type in the list to search by name or email address.',
			sent: inQuery<CustomerFilters>('id'),
		},
	],
	run: findRecord('customer'),
	output: simplifiedOutput('customer'),
} satisfies OperationDefinition;

const customerFilter: Field = {
	displayName: 'Customer',
	name: 'customerId',
	...locator('customer', 'searchCustomers', checkIdText),
	description: 'Only this customer. Type in the list to search by name or email address.',
	sent: inQuery<CustomerFilters>('id'),
};

const { businessName, ...otherFilters } = customerFilters;

/** GET /v1/customers (docs/service.md, Customers). */
export const getAll = {
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Retrieve a list of customers with their contact data, optionally filtered',
	endpoint: ENDPOINTS.customerList,
	fields: [
		...howManyFields,
		filtersField([businessName, customerFilter, ...Object.values(otherFilters)]),
		optionsField(pagingOptions),
	],
	...listing,
	output: simplifiedOutput('customer'),
} satisfies OperationDefinition;

export const customer = resource(
	{ name: 'Customer', value: 'customer' },
	{ get, getAll },
	'getAll',
);
