import type { Customer } from '../../contract/schemas/customer';
import { drawFor, idFor, instantAt } from './seeding';
import { iso } from './world';

const CUSTOMER_GAP_MS = 5 * 60 * 60 * 1000;

export function customerId(seed: number, index: number): string {
	return idFor(seed, 'customer', index);
}

export function customerInstant(index: number, latestMs: number): number {
	return instantAt(index, latestMs, CUSTOMER_GAP_MS);
}

/** docs/service.md, Customers. Every fourth customer is a business; `province` is taken for a number of a list. */
export function buildCustomer(seed: number, index: number, latestMs: number): Customer {
	const draw = drawFor(seed, 'customer', index);
	const first = draw.person.firstName();
	const last = draw.person.lastName();
	const handle = `${first}.${last}.${index}`.toLowerCase().replace(/[^a-z0-9.]/g, '');
	return {
		id: customerId(seed, index),
		created: iso(customerInstant(index, latestMs)),
		first_name: first,
		last_name: last,
		business_name: index % 4 === 3 ? draw.company.name() : '',
		job_title: index % 2 ? draw.person.jobTitle() : '',
		province: draw.number.int({ min: 1, max: 12 }),
		city: draw.location.city(),
		street: draw.location.street(),
		zip_code: draw.location.zipCode('#####'),
		email: `${handle}@example.com`,
		phone_number: `+97150${draw.string.numeric(7)}`,
		country: draw.helpers.arrayElement(['AE', 'SA', 'US', 'GB', 'DE', 'JP', 'KW']),
	};
}
