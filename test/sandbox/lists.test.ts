import { type Sandbox, startSandbox, type Switches } from '../../sandbox';
import type { Charge } from '../../contract/schemas/charge';
import {
	customerFiltersSchema,
	type Customer,
	type CustomerFilters,
} from '../../contract/schemas/customer';
import { ask, readAllChargeIds, refusal, send } from './client';

const NOW = Date.UTC(2026, 0, 15, 12);
const CHARGES = 60;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({
		clock: () => NOW,
		counts: { charges: CHARGES, customers: 40, links: 0, invoices: 3, checkoutSessions: 3 },
	});
});
beforeEach(() => sandbox.reset());
afterAll(async () => sandbox.close());

const stored = () => sandbox.store.charges.all();
const storedIds = () => stored().map(({ charge }) => charge.id);

describe('pages', () => {
	it('hold 25 rows unless asked otherwise, newest first, and lead on and back with the query kept', async () => {
		const query = { status: 'authorised', page_size: 10, page: 2 };
		const { next, previous, count } = await ask(sandbox, 'chargeList', { query });
		const base = `${sandbox.url}/v1/charges?status=authorised&page_size=10`;
		expect([next, previous]).toEqual([`${base}&page=3`, `${base}&page=1`]);
		expect(count).toBe(stored().filter(({ charge }) => charge.status === 'authorised').length);

		const first = await ask(sandbox, 'chargeList');
		expect(first.results.map(({ id }) => id)).toEqual(storedIds().slice(0, 25));
		expect(first.previous).toBeNull();
		expect(first.next).toBe(`${sandbox.url}/v1/charges?page=2`);
		expect(await readAllChargeIds(sandbox, { page_size: 7 })).toEqual(storedIds());
	});

	it('end with next null, also when the last one is full', async () => {
		const last = await ask(sandbox, 'chargeList', { query: { page: 3, page_size: 20 } });
		expect(last.results).toHaveLength(20);
		expect(last.next).toBeNull();
	});

	it('past the end are a 404, or empty, or the last one again where that is switched', async () => {
		const query = { page: 4, page_size: 20 };
		expect((await refusal(sandbox, 'chargeList', { query })).status).toBe(404);
		sandbox.setSwitches({ pastTheEnd: 'empty' });
		const page = await ask(sandbox, 'chargeList', { query });
		expect(page).toMatchObject({ count: CHARGES, next: null, results: [] });
		expect(page.previous).toContain('page=3');
		sandbox.setSwitches({ pastTheEnd: 'last' });
		const last = await ask(sandbox, 'chargeList', { query: { ...query, page: 3 } });
		expect(await ask(sandbox, 'chargeList', { query })).toEqual(last);
	});

	it('one of an empty list is empty, never an error', async () => {
		const page = await ask(sandbox, 'chargeList', { query: { currency: 'XXX' } });
		expect(page).toEqual({ count: 0, next: null, previous: null, results: [] });
	});

	it('hold as many rows as the cap allows, or are refused above it where that is switched', async () => {
		sandbox.setSwitches({ maxPageSize: 15, defaultPageSize: 12 });
		const size = async (query: Record<string, number>) =>
			(await ask(sandbox, 'chargeList', { query })).results.length;
		expect(await size({ page_size: 500 })).toBe(15);
		expect(await size({ page_size: 14 })).toBe(14);
		expect(await size({})).toBe(12);
		sandbox.setSwitches({ overMaxPageSize: 'refuse' });
		const { message } = await refusal(sandbox, 'chargeList', { query: { page_size: 16 } });
		expect(message).toContain('page_size');
		sandbox.setSwitches({ maxPageSize: Number.MAX_SAFE_INTEGER });
		expect(await size({ page_size: Number.MAX_SAFE_INTEGER })).toBe(CHARGES);
	});

	it.each([
		['page', 0],
		['page', 'x'],
		['page_size', -1],
		['type', 'gift'],
		['customer_id', 'x'],
		['colour', 'red'],
	])('are refused with %s=%s, by the name of the parameter', async (name, value) => {
		const { status, message } = await refusal(sandbox, 'chargeList', { query: { [name]: value } });
		expect(status).toBe(400);
		expect(message).toContain(name);
	});
});

