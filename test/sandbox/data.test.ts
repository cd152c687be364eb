import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { CHARGE_TYPES } from '../../contract/constants';
import { chargeSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkSchema } from '../../contract/schemas/link';
import { type Counts, DEFAULT_COUNTS } from '../../sandbox';
import { TEST_CARDS } from '../../sandbox/data/catalogue';
import { decimalsOf, sum, toMinor, toText } from '../../sandbox/operations/money';
import { Store } from '../../sandbox/store/store';
import { LazyTable } from '../../sandbox/store/table';

const NOW = Date.UTC(2026, 0, 15, 12);

function seeded(seed = 1, counts: Partial<Counts> = {}): Store {
	return new Store({
		seed,
		counts: { ...DEFAULT_COUNTS, ...counts },
		chargeGapMs: 60 * 60 * 1000,
		url: 'http://127.0.0.1:4010',
		clock: () => NOW,
	});
}

function everything(store: Store) {
	return {
		charges: store.charges.all(),
		customers: store.customers.all(),
		links: store.links.all(),
		invoices: store.invoices.all(),
		checkoutSessions: store.checkoutSessions.all(),
	};
}

/** What parsing leaves of a record must be the record: nothing missing, nothing that the contract does not know. */
function isNot(schema: z.ZodTypeAny): (row: unknown) => boolean {
	return (row) => !isDeepStrictEqual(schema.parse(row), row);
}

const store = seeded();
const charges = store.charges.all();

describe('the seeded data', () => {
	it('is thousands of charges and customers, and every record is valid by the contract to the last field', () => {
		const { customers, links, invoices, checkoutSessions } = everything(store);
		expect(charges).toHaveLength(DEFAULT_COUNTS.charges);
		expect(customers).toHaveLength(DEFAULT_COUNTS.customers);
		expect(charges.map(({ charge }) => charge).filter(isNot(chargeSchema))).toEqual([]);
		expect(customers.filter(isNot(customerSchema))).toEqual([]);
		expect(links.map(({ link }) => link).filter(isNot(linkSchema))).toEqual([]);
		expect(invoices.filter(isNot(invoiceSchema))).toEqual([]);
		expect(checkoutSessions.filter(isNot(checkoutSessionSchema))).toEqual([]);
	});

	it('is the same for the same seed, and another for another', () => {
		const small = { charges: 60, customers: 30, links: 20, invoices: 20, checkoutSessions: 20 };
		const once = JSON.stringify(everything(seeded(7, small)));
		expect(JSON.stringify(everything(seeded(7, small)))).toBe(once);
		expect(JSON.stringify(everything(seeded(8, small)))).not.toBe(once);
	});

	it('does not depend on the order in which rows are read', () => {
		const backwards = seeded();
		const rows = charges.map((_, index) => backwards.charges.at(charges.length - 1 - index));
		expect(isDeepStrictEqual(rows.reverse(), charges)).toBe(true);
	});

	it('builds a row when it is first read, and only then', () => {
		const built: number[] = [];
		const table = new LazyTable<string>({
			count: 100_000,
			idAt: (index) => `id ${index}`,
			createdAt: (index) => -index,
			build: (index) => {
				built.push(index);
				return `row ${index}`;
			},
		});
		table.insert('new', 0, 'new row');
		expect([table.at(0), table.at(4), table.get('id 3'), table.at(4)]).toEqual([
			'new row',
			'row 3',
			'row 3',
			'row 3',
		]);
		expect(built).toEqual([3]);
		expect([table.remove('id 3'), table.remove('id 3'), table.size]).toEqual([
			true,
			false,
			100_000,
		]);
	});

	it('gives every record an id of its own', () => {
		const { customers, links, invoices, checkoutSessions } = everything(store);
		const ids = [
			...charges.map(({ charge }) => charge.id),
			...customers.map(({ id }) => id),
			...links.map(({ link }) => link.id),
			...invoices.map(({ id }) => id),
			...checkoutSessions.map(({ id }) => id),
		];
		expect(new Set(ids).size).toBe(ids.length);
	});
});

