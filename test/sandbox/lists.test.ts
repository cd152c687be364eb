import type { Switches } from '../../sandbox';
import { customerFiltersSchema } from '../../contract/schemas/customer';
import { sandbox, useSandbox } from '../support/sandbox';
import { ask, readAllChargeIds, refusal, send } from './client';

const CHARGES = 60;

useSandbox({
	clock: () => Date.UTC(2026, 0, 15, 12),
	counts: { charges: CHARGES, customers: 40, links: 0, invoices: 3, checkoutSessions: 3 },
});

const stored = () => sandbox.store.charges.all();
const storedIds = () => stored().map(({ charge }) => charge.id);

describe('pages', () => {
	it('hold 25 rows unless asked otherwise, newest first, and link to the next and previous page with the same query', async () => {
		const query = { status: 'authorised', page_size: 10, page: 2 };
		const { next, previous, count } = await ask('chargeList', { query });
		const base = `${sandbox.url}/v1/charges?status=authorised&page_size=10`;
		expect([next, previous]).toEqual([`${base}&page=3`, `${base}&page=1`]);
		expect(count).toBe(stored().filter(({ charge }) => charge.status === 'authorised').length);
		const first = await ask('chargeList');
		expect(first.results.map(({ id }) => id)).toEqual(storedIds().slice(0, 25));
		expect(first.previous).toBeNull();
		expect(await readAllChargeIds({ page_size: 7 })).toEqual(storedIds());
	});

	it('end with next null, also when the last one is full, and an empty list has one', async () => {
		const last = await ask('chargeList', { query: { page: 3, page_size: 20 } });
		expect([last.results.length, last.next]).toEqual([20, null]);
		const none = await ask('chargeList', { query: { currency: 'XXX' } });
		expect(none).toEqual({ count: 0, next: null, previous: null, results: [] });
	});

	it('past the end are a 404, or empty, or the last one again where that is switched', async () => {
		const query = { page: 4, page_size: 20 };
		expect((await refusal('chargeList', { query })).status).toBe(404);
		sandbox.setSwitches({ pastTheEnd: 'empty' });
		const page = await ask('chargeList', { query });
		expect(page).toMatchObject({ count: CHARGES, next: null, results: [] });
		expect(page.previous).toContain('page=3');
		sandbox.setSwitches({ pastTheEnd: 'last' });
		const last = await ask('chargeList', { query: { ...query, page: 3 } });
		expect(await ask('chargeList', { query })).toEqual(last);
	});

	it('hold as many rows as the cap allows, or are refused above it where that is switched', async () => {
		sandbox.setSwitches({ maxPageSize: 15, defaultPageSize: 12 });
		const size = async (query: Record<string, number>) =>
			(await ask('chargeList', { query })).results.length;
		expect(await size({ page_size: 500 })).toBe(15);
		expect(await size({ page_size: 14 })).toBe(14);
		expect(await size({})).toBe(12);
		sandbox.setSwitches({ overMaxPageSize: 'refuse' });
		const { message } = await refusal('chargeList', { query: { page_size: 16 } });
		expect(message).toContain('page_size');
	});

	it.each([
		['page', 0],
		['page_size', 'x'],
		['type', 'gift'],
		['colour', 'red'],
	])('are refused with %s=%s, by the name of the parameter', async (name, value) => {
		const { status, message } = await refusal('chargeList', { query: { [name]: value } });
		expect(status).toBe(400);
		expect(message).toContain(name);
	});
});

describe('filters', () => {
	it.each(['currency', 'status', 'id', 'type', 'customer_id'] as const)(
		'narrow charges by %s',
		async (name) => {
			const all = stored().map(({ charge, type, customerId: customer_id }) => {
				const { id, currency, status } = charge;
				return { id, currency, status, type, customer_id };
			});
			const wanted = all[7]?.[name] ?? '';
			const expected = all.filter((row) => row[name] === wanted).map(({ id }) => id);
			const query = { [name]: wanted, page_size: 100 };
			expect(await readAllChargeIds(query)).toEqual(expected);
			expect(await readAllChargeIds({ ...query, currency: 'XXX' })).toEqual([]);
		},
	);

	const ofCustomers = customerFiltersSchema.omit({ search: true }).keyof().options;

	it.each(ofCustomers)('narrow customers by %s, exactly but for case', async (name) => {
		const all = sandbox.store.customers.all();
		const list = async (wanted: string) => {
			const [envelope] = await ask('customerList', {
				query: { page_size: 100, [name]: wanted },
			});
			return envelope?.results;
		};
		const customer = all.find((row) => row.business_name !== '');
		const wanted = customer?.[name] ?? '';
		const same = all.filter((row) => row[name] === wanted);
		expect(await list(name === 'id' ? wanted : wanted.toUpperCase())).toEqual(same);
		expect(await list(wanted.slice(0, -1))).not.toContainEqual(customer);
	});
});

describe('switches', () => {
	it('order rows oldest first or shuffled, the same on each page, or anew on each request', async () => {
		const ordered = async (rowOrder: Switches['rowOrder'], page_size = 20) => {
			sandbox.setSwitches({ rowOrder });
			return await readAllChargeIds({ page_size });
		};
		const newestFirst = storedIds();
		expect(await ordered('oldestFirst')).toEqual([...newestFirst].reverse());
		const shuffled = await ordered('shuffled');
		expect(shuffled).not.toEqual(newestFirst);
		expect([...shuffled].sort()).toEqual([...newestFirst].sort());
		expect(await ordered('shuffled')).toEqual(shuffled);
		const once = await ordered('shuffledPerRequest', 60);
		expect(await ordered('shuffledPerRequest', 60)).not.toEqual(once);
		expect([...once].sort()).toEqual([...newestFirst].sort());
	});

	it('wrap or unwrap the envelope per list, and leave the count out', async () => {
		sandbox.setSwitches({ envelopeInArray: [] });
		const body = async (name: 'chargeList' | 'customerList') => (await send(name)).data;
		expect(await body('customerList')).toHaveProperty('results');
		expect(await body('chargeList')).toHaveProperty('count', CHARGES);
		sandbox.setSwitches({ envelopeInArray: ['charges', 'customers'], omitCount: true });
		const [envelope] = (await body('chargeList')) as object[];
		expect(Object.keys(envelope ?? {})).toEqual(['next', 'previous', 'results']);
	});

	it.each<[Switches['timestampFormat'], string]>([
		['z-millis', '2026-01-31T12:00:00.123Z'],
		['micros', '2026-01-31T12:00:00.123456Z'],
		['offset+04:00', '2026-01-31T16:00:00.123+04:00'],
		['no-fraction', '2026-01-31T12:00:00Z'],
	])('write the timestamps as %s', async (timestampFormat, created) => {
		sandbox.setSwitches({ timestampFormat });
		sandbox.insertCharge({ created: '2026-01-31T12:00:00.123456Z' });
		const { results } = await ask('chargeList', { query: { page_size: 100 } });
		const [first, ...others] = results.flatMap((charge) => [charge.created, charge.events.created]);
		expect(first).toBe(created);
		const form = created.replace(/\d/g, '\\d').replace('.', '\\.').replace('+', '\\+');
		expect(others.filter((other) => !new RegExp(`^${form}$`).test(other))).toEqual([]);
	});
});
