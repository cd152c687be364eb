import type { IDataObject } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { startSandbox } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import { runListSearch } from '../../support/engine';
import {
	failure,
	html,
	json,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { credentialsFor, envelope, request, sent, uuid } from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';

beforeEach(() => void useFakeClock());

const CHARGE = {
	id: uuid(1),
	reference_id: 1042,
	total: '12.50',
	currency: 'USD',
	refund_total: '0.00',
	status: 'authorised',
	created: '2025-01-14T08:00:00Z',
	user: { id: uuid(3), first_name: 'Till', last_name: 'One' },
	source: { name: 'Visa', card_holder_name: 'Ann Lee' },
};
const CUSTOMER = {
	id: uuid(2),
	first_name: 'Ann',
	last_name: 'Lee',
	business_name: 'Lee & Co',
	email: 'ann@example.com',
};

const LISTS = [
	[
		'searchCharges',
		'/v1/charges',
		CHARGE,
		'12.50 USD · Ann Lee · 14 Jan 08:00 · authorised · #1042',
	],
	['searchCustomers', '/v1/customers', CUSTOMER, 'Ann Lee · Lee & Co · ann@example.com'],
] as const;

const search = async (
	server: { url: string },
	method: string,
	filter?: string,
	paginationToken?: string,
) =>
	await runListSearch({
		nodeType: new PaymentCollection(),
		credentials: credentialsFor(server),
		method,
		filter,
		paginationToken,
	});

async function against(answer: Answer): Promise<ScriptedServer> {
	return await scriptedServer(() => answer);
}

describe.each(LISTS)('%s', (method, path, row, name) => {
	it('names a row so that it can be told from others, and gives its ID', async () => {
		const server = await against(json(envelope(row)));
		expect(await search(server, method)).toEqual({ results: [{ name, value: row.id }] });
		expect(sent(server)).toEqual([request('GET', path, { query: { page: '1', page_size: '50' } })]);
		expect(server.requests[0]?.headers['x-api-key']).toBe(PLANTED.apiKey);
	});

	it('has the service search for what was typed, page by page until there is no next', async () => {
		const server = await scriptedServer(({ query }) =>
			json({
				count: 3,
				next: query['page'] === '3' ? null : `https://elsewhere.example/?page=99`,
				results: [{ ...row, id: uuid(Number(query['page'])) }],
			}),
		);
		const ids: unknown[] = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await search(server, method, '  Ann & "Bo" €  ', token);
			ids.push(...results.map(({ value }) => value));
			token = paginationToken;
		} while (token !== undefined && ids.length < 10);
		expect(ids).toEqual([uuid(1), uuid(2), uuid(3)]);
		const pages = server.requests.filter((one) => one.path === path && 'search' in one.query);
		expect(pages.map(({ query }) => [query['page'], query['search']])).toEqual(
			['1', '2', '3'].map((page) => [page, 'Ann & "Bo" €']),
		);
	});

	it('stops at an empty page when the service does not say whether there is a next', async () => {
		const server = await scriptedServer(({ query }) =>
			json({ results: query['page'] === '1' ? [row] : [] }),
		);
		expect((await search(server, method)).paginationToken).toBe('2');
		expect(await search(server, method, undefined, '2')).toEqual({ results: [] });
	});

	it.each<[string, Answer, RegExp]>([
		['401', failure(401, 'Unknown key', 'auth'), /^Unknown key \(code auth, HTTP 401\)$/],
		['a web page', html(), /^The answer is not what the service documents: an HTML page/],
	])('says in plain words what went wrong: %s', async (_what, answer, message) => {
		const server = await against(answer);
		const error = await search(server, method).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			message: expect.stringMatching(message) as string,
			description: expect.stringMatching(/\. Request: GET \/v1\/(charges|customers)\.$/) as string,
		});
	});

	it('sends nothing with a credential that can’t be used', async () => {
		await expect(search({ url: 'ftp://127.0.0.1' }, method)).rejects.toMatchObject({
			message: 'Base URL must begin with http:// or https:// and a host name',
			description: 'Correct the Payment Collection API credential. Nothing was sent.',
		});
	});
});