describe('seeded charges', () => {
	it('are sorted newest first, end at the clock, and some share their instant', () => {
		const instants = charges.map(({ charge }) => Date.parse(charge.created));
		expect([...instants].sort((a, b) => b - a)).toEqual(instants);
		expect(instants[0]).toBeLessThanOrEqual(NOW);
		expect(new Set(instants).size).toBeLessThan(instants.length);
	});

	it('add up to the last minor unit, in currencies with two, no and three decimals', () => {
		const amiss = charges.filter(({ charge }) => {
			const decimals = decimalsOf(charge.currency) ?? 2;
			const minor = (text: string) => {
				const value = toMinor(text, decimals) ?? -1n;
				if (toText(value, decimals) !== text) throw new Error(`${text} ${charge.currency}`);
				return value;
			};
			const wrongItems = charge.items.filter(
				(item) => minor(item.total_amount) !== minor(item.amount) * BigInt(item.quantity),
			);
			const total =
				sum(charge.items.map((item) => minor(item.total_amount))) -
				minor(charge.discount) +
				minor(charge.tax) +
				minor(charge.tip) +
				minor(charge.service_fee);
			const refunded = sum(charge.refunds.map(({ amount }) => minor(amount)));
			return (
				wrongItems.length > 0 ||
				total !== minor(charge.total) ||
				refunded !== minor(charge.refund_total) ||
				refunded > total
			);
		});
		expect(amiss).toEqual([]);
		const decimalsSeen = new Set(charges.map(({ charge }) => decimalsOf(charge.currency)));
		expect([...decimalsSeen].sort()).toEqual([0, 2, 3]);
	});

	it('are of every type, of several statuses, some refunded in part and some in full', () => {
		expect(new Set(charges.map(({ type }) => type))).toEqual(new Set(CHARGE_TYPES));
		expect(new Set(charges.map(({ charge }) => charge.status)).size).toBeGreaterThan(2);
		const refunded = charges.filter(({ charge }) => charge.refunds.length > 0);
		const inFull = refunded.filter(({ charge }) => charge.refund_total === charge.total);
		expect(inFull.length).toBeGreaterThan(10);
		expect(refunded.length).toBeGreaterThan(inFull.length + 10);
		for (const { charge } of refunded) {
			for (const { created } of charge.refunds) expect(created > charge.created).toBe(true);
		}
	});

	it('carry complete card data of published test cards, and no other', () => {
		const numbers = TEST_CARDS.map(({ number }) => number);
		const amiss = charges.filter(({ charge: { source } }) => {
			const { card_number, security_code } = source.card_data;
			return !(
				numbers.includes(card_number) &&
				card_number.endsWith(source.last4) &&
				card_number.startsWith(source.bin) &&
				/^\d{3,4}$/.test(security_code) &&
				source.token.startsWith('tok_sandbox_')
			);
		});
		expect(amiss).toEqual([]);
	});

	it('belong to customers of the customer list', () => {
		const known = new Set(store.customers.all().map(({ id }) => id));
		expect(charges.filter(({ customerId }) => !known.has(customerId))).toEqual([]);
	});
});

describe('other seeded records', () => {
	it('has checkout sessions in every status, the paid ones with a charge of the list and its total', () => {
		const sessions = store.checkoutSessions.all();
		expect(new Set(sessions.map(({ status }) => status)).size).toBe(4);
		const paid = sessions.filter(({ status }) => status === 'paid');
		expect(paid.length).toBeGreaterThan(20);
		for (const session of paid) {
			const stored = store.charges.get(session.charges[0]?.id ?? '');
			expect(stored?.type).toBe('checkout');
			expect(session.amount).toBe(Number(stored?.charge.total));
		}
	});

	it('has invoices in every status, with and without the fields that are not required', () => {
		const invoices = store.invoices.all();
		expect(new Set(invoices.map(({ status }) => status)).size).toBe(5);
		expect(invoices.some((invoice) => invoice.service_fee === undefined)).toBe(true);
		expect(invoices.some((invoice) => invoice.service_fee === null)).toBe(true);
		expect(invoices.some((invoice) => typeof invoice.service_fee === 'string')).toBe(true);
	});

	it('finds nothing amiss without any customer', () => {
		const lonely = seeded(1, { charges: 5, customers: 0, invoices: 5, checkoutSessions: 5 });
		for (const { charge } of lonely.charges.all()) {
			expect(charge.source.card_holder_name).not.toBe('');
		}
		expect(lonely.invoices.all()).toHaveLength(5);
	});
});
