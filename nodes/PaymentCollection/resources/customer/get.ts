import { ENDPOINTS } from '../../../../contract/constants';
import { CUSTOMER_FIELDS, KEPT_CUSTOMER_FIELDS } from '../../../../contract/recordFields';
import type { CustomerFilters } from '../../../../contract/schemas/customer';
import { inQuery } from '../../../shared/fields/field';
import { locator } from '../../../shared/fields/kinds';
import { checkUuid } from '../../../shared/input/inputChecks';
import { simplifiedTo } from '../../../shared/records/recordItem';
import { findRecord } from '../../run/oneRecord';
import type { OperationDefinition } from '../../run/operation';
import { outputFields } from '../../run/output';

/** GET /v1/customers, filtered by the ID (docs/service.md, Customers). */
export const get = {
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
		...outputFields(CUSTOMER_FIELDS),
	],
	run: findRecord('customer'),
	toItems: simplifiedTo(KEPT_CUSTOMER_FIELDS),
} satisfies OperationDefinition;
