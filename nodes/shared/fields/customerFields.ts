import type { CustomerFilters } from '../../../contract/schemas/customer';
import { inQuery } from './field';
import { filterText } from './kinds';

const filter = (name: keyof CustomerFilters, example: string, property: string) => ({
	...inQuery<CustomerFilters>(name),
	...filterText,
	placeholder: `e.g. ${example}`,
	description: `Only customers with ${property}`,
});

/** Filters of the customer list that both nodes offer (docs/service.md, Customers). */
export const customerFilters = {
	businessName: filter('business_name', 'Ruiz & Co', 'this business name'),
	email: filter('email', 'name@email.com', 'this email address'),
	firstName: filter('first_name', 'Ana', 'this first name'),
	lastName: filter('last_name', 'Ruiz', 'this last name'),
	search: filter('search', 'Ruiz', 'this text in first name, last name or email address'),
};
