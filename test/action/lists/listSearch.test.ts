import type { IDataObject } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { startSandbox } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import { allLogs, runListSearch } from '../../support/engine';
import {
	empty,
	failure,
	html,
	json,
	redirect,
	reset,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../../support/http-server';
import { credentialsFor, envelope, request, sent, uuid } from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets';

beforeEach(() => void useFakeClock());

const CHARGE = {
	id: uuid(1),
	reference_id: 1042,
	total: '12.50',
	currency: 'USD',
	status: 'authorised',
	created: '2025-01-14T08:00:00Z',
};
const CUSTOMER = {
	id: uuid(2),
	first_name: 'Ann',
	last_name: 'Lee',
	business_name: 'Lee & Co',
	email: 'ann@example.com',
};

const LISTS = [
	['searchCharges', '/v1/charges', CHARGE, '#1042: 12.50 USD, authorised, 2025-01-14'],
	['searchCustomers', '/v1/customers', CUSTOMER, 'Ann Lee (ann@example.com)'],
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

	it('has the service search for what was typed', async () => {
		const server = await against(json(envelope(row)));
		await search(server, method, '  Ann & "Bo" €  ');
		expect(server.requests[0]?.query).toEqual({
			search: 'Ann & "Bo" €',
			page: '1',
			page_size: '50',
		});
	});

	it.each(['', '   '])('searches for nothing when %j was typed', async (filter) => {
		const server = await against(json(envelope(row)));
		await search(server, method, filter);
		expect(server.requests[0]?.query).not.toHaveProperty('search');
	});

	it('reads on page by page, the search term with each, until there is no next', async () => {
		const server = await scriptedServer(({ query }) =>
			json({
				count: 3,
				next: query['page'] === '3' ? null : `https://elsewhere.example/?page=99`,
				previous: null,
				results: [{ ...row, id: uuid(Number(query['page'])) }],
			}),
		);
		const ids: unknown[] = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await search(server, method, 'ann', token);
			ids.push(...results.map(({ value }) => value));
			token = paginationToken;
		} while (token !== undefined && ids.length < 10);
		expect(ids).toEqual([uuid(1), uuid(2), uuid(3)]);
		expect(server.requests.map(({ query }) => [query['page'], query['search']])).toEqual([
			['1', 'ann'],
			['2', 'ann'],
			['3', 'ann'],
		]);
	});

	it('stops at an empty page when the service does not say whether there is a next', async () => {
		const server = await scriptedServer(({ query }) =>
			json({ results: query['page'] === '1' ? [row] : [] }),
		);
		expect((await search(server, method)).paginationToken).toBe('2');
		expect(await search(server, method, undefined, '2')).toEqual({ results: [] });
	});

	it('stops at a page past the end, however the service says it', async () => {
		for (const answer of [failure(404, 'No such page'), json(envelope())]) {
			const server = await against(answer);
			expect(await search(server, method, undefined, '7')).toEqual({ results: [] });
		}
	});

	it('takes an envelope in a one-element array', async () => {
		const server = await against(json([envelope(row)]));
		expect((await search(server, method)).results).toHaveLength(1);
	});

	it('gives an empty list when nothing is found', async () => {
		const server = await against(json(envelope()));
		expect(await search(server, method, 'nobody')).toEqual({ results: [] });
	});

	it.each<[string, Answer, RegExp]>([
		['401', failure(401, 'Unknown key', 'auth'), /^Unknown key \(code auth, HTTP 401\)$/],
		['403', failure(403, 'Not yours'), /^Not yours \(code error, HTTP 403\)$/],
		['404', html('x', 404), /^The service does not know this address \(HTTP 404\)$/],
		['500', empty(500), /^The service failed \(HTTP 500\)$/],
		['503', empty(503), /^The service failed \(HTTP 503\)$/],
		[
			'a redirect',
			redirect('http://127.0.0.1:1/'),
			/redirect, which is not followed \(HTTP 302\)$/,
		],
		['a web page', html(), /^The answer is not what the service documents: an HTML page/],
		['a broken connection', reset(), /^No connection to the service \(connection broken off\)$/],
	])('says in plain words what went wrong: %s', async (_what, answer, message) => {
		const server = await against(answer);
		const error = await search(server, method).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			message: expect.stringMatching(message) as string,
			description: expect.stringMatching(/\. Request: GET \/v1\/(charges|customers)\.$/) as string,
		});
		expect(findSecrets([error, allLogs()])).toEqual([]);
	});

	it('sends nothing with a credential that can’t be used', async () => {
		await expect(search({ url: 'ftp://127.0.0.1' }, method)).rejects.toMatchObject({
			message: 'Base URL must begin with http:// or https:// and a host name',
			description: 'Correct the Payment Collection API credential. Nothing was sent.',
		});
	});

	it('shows no secrets, not in a name and not in an error', async () => {
		const { apiKey, cardNumber, securityCode, token } = PLANTED;
		const leaking: IDataObject = {
			...row,
			first_name: `${apiKey} ${cardNumber}`,
			status: `${apiKey} ${cardNumber}`,
			source: { token, card_data: { card_number: cardNumber, security_code: securityCode } },
		};
		const names = await search(await against(json(envelope(leaking))), method);
		expect(JSON.stringify(names)).toContain('[redacted] [redacted]');
		expect(findSecrets(names)).toEqual([]);
		const error = await search(
			await against(failure(400, `${apiKey} ${cardNumber}`)),
			method,
		).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ message: '[redacted] [redacted] (code error, HTTP 400)' });
		expect(findSecrets([error, allLogs()])).toEqual([]);
	});

	it('works with a real list of the sandbox', async () => {
		const sandbox = await startSandbox({
			counts: { charges: 60, customers: 60 },
			apiKey: PLANTED.apiKey,
		});
		const first = await search(sandbox, method);
		expect(first.results).toHaveLength(50);
		const second = await search(sandbox, method, undefined, first.paginationToken);
		expect(second.results).toHaveLength(10);
		expect(second.paginationToken).toBeUndefined();
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(60);
		await sandbox.close();
	});
});

