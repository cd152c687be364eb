import { base, en, Faker } from '@faker-js/faker';
import { createHash } from 'node:crypto';
import type { Customer } from '../../contract/schemas/customer';

/** How many records of each resource are seeded. */
export interface Counts {
	charges: number;
	customers: number;
	links: number;
	invoices: number;
	checkoutSessions: number;
}

/** Made-up records depend on this and their own number. */
export interface World {
	readonly seed: number;
	readonly counts: Counts;
	/** When the data was seeded: every seeded record is older. Milliseconds since the epoch, ms since the epoch. */
	readonly latestMs: number;
	/** Address of the sandbox, without a trailing slash. */
	readonly url: string;
	/** One of the seeded customers, for any number; made up when there is none. */
	customerFor(number: number): Customer;
}

/** A kind of seeded records. Row 0 is the newest; a row is a pure function of the world and its number. */
export interface Kind<Row> {
	readonly name: string;
	/** Mean time between two rows, ms. */
	readonly gapMs: number;
	readonly build: (world: World, index: number, createdMs: number) => Row;
}

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const iso = (ms: number): string => new Date(ms).toISOString();

function digest({ seed }: Pick<World, 'seed'>, kind: string, key: number | string): Buffer {
	return createHash('sha256').update(`${seed}:${kind}:${key}`).digest();
}

/** A UUID (version 4 in form) that is always the same for a seed, a kind and a key. */
export function idFor(world: Pick<World, 'seed'>, kind: string, key: number | string): string {
	const hex = digest(world, kind, key).toString('hex');
	return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
}

const faker = new Faker({ locale: [en, base], seed: 0 });

/**
 * The generator at the start of a row's own stream: row 5 is the same whether 10 or 10,000 rows exist. There is one
 * for all, so draw what a row needs before asking for another row's.
 */
export function drawFor(world: Pick<World, 'seed'>, kind: string, key: number | string): Faker {
	faker.seed(digest(world, kind, key).readInt32BE(16));
	return faker;
}

/** When a seeded row was created: one per gap on average, going back from the latest instant. */
export function instantOf(kind: Kind<unknown>, world: World, index: number): number {
	// Every fiftieth row shares its instant with its neighbour: a reader must not take equal times for equal rows.
	const slot = index % 50 === 49 ? index - 1 : index;
	const jitter = ((slot * 7_919) % 997) / 997;
	return world.latestMs - Math.round((slot + 1 - 0.9 * jitter) * kind.gapMs);
}

const STAFF = 4;

/** One of the few people of the merchant who act on records. */
export function staffMember(world: World, number: number) {
	const key = number % STAFF;
	const { person } = drawFor(world, 'staff', key);
	return {
		id: idFor(world, 'staff', key),
		first_name: person.firstName(),
		last_name: person.lastName(),
	};
}
