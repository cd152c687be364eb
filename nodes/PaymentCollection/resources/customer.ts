import { ENDPOINTS } from '../../../contract/constants';
import type { CustomerFilters } from '../../../contract/schemas/customer';
import { filtersField, inQuery, optionsField } from '../../shared/fields/field';
import { customerFilters } from '../../shared/fields/customerFields';
import { customerLocator } from '../../shared/fields/kinds';
import { checkIdText, checkUuid } from '../../shared/input/inputChecks';
import { howManyFields, listing, pagingOptions } from '../run/listRecords';
import { findRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../operation';
import { simplifiedOutput } from './simplifiedOutput';
import { resource } from './resource';

const { sent: asId } = inQuery<CustomerFilters>('id');

/** GET /v1/customers, filtered by the ID (docs/service.md, Customers). */
const get = {
	name: 'Get',
	action: 'Get customer',
	description: 'Retrieve a customer with name, email, phone number and address',
	endpoint: ENDPOINTS.customerList,
	fields: [{ ...customerLocator('The customer to retrieve.', checkUuid, asId), required: true }],
	run: findRecord('customer'),
	output: simplifiedOutput('customer'),
} satisfies OperationDefinition;

const { businessName, ...otherFilters } = customerFilters;

/** GET /v1/customers (docs/service.md, Customers). */
export const getAll = {
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Retrieve a list of customers with their contact data, optionally filtered',
	endpoint: ENDPOINTS.customerList,
	fields: [
		...howManyFields,
		filtersField([
			businessName,
			customerLocator('Only this customer.', checkIdText, asId),
			...Object.values(otherFilters),
		]),
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
