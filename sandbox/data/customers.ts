import type { Customer } from '../../contract/schemas/customer';
import { drawFor, HOUR_MS, idFor, iso, type Kind } from './world';

/** docs/service.md, Customers. Every fourth is a business; `province` is taken for a number of a list. */
export const customers: Kind<Customer> = {
	name: 'customer',
	gapMs: 5 * HOUR_MS,
	build: (world, index, createdMs) => {
		const draw = drawFor(world, 'customer', index);
		const [first_name, last_name] = [draw.person.firstName(), draw.person.lastName()];
		const handle = `${first_name}.${last_name}.${index}`.toLowerCase();
		return {
			id: idFor(world, 'customer', index),
			created: iso(createdMs),
			first_name,
			last_name,
			business_name: index % 4 === 3 ? draw.company.name() : '',
			job_title: index % 2 ? draw.person.jobTitle() : '',
			province: draw.number.int({ min: 1, max: 12 }),
			city: draw.location.city(),
			street: draw.location.street(),
			zip_code: draw.location.zipCode('#####'),
			email: `${handle.replace(/[^a-z0-9.]/g, '')}@example.com`,
			phone_number: `+97150${draw.string.numeric(7)}`,
			country: draw.location.countryCode(),
		};
	},
};