describe('charge filters', () => {
	const one = () => {
		const row = stored()[7];
		if (!row) throw new Error('no row');
		return row;
	};
	const filtered = async (query: Record<string, string>) =>
		readAllChargeIds(sandbox, { ...query, page_size: 100 });
	const expected = (test: (row: ReturnType<typeof one>) => boolean) =>
		stored()
			.filter(test)
			.map(({ charge }) => charge.id);

	it('narrow by currency, status, type and customer, each and together', async () => {
		const { charge, type, customerId } = one();
		const { currency, status } = charge;
		const same = (row: ReturnType<typeof one>) => row.charge.currency === currency;
		expect(await filtered({ currency })).toEqual(expected(same));
		expect(await filtered({ status })).toEqual(expected((row) => row.charge.status === status));
		expect(await filtered({ type })).toEqual(expected((row) => row.type === type));
		expect(await filtered({ customer_id: customerId })).toEqual(
			expected((row) => row.customerId === customerId),
		);
		expect(await filtered({ currency, status, type })).toEqual(
			expected((row) => same(row) && row.charge.status === status && row.type === type),
		);
	});

	it('narrow by id to one charge or none', async () => {
		const { id } = one().charge;
		expect(await filtered({ id })).toEqual([id]);
		expect(await filtered({ id: 'no-such-id' })).toEqual([]);
		expect(await filtered({ id, currency: 'XXX' })).toEqual([]);
	});

	it('search a part of id, reference_id, note and holder name, whatever the case', async () => {
		const { charge } = one();
		sandbox.insertCharge({ id: charge.id.replace(/^.{8}/, 'aaaaaaaa'), note: 'Blue Teapot' });
		expect(await filtered({ search: charge.id.slice(0, 13) })).toEqual([charge.id]);
		expect(await filtered({ search: String(charge.reference_id) })).toEqual([charge.id]);
		expect(await filtered({ search: 'TEAPOT' })).toHaveLength(1);
		expect(await filtered({ search: charge.source.card_holder_name.toUpperCase() })).toContain(
			charge.id,
		);
	});

	it('are taken and ignored where that is switched', async () => {
		sandbox.setSwitches({ ignoredFilters: ['id', 'status'] });
		expect(await filtered({ id: one().charge.id, status: 'declined' })).toHaveLength(CHARGES);
	});

	it('filter nothing when they are empty', async () => {
		expect(await filtered({ search: '', currency: '' })).toHaveLength(CHARGES);
	});
});

describe('customers', () => {
	const list = async (query: Record<string, string | number> = {}) => {
		const [envelope] = await ask(sandbox, 'customerList', { query: { page_size: 100, ...query } });
		return envelope?.results ?? [];
	};

	it('come newest first, in an envelope wrapped in an array as in the sample', async () => {
		expect(await list()).toEqual(sandbox.store.customers.all());
	});

	const exact = Object.keys(customerFiltersSchema.shape).filter((name) => name !== 'search');

	it.each(exact as Array<keyof Customer & keyof CustomerFilters>)(
		'are narrowed by %s, exactly but for case',
		async (name) => {
			const customer = sandbox.store.customers.all().find((row) => row.business_name !== '');
			const wanted = customer?.[name] ?? '';
			const same = sandbox.store.customers.all().filter((row) => row[name] === wanted);
			expect(await list({ [name]: name === 'id' ? wanted : wanted.toUpperCase() })).toEqual(same);
			expect(await list({ [name]: wanted.slice(0, -1) })).not.toContainEqual(customer);
		},
	);

	it('are found by a part of a name where that is switched', async () => {
		sandbox.setSwitches({ textFilter: 'contains' });
		const customer = sandbox.store.customers.at(3);
		expect(await list({ last_name: customer?.last_name.slice(1) ?? '' })).toContainEqual(customer);
	});

	it('are searched by first name, last name and email', async () => {
		const customer = sandbox.store.customers.at(5);
		for (const text of [customer?.first_name, customer?.last_name, customer?.email]) {
			expect(await list({ search: text?.slice(1) ?? '' })).toContainEqual(customer);
		}
		expect(await list({ search: 'nobody at all' })).toEqual([]);
	});
});

