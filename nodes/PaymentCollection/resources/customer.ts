import { ENDPOINTS } from '../../../contract/constants';
import { KEPT_CUSTOMER_FIELDS } from '../../../contract/recordFields';
import type { CustomerFilters } from '../../../contract/schemas/customer';
import { filtersField, inQuery, optionsField, type Field } from '../../shared/fields/field';
import { customerFilters } from '../../shared/fields/customerFields';
import { locator, simplifyField } from '../../shared/fields/kinds';
import { checkIdText, checkUuid } from '../../shared/input/inputChecks';
import { simplifiedTo } from '../../shared/records/recordItem';
import { howManyFields, listing, pagingOptions } from '../run/listRecords';
import { findRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../run/item';
import { resource } from './resource';

/** GET /v1/customers, filtered by the ID (docs/service.md, Customers). */
const get = {
	name: 'Get',
	action: 'Get customer',
	description: 'Retrieve one customer with name, email, phone number and address',
	endpoint: ENDPOINTS.customerList,
	fields: [
		{
			displayName: 'Customer',
			name: 'customerId',
			...locator('customer', 'searchCustomers', checkUuid),
			required: true,
			description: 'The customer to get. Type in the list to search by name or email address.',
			sent: inQuery('id' satisfies keyof CustomerFilters),
		},
		simplifyField,
	],
	run: findRecord('customer'),
	toItems: simplifiedTo(KEPT_CUSTOMER_FIELDS),
} satisfies OperationDefinition;

const customerFilter: Field = {
	displayName: 'Customer',
	name: 'customerId',
	...locator('customer', 'searchCustomers', checkIdText),
	description: 'Only this customer. Type in the list to search by name or email address.',
	sent: inQuery('id' satisfies keyof CustomerFilters),
};

const { businessName, ...otherFilters } = customerFilters;

/** GET /v1/customers (docs/service.md, Customers). */
export const getAll = {
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Retrieve a list of customers with their contact data, all of them or by filters',
	endpoint: ENDPOINTS.customerList,
	fields: [
		...howManyFields,
		filtersField([businessName, customerFilter, ...Object.values(otherFilters)]),
		simplifyField,
		optionsField(pagingOptions),
	],
	...listing,
	toItems: simplifiedTo(KEPT_CUSTOMER_FIELDS),
} satisfies OperationDefinition;

export const customer = resource(
	{ name: 'Customer', value: 'customer' },
	{ get, getAll },
	'getAll',
);
