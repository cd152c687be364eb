import type { INodeProperties } from 'n8n-workflow';

/** A customer chosen from the account's own contacts, or by ID. The node that uses it has `searchCustomers`. */
export const customerLocator: INodeProperties = {
	displayName: 'Customer',
	name: 'customerId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Only charges of this customer',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a customer…',
			typeOptions: { searchListMethod: 'searchCustomers', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
						errorMessage: 'A customer ID is a UUID',
					},
				},
			],
		},
	],
};