describe('names', () => {
	it.each<[IDataObject, string]>([
		[{ ...CUSTOMER, email: '' }, 'Ann Lee'],
		[{ ...CUSTOMER, last_name: '' }, 'Ann (ann@example.com)'],
		[{ ...CUSTOMER, first_name: '', last_name: '' }, 'Lee & Co (ann@example.com)'],
		[{ id: uuid(2) }, uuid(2)],
		[{ id: uuid(2), first_name: null, last_name: { a: 1 }, email: ['x'] }, uuid(2)],
		[{ id: uuid(2), first_name: '<b>Ann</b>' }, '<b>Ann</b>'],
	])('of a customer %j', async (row, name) => {
		const server = await against(json(envelope(row)));
		expect((await search(server, 'searchCustomers')).results).toEqual([{ name, value: uuid(2) }]);
	});

	it.each<[IDataObject, string]>([
		[{ ...CHARGE, status: '' }, '#1042: 12.50 USD, 2025-01-14'],
		[{ ...CHARGE, reference_id: undefined }, '12.50 USD, authorised, 2025-01-14'],
		[{ ...CHARGE, created: null }, '#1042: 12.50 USD, authorised'],
		[{ id: uuid(1), reference_id: 7 }, '#7'],
		[{ id: uuid(1) }, uuid(1)],
	])('of a charge %j', async (row, name) => {
		const server = await against(json(envelope(row)));
		expect((await search(server, 'searchCharges')).results).toEqual([{ name, value: uuid(1) }]);
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
	expect(found.results).toEqual([{ name: 'Ann Lee (ann@example.com)', value: uuid(2) }]);
	expect(server.requests[0]?.query['search']).toBe('ann');
});
