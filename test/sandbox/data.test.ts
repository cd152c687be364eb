import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { chargeSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkSchema } from '../../contract/schemas/link';
import { DEFAULT_COUNTS } from '../../sandbox';
import { TEST_CARDS } from '../../sandbox/data/charges';
import { decimalsOf, toMinor, toText } from '../../sandbox/money';
import { Store } from '../../sandbox/store';

const NOW = Date.UTC(2026, 0, 15, 12);

const seeded = (seed = 1): Store =>
	new Store({
		seed,
		counts: DEFAULT_COUNTS,
		chargeGapMs: 60 * 60 * 1000,
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
			// What parsing leaves must be the record: nothing missing, nothing that the contract does not know.
			expect(rows.filter((row) => !isDeepStrictEqual(schema.parse(row), row))).toEqual([]);
		}
		const ids = records.flatMap(([, rows]) => rows.map(({ id }) => id));
		expect(ids).toHaveLength(3_000 + 2_000 + 200 + 300 + 200);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is the same for the same seed, in whatever order it is read, and another for another', () => {
		const other = seeded();
		const backwards = charges.map((_, at) => other.charges.at(charges.length - 1 - at)?.charge);
		expect(isDeepStrictEqual(backwards.reverse(), charges)).toBe(true);
		expect(isDeepStrictEqual(everything(other), everything(store))).toBe(true);
		expect(seeded(2).charges.at(0)).not.toEqual(store.charges.at(0));
	});
});

describe('seeded charges', () => {
	it('are sorted newest first, end at the clock, and some share their instant', () => {
		const instants = charges.map(({ created }) => Date.parse(created));
		expect([...instants].sort((a, b) => b - a)).toEqual(instants);
		expect(instants[0]).toBeLessThanOrEqual(NOW);
		expect(new Set(instants).size).toBeLessThan(instants.length);
	});

	it('add up to the last minor unit, in currencies with two, no and three decimals', () => {
		const amiss = charges.filter((charge) => {
			const decimals = decimalsOf(charge.currency);
			const minor = (text: string) => {
				const value = toMinor(text, decimals) ?? -1n;
				if (toText(value, decimals) !== text) throw new Error(`${text} ${charge.currency}`);
				return value;
			};
			const sum = (texts: string[]) => texts.reduce((total, text) => total + minor(text), 0n);
			const isWrong = (item: (typeof charge.items)[number]) =>
				minor(item.total_amount) !== minor(item.amount) * BigInt(item.quantity);
			const items = sum(charge.items.map((item) => item.total_amount));
			const added = sum([charge.tax, charge.tip, charge.service_fee]);
			const refunded = sum(charge.refunds.map(({ amount }) => amount));
			return (
				charge.items.some(isWrong) ||
				items - minor(charge.discount) + added !== minor(charge.total) ||
				refunded !== minor(charge.refund_total) ||
				refunded > minor(charge.total)
			);
		});
		expect(amiss).toEqual([]);
		const decimalsSeen = new Set(charges.map(({ currency }) => decimalsOf(currency)));
		expect([...decimalsSeen].sort()).toEqual([0, 2, 3]);
	});

	it('carry complete card data of published test cards, and no other', () => {
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
});