describe('switches', () => {
	const withSwitches = async (switches: Partial<Switches>) => {
		sandbox.setSwitches(switches);
		return readAllChargeIds(sandbox, { page_size: 20 });
	};

	it('order rows oldest first or shuffled, the same on each page', async () => {
		const newestFirst = storedIds();
		expect(await withSwitches({ rowOrder: 'oldestFirst' })).toEqual([...newestFirst].reverse());
		const shuffled = await withSwitches({ rowOrder: 'shuffled' });
		expect(shuffled).not.toEqual(newestFirst);
		expect([...shuffled].sort()).toEqual([...newestFirst].sort());
		expect(await withSwitches({ rowOrder: 'shuffled' })).toEqual(shuffled);
	});

	it('shuffle anew on each request', async () => {
		sandbox.setSwitches({ rowOrder: 'shuffledPerRequest' });
		const query = { page_size: 60 };
		const first = (await ask(sandbox, 'chargeList', { query })).results;
		const second = (await ask(sandbox, 'chargeList', { query })).results;
		expect(second).not.toEqual(first);
		const byId = (a: Charge, b: Charge) => (a.id < b.id ? -1 : 1);
		expect(second.sort(byId)).toEqual(first.sort(byId));
	});

	it('wrap or unwrap the envelope per list', async () => {
		sandbox.setSwitches({ envelopeInArray: { customers: false } });
		const body = async (name: 'chargeList' | 'customerList') =>
			await (await send(sandbox, name)).json();
		expect(await body('customerList')).toHaveProperty('results');
		expect(await body('chargeList')).toHaveProperty('results');
		sandbox.setSwitches({ envelopeInArray: { charges: true } });
		expect(await body('chargeList')).toEqual([expect.objectContaining({ count: CHARGES })]);
	});

	it('let count lie or leave it out', async () => {
		sandbox.setSwitches({ countOffset: 5 });
		expect((await ask(sandbox, 'chargeList')).count).toBe(CHARGES + 5);
		sandbox.setSwitches({ countOffset: -1_000 });
		expect((await ask(sandbox, 'chargeList')).count).toBe(0);
		sandbox.setSwitches({ omitCount: true });
		expect(await (await send(sandbox, 'chargeList')).json()).not.toHaveProperty('count');
	});

	it('put a foreign host into next and previous', async () => {
		sandbox.setSwitches({ nextHost: 'https://elsewhere.example.com' });
		const { next, previous } = await ask(sandbox, 'chargeList', { query: { page: 2 } });
		expect(next).toBe('https://elsewhere.example.com/v1/charges?page=3');
		expect(previous).toBe('https://elsewhere.example.com/v1/charges?page=1');
	});

	it.each<[Switches['timestampFormat'], string]>([
		['z-millis', '2026-01-31T12:00:00.123Z'],
		['micros', '2026-01-31T12:00:00.123456Z'],
		['offset+04:00', '2026-01-31T16:00:00.123+04:00'],
		['no-fraction', '2026-01-31T12:00:00Z'],
	])('write every timestamp as %s', async (timestampFormat, created) => {
		sandbox.setSwitches({ timestampFormat });
		sandbox.insertCharge({ created: '2026-01-31T12:00:00.123456Z' });
		const { results } = await ask(sandbox, 'chargeList', { query: { page_size: 100 } });
		expect(results[0]?.created).toBe(created);
		const form = created.replace(/\d/g, '\\d').replace('.', '\\.').replace('+', '\\+');
		const pattern = new RegExp(`^${form}$`);
		for (const charge of results) {
			for (const text of [charge.events.created, ...charge.refunds.map((part) => part.created)]) {
				expect(text).toMatch(pattern);
			}
		}
		const id = sandbox.store.invoices.at(0)?.id ?? '';
		const invoice = await ask(sandbox, 'invoiceGet', { id });
		expect(invoice.due_date).toMatch(pattern);
		expect(invoice.reminders[0]?.run_at).toMatch(pattern);
		const session = sandbox.store.checkoutSessions.at(0)?.id ?? '';
		expect((await ask(sandbox, 'checkoutGet', { id: session })).created_at).toMatch(pattern);
	});

	it('choose the status of a create and a delete', async () => {
		sandbox.setSwitches({ createStatus: 200, deleteStatus: 200 });
		const body = { currency: 'USD', items: [{ name: 'a', amount: '1', quantity: 1 }] };
		const created = await send(sandbox, 'linkCreate', { body });
		expect(created.status).toBe(200);
		const { id } = (await created.json()) as { id: string };
		const deleted = await send(sandbox, 'linkDelete', { id });
		expect([deleted.status, await deleted.text()]).toEqual([200, '']);
	});

	it('forbid endpoints to the key', async () => {
		sandbox.setSwitches({ forbidden: ['customerList'] });
		expect((await refusal(sandbox, 'customerList')).status).toBe(403);
		expect((await send(sandbox, 'chargeList')).status).toBe(200);
	});

	it('are refused when they do not exist, and go back to their start on a reset', () => {
		const wrong = { rowOrder: 'sideways' } as unknown as Partial<Switches>;
		expect(() => sandbox.setSwitches(wrong)).toThrow('rowOrder');
		sandbox.setSwitches({ maxPageSize: 3 });
		sandbox.reset();
		expect(sandbox.switches.maxPageSize).toBe(100);
	});
});