describe('names', () => {
	const nameOf = async (method: string, row: IDataObject) =>
		(await search(await against(json(envelope(row))), method)).results[0]?.name;

	it.each<[IDataObject, string]>([
		[{ ...CUSTOMER, email: '' }, 'Ann Lee · Lee & Co'],
		[{ ...CUSTOMER, last_name: '', business_name: '' }, 'Ann · ann@example.com'],
		[{ ...CUSTOMER, first_name: '', last_name: '' }, 'Lee & Co · ann@example.com'],
		[{ id: uuid(2) }, uuid(2)],
		[{ id: uuid(2), first_name: null, last_name: { a: 1 }, email: ['x'] }, uuid(2)],
	])('of a customer %j', async (row, name) => {
		expect(await nameOf('searchCustomers', row)).toBe(name);
	});

	it.each<[IDataObject, string]>([
		[{ ...CHARGE, source: { name: 'Bo' } }, '12.50 USD · Bo · 14 Jan 08:00 · authorised · #1042'],
		[{ ...CHARGE, source: {} }, '12.50 USD · Till One · 14 Jan 08:00 · authorised · #1042'],
		[{ ...CHARGE, source: null, user: null }, '12.50 USD · 14 Jan 08:00 · authorised · #1042'],
		[{ ...CHARGE, created: null }, '12.50 USD · Ann Lee · authorised · #1042'],
		[{ ...CHARGE, created: 'soon' }, '12.50 USD · Ann Lee · authorised · #1042'],
		[
			{ ...CHARGE, created: '2024-12-31T23:59:59.999999Z' },
			'12.50 USD · Ann Lee · 31 Dec 2024 23:59 · authorised · #1042',
		],
		[{ ...CHARGE, created: '2024-03-01' }, '12.50 USD · Ann Lee · 1 Mar 2024 · authorised · #1042'],
		[
			{ ...CHARGE, refund_total: '3.00' },
			'12.50 USD · Ann Lee · 14 Jan 08:00 · authorised · 3.00 refunded · #1042',
		],
		[
			{ ...CHARGE, refund_total: 'a lot' },
			'12.50 USD · Ann Lee · 14 Jan 08:00 · authorised · #1042',
		],
		[{ id: uuid(1), reference_id: 7 }, '#7'],
		[{ id: uuid(1) }, uuid(1)],
	])('of a charge %j', async (row, name) => {
		expect(await nameOf('searchCharges', row)).toBe(name);
	});
});

describe.each(LISTS)('%s, of rows that somebody has tampered with,', (method, _path, row) => {
	const named = (name: string): IDataObject => ({
		...row,
		first_name: name,
		source: { card_holder_name: name },
	});
	const nameOf = async (name: string): Promise<string> => {
		const { results } = await search(await against(json(envelope(named(name)))), method);
		return results[0]?.name ?? '';
	};

	it.each([
		['line breaks', 'Ann\r\nLee\u2028\t\u0000x', 'Ann Lee x'],
		['signs that turn the text behind them around', '\u202EAnn\u2066 Lee\u200F', 'Ann Lee'],
		['letters of any script', 'علی\u200Cرضا 👩\u200D💻', 'علی\u200Cرضا 👩\u200D💻'],
	])('shows one line in which all can be seen: %s', async (_what, name, shown) => {
		expect(await nameOf(name)).toContain(shown);
		expect(await nameOf(name)).not.toMatch(/[\p{Cc}\u2028\u202E\u2066\u200F]/u);
	});

	it('cuts a long name, so that what stands behind it is seen', async () => {
		const name = await nameOf('x'.repeat(10_000));
		expect(name).toContain(`${'x'.repeat(79)}… · `);
		expect(name.length).toBeLessThan(200);
	});

	it('cuts no card number into digits that are none', async () => {
		expect(await nameOf(`${'x '.repeat(36)}${PLANTED.cardNumber}`)).not.toMatch(/\d{5}/);
	});

	it('leaves out a row without an ID, which could not be chosen', async () => {
		const rows = [{ ...row, id: null }, row, { ...row, id: '' }];
		const { results } = await search(await against(json(envelope(...rows))), method);
		expect(results.map(({ value }) => value)).toEqual([row.id]);
	});
});

describe('a charge in a From List field', () => {
	it('stands on its day in n8n’s time zone', async () => {
		const server = await against(json(envelope({ ...CHARGE, created: '2024-12-31T20:30:00Z' })));
		const found = await runListSearch({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(server),
			method: 'searchCharges',
			timezone: 'Asia/Dubai',
		});
		expect(found.results[0]?.name).toBe('12.50 USD · Ann Lee · 1 Jan 00:30 · authorised · #1042');
	});

	it('is above older ones, and those without a date come last', async () => {
		const days = ['2024-01-09', null, '2024-01-30', '2024-01-01', '2024-01-12'];
		const mixed = days.map((created, index) => ({ ...CHARGE, id: uuid(index + 1), created }));
		const server = await against(json(envelope(...mixed)));
		const { results } = await search(server, 'searchCharges');
		expect(results.map(({ value }) => value)).toEqual([3, 5, 1, 4, 2].map(uuid));
	});
});

