import type { CustomerFilters } from '../../../contract/schemas/customer';
import { inQuery, type Field } from './field';
import { filterText } from './kinds';

/** Filters of the customer list that both nodes offer (docs/service.md, Customers). */
export const customerFilters = {
	businessName: {
		...inQuery<CustomerFilters>('business_name'),
		...filterText,
		placeholder: 'e.g. Ruiz & Co',
		description: 'Only customers with this business name',
	},
	email: {
		...inQuery<CustomerFilters>('email'),
		...filterText,
		placeholder: 'e.g. name@email.com',
		description: 'Only customers with this email address',
	},
	firstName: {
		...inQuery<CustomerFilters>('first_name'),
		...filterText,
		placeholder: 'e.g. Ana',
		description: 'Only customers with this first name',
	},
	lastName: {
		...inQuery<CustomerFilters>('last_name'),
		...filterText,
		placeholder: 'e.g. Ruiz',
		description: 'Only customers with this last name',
	},
	search: {
		...inQuery<CustomerFilters>('search'),
		...filterText,
		placeholder: 'e.g. Ruiz',
		description: 'Only customers with this text in first name, last name or email address',
	},
} as const satisfies Readonly<Record<string, Field<string>>>;
