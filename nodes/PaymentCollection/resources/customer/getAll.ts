import { amountFields, pagingOptions, simplifyField } from '../listFields';
import { optionsField } from '../optionsField';
import { showFor } from '../showFor';

/** GET /v1/customers. */
export const getAllFields = showFor('customer', 'getAll', [
	...amountFields,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Business Name',
				name: 'businessName',
				type: 'string',
				default: '',
				description: 'Only customers of this business',
			},
			{
				displayName: 'Customer ID',
				name: 'customerId',
				type: 'string',
				default: '',
				description: 'Only the customer with this ID',
			},
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. name@email.com',
				default: '',
				description: 'Only customers with this email address',
			},
			{
				displayName: 'First Name',
				name: 'firstName',
				type: 'string',
				default: '',
				description: 'Only customers with this first name',
			},
			{
				displayName: 'Last Name',
				name: 'lastName',
				type: 'string',
				default: '',
				description: 'Only customers with this last name',
			},
			{
				displayName: 'Search',
				name: 'search',
				type: 'string',
				default: '',
				description: 'Text to search for in first name, last name and email',
			},
		],
	},
	simplifyField,
	optionsField(pagingOptions),
]);
