import type { Customer } from '../../contract/schemas/customer';
import { drawFor, idFor } from './seeding';

/** How many records of each resource are seeded. */
export interface Counts {
	charges: number;
	customers: number;
	links: number;
	invoices: number;
	checkoutSessions: number;
}

/** What the builders of seeded records need to know; builders are pure functions of it and a row number. */
export interface World {
	readonly seed: number;
	readonly counts: Counts;
	/** Instant of the newest seeded record, ms since the epoch. */
	readonly latestMs: number;
	/** Mean time between two seeded charges, ms. */
	readonly chargeGapMs: number;
	/** Address of the sandbox, without a trailing slash. */
	readonly url: string;
	/** A seeded customer; made up when the sandbox holds none. */
	customerAt(index: number): Customer;
}

const STAFF = 4;

/** One of the few people of the merchant who act on records. */
export function staffMember(seed: number, number: number) {
	const key = number % STAFF;
	const draw = drawFor(seed, 'staff', key);
	return {
		id: idFor(seed, 'staff', key),
		first_name: draw.person.firstName(),
		last_name: draw.person.lastName(),
	};
}

export function iso(ms: number): string {
	return new Date(ms).toISOString();
}