describe('a charge is found by its payer’s name', () => {
	it('where the service’s search of charges compares names', async () => {
		const sandbox = await startSandbox({
			counts: { charges: 60, customers: 60 },
			apiKey: PLANTED.apiKey,
		});
		const { charge } = sandbox.store.charges.at(30) ?? {};
		const holder = charge?.source.card_holder_name ?? '';
		const { results } = await search(sandbox, 'searchCharges', holder);
		expect(results.map(({ value }) => value)).toContain(charge?.id);
		await sandbox.close();
	});

	const customers = [CUSTOMER, { ...CUSTOMER, id: uuid(4), last_name: 'Other', business_name: '' }];
	const service = async (fails?: Answer): Promise<ScriptedServer> =>
		await scriptedServer(({ path, query }) => {
			if (path === '/v1/customers') return fails ?? json(envelope(...customers));
			const isOfAnn = query['customer_id'] === CUSTOMER.id;
			const of = { ...CHARGE, id: isOfAnn ? uuid(7) : uuid(8) };
			return json('search' in query ? envelope({ ...CHARGE, id: uuid(6) }) : envelope(of));
		});

	it('where it compares something else, by the customers of that name', async () => {
		const server = await service();
		const { results } = await search(server, 'searchCharges', 'Ann LEE');
		expect(results.map(({ value }) => value).sort()).toEqual([uuid(6), uuid(7)]);
		expect(sent(server)).toEqual([
			request('GET', '/v1/charges', { query: { search: 'Ann LEE', page: '1', page_size: '50' } }),
			request('GET', '/v1/customers', { query: { search: 'ann', page: '1', page_size: '50' } }),
			request('GET', '/v1/charges', {
				query: { customer_id: CUSTOMER.id, page: '1', page_size: '50' },
			}),
		]);
	});

	it('once, though both ways lead to it', async () => {
		const server = await scriptedServer(({ path }) =>
			json(path === '/v1/customers' ? envelope(CUSTOMER) : envelope(CHARGE)),
		);
		expect((await search(server, 'searchCharges', 'ann')).results).toHaveLength(1);
	});

	it.each([failure(403, 'Not yours'), html()])(
		'if the customers can be read (%j), and by the charges’ own search in any case',
		async (fails) => {
			const { results } = await search(await service(fails), 'searchCharges', 'ann');
			expect(results.map(({ value }) => value)).toEqual([uuid(6)]);
		},
	);

	it('without waiting for customers that the service is slow to give', async () => {
		const { sleeps } = useFakeClock();
		const fails = failure(429, 'Slow down', 'busy', { 'retry-after': '20' });
		const { results } = await search(await service(fails), 'searchCharges', 'ann');
		expect(results.map(({ value }) => value)).toEqual([uuid(6)]);
		expect(sleeps).toEqual([]);
	});

	it('by no customer without an ID, for whom the service would give everybody’s charges', async () => {
		const server = await scriptedServer(({ path }) =>
			json(path === '/v1/customers' ? envelope({ ...CUSTOMER, id: null }) : envelope(CHARGE)),
		);
		await search(server, 'searchCharges', 'ann');
		expect(server.calls()).toEqual(['GET /v1/charges', 'GET /v1/customers']);
	});

	it.each(['12.50', uuid(1), '#1042', 'a'])('which %j is not', async (typed) => {
		const server = await service();
		await search(server, 'searchCharges', typed);
		expect(server.requests).toHaveLength(1);
	});
});

it('the trigger searches customers in the same way', async () => {
	const server = await against(json(envelope(CUSTOMER)));
	const found = await runListSearch({
		nodeType: new PaymentCollectionTrigger(),
		credentials: credentialsFor(server),
		method: 'searchCustomers',
		filter: 'ann',
	});
	expect(found.results).toEqual([{ name: 'Ann Lee · Lee & Co · ann@example.com', value: uuid(2) }]);
	expect(server.requests[0]?.query['search']).toBe('ann');
});
