import type { CustomerFilters } from '../../../contract/schemas/customer';
import { inQuery, type Field } from './field';
import { filterText } from './kinds';

/** Filters of the customer list that both nodes offer (docs/service.md, Customers). */
export const customerFilters = {
	businessName: {
		displayName: 'Business Name',
		name: 'businessName',
		...filterText,
		placeholder: 'e.g. Ruiz & Co',
		description: 'Only customers with this business name',
		sent: inQuery<CustomerFilters>('business_name'),
	},
	email: {
		displayName: 'Email',
		name: 'email',
		...filterText,
		placeholder: 'e.g. name@email.com',
		description: 'Only customers with this email address',
		sent: inQuery<CustomerFilters>('email'),
	},
	firstName: {
		displayName: 'First Name',
		name: 'firstName',
		...filterText,
		placeholder: 'e.g. Ana',
		description: 'Only customers with this first name',
		sent: inQuery<CustomerFilters>('first_name'),
	},
	lastName: {
		displayName: 'Last Name',
		name: 'lastName',
		...filterText,
		placeholder: 'e.g. Ruiz',
		description: 'Only customers with this last name',
		sent: inQuery<CustomerFilters>('last_name'),
	},
	search: {
		displayName: 'Search',
		name: 'search',
		...filterText,
		placeholder: 'e.g. Ruiz',
		description: 'Only customers with this text in first name, last name or email address',
		sent: inQuery<CustomerFilters>('search'),
	},
} as const satisfies Readonly<Record<string, Field<string>>>;