describe('staged changes', () => {
	it('put a new charge first and a late one in its place', async () => {
		const fresh = sandbox.insertCharge();
		const neighbour = storedIds()[10] ?? '';
		const { created = '' } = sandbox.store.charges.get(neighbour)?.charge ?? {};
		const late = sandbox.insertCharge({ created, type: 'invoice' });
		const ids = await readAllChargeIds(sandbox);
		expect(ids).toHaveLength(CHARGES + 2);
		expect([ids[0], ids[10]]).toEqual([fresh.id, late.id]);
		expect(ids[11]).toBe(neighbour);
		expect(() => sandbox.insertCharge({ id: fresh.id })).toThrow('taken');
		expect(() => sandbox.insertCharge({ created: 'today' })).toThrow('created');
	});

	it('change a status with its event, and remove a charge', async () => {
		const id = storedIds()[0] ?? '';
		sandbox.setChargeStatus(id, 'declined');
		const { results } = await ask(sandbox, 'chargeList', { query: { id } });
		expect(results[0]).toMatchObject({ status: 'declined', events: { type: 'declined' } });
		sandbox.removeCharge(id);
		expect(await readAllChargeIds(sandbox, { id })).toEqual([]);
		for (const missing of [
			() => sandbox.removeCharge(id),
			() => sandbox.setChargeStatus(id, 'x'),
			() => sandbox.refundCharge(id),
			() => sandbox.payLink(id),
		]) {
			expect(missing).toThrow(`with id ${id}`);
		}
	});

	it('are undone by a reset, which can take another seed', () => {
		const before = storedIds();
		sandbox.insertCharge();
		sandbox.reset();
		expect(storedIds()).toEqual(before);
		sandbox.reset(99);
		expect(storedIds()).not.toEqual(before);
	});
});
