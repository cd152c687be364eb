import type { INodeParameters } from 'n8n-workflow';

import { envelope, uuid } from '../../support/operations';
import { failure, json, scriptedServer, text } from '../../support/servers/http-server';
import { getMany, hintsOf, listOf } from '../../support/lists';

describe('filters', () => {
	it.each([
		['currency', 'eur', { currency: 'EUR' }, []],
		['currency', 'EUR', { currency: 'USD' }, ['currency']],
		['status', 'authorised', { status: 'captured' }, ['status']],
		['chargeId', uuid(1), { id: uuid(2) }, ['id']],
		// The searched fields are not documented.
		['search', 'Ana', { note: 'Ben' }, []],
	])('%s %s has a hint if a row %j does not match it', async (name, value, row, ignored) => {
		const server = await scriptedServer(() => json({ count: 1, results: [row], next: null }));
		for (const options of [{}, { page: 2 }]) {
			const parameters = { filters: { [name]: value }, options };
			const result = await getMany(server.url, { parameters });
			expect(result.json).toHaveLength(1);
			expect(hintsOf(result)).toEqual(
				ignored.map(
					(one) =>
						`The service seems to ignore a filter (${one}): it returned rows with other values`,
				),
			);
		}
	});

	it('are sent with every page, unchanged', async () => {
		const filters = { businessName: 'a b', email: 'x+y@example.com', lastName: '&page=9' };
		const server = await scriptedServer(listOf(250));
		await getMany(server.url, { resource: 'customer', parameters: { filters } });
		expect(server.requests).toHaveLength(3);
		for (const { query } of server.requests) {
			expect(query).toMatchObject({
				business_name: 'a b',
				email: 'x+y@example.com',
				last_name: '&page=9',
				page_size: '100',
			});
		}
	});
});

describe('a hint says', () => {
	it('for which items nothing was found', async () => {
		const server = await scriptedServer(({ query }) =>
			json(envelope(...(String(query['email']).startsWith('no') ? [] : [{ id: uuid(1) }]))),
		);
		const run = async (emails: string[]) =>
			hintsOf(
				await getMany(server.url, {
					resource: 'customer',
					items: emails.map((email) => ({ email })),
					parameters: { filters: { email: '={{ $json.email }}' } },
				}),
			);
		expect(await run(['a', 'nobody', 'b'])).toEqual(['Nothing was found for item 2.']);
		expect(await run(['no', 'a', 'no', 'no'])).toEqual(['Nothing was found for items 1, 3 to 4.']);
		expect(await run(['a', 'b'])).toEqual([]);
		// The output shows it for a single item.
		expect(await run(['no'])).toEqual([]);
	});

	it('which statuses exist if no charge has that of the filter, with one more request', async () => {
		const statuses = ['pending', null, 'authorised\n', 'pending'];
		const server = await scriptedServer(({ query }, count) => {
			if (count === 5) return failure(500, 'no');
			const rows = 'status' in query ? [] : statuses.map((status) => ({ id: uuid(1), status }));
			return json(envelope(...rows));
		});
		const filters = { currency: 'EUR', status: 'paid' };
		const run = async (parameters: INodeParameters) =>
			hintsOf(await getMany(server.url, { parameters }));
		expect(await run({ filters })).toEqual([
			"No charges were found with 'Currency' EUR, 'Status' paid. The newest charges have the statuses pending, authorised.",
		]);
		expect(server.requests.map(({ query }) => query)).toEqual([
			{ currency: 'EUR', status: 'paid', page: '1', page_size: '100' },
			{ currency: 'EUR', page: '1', page_size: '100' },
		]);
		// Past the last page, which a loop reads last, and if the statuses can't be read.
		expect(await run({ filters, options: { page: 7 } })).toEqual([]);
		expect(await run({ filters })).toEqual([]);
		expect(server.requests).toHaveLength(5);
	});

	it.each([
		['reference_id', '"reference_id":7615917337495251231'],
		['amount', '"meta":{"lines":[{"amount":9007199254740994}]}'],
		['user_number', '"user_number":-1152921504606846976'],
	])('that %s contains a whole number that JSON has rounded', async (name, field) => {
		const rows = `{"id":"a","reference_id":9007199254740991},{"id":"b",${field}}`;
		const body = `{"count":2,"next":null,"results":[${rows}]}`;
		const server = await scriptedServer(() => text(body, 200, 'application/json'));
		const result = await getMany(server.url, { parameters: { simplify: false } });
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(
				new RegExp(
					`^${name} contains a whole number above 9007199254740991: n8n’s JSON has rounded it`,
				),
			),
		]);
	});
});
