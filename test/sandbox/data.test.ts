import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { chargeSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkSchema } from '../../contract/schemas/link';
import { DEFAULT_COUNTS } from '../../sandbox';
import { TEST_CARDS } from '../../sandbox/data/charges';
import { Store } from '../../sandbox/store';

const NOW = Date.UTC(2026, 0, 15, 12);

const seeded = (seed = 1): Store =>
	new Store({
		seed,
		counts: DEFAULT_COUNTS,
		url: 'http://127.0.0.1:4010',
		clock: () => NOW,
	});

/** All records of a store, as they are answered, each with the contract's schema. */
function everything(store: Store): Array<[z.ZodTypeAny, { id: string }[]]> {
	return [
		[chargeSchema, store.charges.all().map(({ charge }) => charge)],
		[customerSchema, store.customers.all()],
		[linkSchema, store.links.all().map(({ link }) => link)],
		[invoiceSchema, store.invoices.all()],
		[checkoutSessionSchema, store.checkoutSessions.all()],
	];
}

const store = seeded();
const charges = store.charges.all().map(({ charge }) => charge);

describe('the seeded data', () => {
	it('is valid by the contract to the last field, and has an id for each record', () => {
		const records = everything(store);
		for (const [schema, rows] of records) {
			// Parsing drops fields that the contract does not know.
			expect(rows.filter((row) => !isDeepStrictEqual(schema.parse(row), row))).toEqual([]);
		}
		const ids = records.flatMap(([, rows]) => rows.map(({ id }) => id));
		expect(ids).toHaveLength(3_000 + 2_000 + 200 + 300 + 200);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is the same for a seed, in whatever order it is read, and differs between seeds', () => {
		const other = seeded();
		const { id } = other.insertCustomer();
		const backwards = charges.map((_, at) => other.charges.at(charges.length - 1 - at)?.charge);
		expect(isDeepStrictEqual(backwards.reverse(), charges)).toBe(true);
		other.customers.remove(id);
		expect(isDeepStrictEqual(everything(other), everything(store))).toBe(true);
		expect(seeded(2).charges.at(0)).not.toEqual(store.charges.at(0));
	});
});

it('seeded charges carry complete card data of published test cards, and no other', () => {
	const numbers = TEST_CARDS.map(({ number }) => number);
	const amiss = charges.filter(({ source: { last4, bin, token, card_data } }) => {
		const { card_number, security_code } = card_data;
		const isTestCard = numbers.includes(card_number);
		const isShown = card_number.endsWith(last4) && card_number.startsWith(bin);
		const hasCode = /^\d{3,4}$/.test(security_code);
		return !(isTestCard && isShown && hasCode && token.startsWith('tok_sandbox_'));
	});
	expect(amiss).toEqual([]);
});
