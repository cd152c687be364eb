import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../support/clock';
import { runListSearch } from '../../support/engine';
import {
	always,
	failure,
	json,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { credentialsFor, envelope, request, sent, uuid } from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';

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
	['searchCharges', '/v1/charges', CHARGE, '12.50 USD · Ann Lee · Jan 14 · #1042'],
	['searchCustomers', '/v1/customers', CUSTOMER, 'Ann Lee · Lee & Co · ann@example.com'],
] as const;

const search = async (
	server: { url: string },
	method: string,
	filter?: string,
	others: { paginationToken?: string; timezone?: string } = {},
) => await runListSearch({ credentials: credentialsFor(server), method, filter, ...others });

describe.each(LISTS)('%s', (method, path, row, name) => {
	it('shows a row by a name that identifies it, and returns its ID', async () => {
		const server = await always(json(envelope(row)));
		expect(await search(server, method)).toEqual({ results: [{ name, value: row.id }] });
		expect(sent(server)).toEqual([request('GET', path, { query: { page: '1', page_size: '50' } })]);
		expect(server.requests[0]?.headers['x-api-key']).toBe(PLANTED.apiKey);
	});

	it('has the service search for the typed text, page by page until there is no next one', async () => {
		const server = await scriptedServer(({ query }) =>
			json({
				count: 3,
				next: query['page'] === '3' ? null : `https://elsewhere.example/?page=99`,
				results: [{ ...row, id: uuid(Number(query['page'])) }],
			}),
		);
		const ids: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const found = await search(server, method, '  Ann & "Bo" e\u0301 ', { paginationToken });
			ids.push(...found.results.map(({ value }) => value));
			paginationToken = found.paginationToken;
		} while (paginationToken !== undefined && ids.length < 10);
		expect(ids).toEqual([uuid(1), uuid(2), uuid(3)]);
		const pages = server.requests.filter((one) => one.path === path && 'search' in one.query);
		expect(pages.map(({ query }) => [query['page'], query['search']])).toEqual(
			['1', '2', '3'].map((page) => [page, 'Ann & "Bo" \u00e9']),
		);
	});

	it('stops at an empty page if the service never names a next one', async () => {
		const server = await scriptedServer(({ query }) =>
			json({ results: query['page'] === '1' ? [row] : [] }),
		);
		expect((await search(server, method)).paginationToken).toBe('2');
		const { results } = await search(server, method, undefined, { paginationToken: '2' });
		expect(results).toEqual([]);
	});
});

const nameOf = async (method: string, row: IDataObject): Promise<string> =>
	(await search(await always(json(envelope(row))), method)).results[0]?.name ?? '';

const ann = (text: string): IDataObject => ({ source: { card_holder_name: text } });

it.each<[changes: IDataObject, name: string]>([
	[{ email: '' }, 'Ann Lee · Lee & Co'],
	[{ email: '4929420573595709@qq.com' }, 'Ann Lee · Lee & Co · 4929420573595709@qq.com'],
	[{ last_name: '', business_name: '' }, 'Ann · ann@example.com'],
	[{ first_name: null, last_name: { a: 1 } }, 'Lee & Co · ann@example.com'],
	[{ first_name: '', last_name: '', business_name: '', email: ['x'] }, uuid(2)],
])('a customer with %j is shown as “%s”', async (changes, name) => {
	expect(await nameOf('searchCustomers', { ...CUSTOMER, ...changes })).toBe(name);
});

it.each<[changes: IDataObject, name: string]>([
	[{ source: { name: 'Bo' } }, 'Bo · Jan 14'],
	[{ source: null, user: null }, 'Jan 14'],
	[{ created: null }, 'Ann Lee'],
	[{ created: '2024-03-01' }, 'Ann Lee · Mar 1, 2024'],
	[{ created: '2024-12-31T23:59:59.999999Z' }, 'Ann Lee · Dec 31'],
	[{ status: 'cancelled' }, 'cancelled · Ann Lee · Jan 14'],
	[{ status: null }, 'Ann Lee · Jan 14'],
	[{ refund_total: 3 }, '3.00 refunded · Ann Lee · Jan 14'],
	[{ status: 'void', refund_total: '12.5' }, 'void · refunded in full · Ann Lee · Jan 14'],
	[{ refund_total: '13' }, '13.00 refunded · Ann Lee · Jan 14'],
	// Control characters and line breaks could hide a part of the name.
	[ann('Ann\r\nLee\u2028\t\u0000x'), 'Ann Lee x · Jan 14'],
	[ann('\u202EAnn\u2066 Lee\u200F'), 'Ann Lee · Jan 14'],
	[ann('x'.repeat(78) + '😀'.repeat(9)), `${'x'.repeat(78)}… · Jan 14`],
])('a charge with %j is shown as “12.50 USD · %s · #1042”', async (changes, name) => {
	const shown = await nameOf('searchCharges', { ...CHARGE, ...changes });
	expect(shown).toBe(`12.50 USD · ${name} · #1042`);
});

it('the first 50 characters of a label contain all that decides about a refund', async () => {
	const source = { card_holder_name: 'Wolfeschlegelsteinhausenbergerdorff' };
	const changes = { total: '1234567.89', refund_total: '1234567.89', status: 'chargeback', source };
	const shown = await nameOf('searchCharges', { ...CHARGE, ...changes });
	expect(shown.slice(0, 50)).toContain('1234567.89 USD · chargeback · refunded in full · ');
});

