import type { FastifyInstance } from 'fastify';
import {
	type Customer,
	type CustomerFilters,
	customerFiltersSchema,
} from '../../contract/schemas/customer';
import { pageQuerySchema } from '../../contract/schemas/list';
import type { SandboxContext } from '../context';
import { activeFilter, activeFilters, type Predicates } from '../store/filters';
import { answerList } from '../store/pages';
import type { Switches } from '../behaviour/switches';
import { endpoint } from './v1';

const querySchema = customerFiltersSchema.merge(pageQuerySchema);

/** docs/service.md, Customers: GET /v1/customers. How the filters compare is not documented: see the switch textFilter. */
export function customerRoutes(app: FastifyInstance, context: SandboxContext): void {
	endpoint(app, context, 'customerList', (request) => {
		const query = querySchema.parse(request.query);
		return {
			body: answerList(context, {
				resource: 'customers',
				table: context.store.customers,
				onlyId: activeFilter('id', query, context.switches),
				matches: activeFilters(query, predicates(context.switches), context.switches),
				present: (customer) => customer,
				idOf: (customer) => customer.id,
				query,
				target: request.url,
			}),
		};
	});
}

function predicates({ textFilter }: Switches): Predicates<Customer, CustomerFilters> {
	const same = (text: string, wanted: string) =>
		textFilter === 'contains'
			? contains(text, wanted)
			: text.toLowerCase() === wanted.toLowerCase();
	return {
		business_name: (customer, wanted) => same(customer.business_name, wanted),
		email: (customer, wanted) => same(customer.email, wanted),
		first_name: (customer, wanted) => same(customer.first_name, wanted),
		last_name: (customer, wanted) => same(customer.last_name, wanted),
		id: (customer, wanted) => customer.id === wanted,
		// "matching first name, last name and email": a part of any of them is taken to do.
		search: ({ first_name, last_name, email }, wanted) =>
			[first_name, last_name, email].some((text) => contains(text, wanted)),
	};
}

function contains(text: string, part: string): boolean {
	return text.toLowerCase().includes(part.toLowerCase());
}
