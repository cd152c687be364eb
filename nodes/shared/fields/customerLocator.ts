import { recordLocator } from './recordLocator';

/** A customer chosen from the account's own contacts, or by ID. The node that uses it has `searchCustomers`. */
export const customerLocator = recordLocator(
	{
		displayName: 'Customer',
		name: 'customerId',
		description: 'Only charges of this customer',
	},
	'customer',
	'searchCustomers',
);