it.each([
	[{ id: uuid(1), reference_id: 7 }, '#7'],
	[{ id: uuid(1), reference_id: Number(PLANTED.cardNumber) }, `#${PLANTED.cardNumber}`],
	[{ id: uuid(1) }, uuid(1)],
])('a charge %j is shown as “%s”', async (charge, name) => {
	expect(await nameOf('searchCharges', charge)).toBe(name);
});

it('shows no digits of a card number that is too long for the label', async () => {
	const row = { ...CHARGE, ...ann(`${'x '.repeat(36)}${PLANTED.cardNumber}`) };
	expect(await nameOf('searchCharges', row)).not.toMatch(/\d{5}/);
});

it('leaves out rows without an ID, which can’t be chosen', async () => {
	const rows = [{ ...CHARGE, id: null }, CHARGE, { ...CHARGE, id: '' }];
	const { results } = await search(await always(json(envelope(...rows))), 'searchCharges');
	expect(results.map(({ value }) => value)).toEqual([CHARGE.id]);
});

it('shows the day of a charge in n8n’s time zone', async () => {
	const server = await always(json(envelope({ ...CHARGE, created: '2024-12-31T20:30:00Z' })));
	const { results } = await search(server, 'searchCharges', '', { timezone: 'Asia/Dubai' });
	expect(results[0]?.name).toBe('12.50 USD · Ann Lee · Jan 1 · #1042');
});

it('lists newer charges first, and those without a date last', async () => {
	const days = ['2024-01-09', null, '2024-01-30', '2024-01-01', '2024-01-12'];
	const mixed = days.map((created, index) => ({ ...CHARGE, id: uuid(index + 1), created }));
	const server = await always(json(envelope(...mixed)));
	const { results } = await search(server, 'searchCharges');
	expect(results.map(({ value }) => value)).toEqual([3, 5, 1, 4, 2].map(uuid));
});

it.each([
	...[' #1042', '# 1042 ', '\uff031042', '1042'].map((typed) => [typed, '1042']),
	[uuid(1).replaceAll('-', '\u2011'), uuid(1)],
	['Order #1042', 'Order #1042'],
])('searches for the number or ID of a charge in %j by %j', async (typed, searched) => {
	const server = await always(json(envelope(CHARGE)));
	await search(server, 'searchCharges', typed);
	expect(server.requests[0]?.query['search']).toBe(searched);
});

describe('the search for a payer’s name', () => {
	const customers = [CUSTOMER, { ...CUSTOMER, id: uuid(4), last_name: 'Other', business_name: '' }];
	const service = async (fails?: Answer): Promise<ScriptedServer> =>
		await scriptedServer(({ path, query }) => {
			if (path === '/v1/customers') return fails ?? json(envelope(...customers));
			const isOfAnn = query['customer_id'] === CUSTOMER.id;
			const of = { ...CHARGE, id: isOfAnn ? uuid(7) : uuid(8) };
			return json('search' in query ? envelope({ ...CHARGE, id: uuid(6) }) : envelope(of));
		});

	it('also returns the charges of customers with that name', async () => {
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

	it('returns each charge once, and those of three customers at most', async () => {
		const namesakes = [1, 2, 3, 4, 5].map((number) => ({ ...CUSTOMER, id: uuid(number) }));
		const server = await scriptedServer(({ path }) =>
			json(path === '/v1/customers' ? envelope(...namesakes) : envelope(CHARGE)),
		);
		expect((await search(server, 'searchCharges', 'ann')).results).toHaveLength(1);
		expect(server.requests).toHaveLength(5);
	});

	it('does not wait for customers that the service refuses or returns slowly', async () => {
		const slow = failure(429, 'Slow down', 'busy', { 'retry-after': '20' });
		for (const fails of [failure(403, 'Not yours'), slow]) {
			const { results } = await search(await service(fails), 'searchCharges', 'ann');
			expect(results.map(({ value }) => value)).toEqual([uuid(6)]);
		}
		expect(clock.sleeps).toEqual([]);
	});

	it('skips a customer without an ID, for whom the service would return all charges', async () => {
		const server = await scriptedServer(({ path }) =>
			json(path === '/v1/customers' ? envelope({ ...CUSTOMER, id: null }) : envelope(CHARGE)),
		);
		await search(server, 'searchCharges', 'ann');
		expect(server.calls()).toEqual(['GET /v1/charges', 'GET /v1/customers']);
	});

	it('finds names with accents in either Unicode form', async () => {
		const named = { ...CUSTOMER, last_name: 'Mu\u0308ller' };
		const server = await scriptedServer(({ path, query }) => {
			const charges = 'search' in query ? [] : [CHARGE];
			return json(envelope(...(path === '/v1/customers' ? [named] : charges)));
		});
		for (const typed of ['M\u00fcller', 'Mu\u0308ller']) {
			expect((await search(server, 'searchCharges', typed)).results).toHaveLength(1);
		}
	});

	it.each(['12.50', uuid(1), '#1042', 'a'])('reads no customers for %j', async (typed) => {
		const server = await service();
		await search(server, 'searchCharges', typed);
		expect(server.requests).toHaveLength(1);
	});
});
