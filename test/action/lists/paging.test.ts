import type { INodeParameters } from 'n8n-workflow';
import { failure, html, scriptedServer, type Answer } from '../../support/servers/http-server';
import { getMany, idsOf, pageOf, rowsUpTo, shownError } from '../../support/lists';
import { sandbox, useSandbox } from '../../support/sandbox';
import { PLANTED } from '../../support/secrets/secrets';

describe('Page and Page Size', () => {
	useSandbox({ apiKey: PLANTED.apiKey, counts: { customers: 250 } });

	it('returns that whole page only, whatever Limit is', async () => {
		const ids = idsOf(sandbox.store.customers.all());
		const result = await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { returnAll: false, limit: 5, options: { page: 3, pageSize: 40 } },
		});
		expect(idsOf(result.json)).toEqual(ids.slice(80, 120));
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{ page: '3', page_size: '40' }]);
	});

	it.each(['404', 'empty'] as const)('returns no items past the end (%s)', async (pastTheEnd) => {
		sandbox.setSwitches({ pastTheEnd });
		for (const [page, rows] of [[3, 50] as const, [4, 0] as const]) {
			const parameters = { options: { page } };
			const { status, json } = await getMany(sandbox.url, { resource: 'customer', parameters });
			expect([status, json.length]).toEqual(['success', rows]);
		}
		expect(sandbox.requests.map(({ query }) => query['page'])).toEqual(['3', '4']);
	});

	it('returns a page of a list that is too long for Return All', async () => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(300), Number(query['page']), 100, { count: 3_000_000 }),
		);
		const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(200).slice(100)));
		expect(server.requests).toHaveLength(1);
	});

	it.each<[string, INodeParameters, Answer, RegExp]>([
		[
			'404 for the first page of Return All',
			{},
			failure(404, 'Gone'),
			/^Gone \(code error, HTTP 404\)$/,
		],
		['404 for page 1', { page: 1 }, failure(404, 'Gone'), /^Gone \(code error, HTTP 404\)$/],
		['400 for one page alone', { page: 30 }, failure(400, 'No'), /^No \(code error, HTTP 400\)$/],
		// Proxies return it when the service is down.
		['a web page with 404', { page: 4 }, html('<p>No', 404), /^A web page .* \(HTTP 404\)$/],
	])('fails after %s, which is no end of the list', async (_what, options, answer, says) => {
		const server = await scriptedServer(() => answer);
		const result = await getMany(server.url, { parameters: { options } });
		expect(shownError(result).message).toMatch(says);
	});
});

it('Return All stops after page 1 when there are more than 100,000 rows, and names Page as the way out', async () => {
	const server = await scriptedServer(({ query }) =>
		pageOf(rowsUpTo(100), 1, Number(query['page_size']), { count: 100_001, next: 'http://x/' }),
	);
	const { message, description } = shownError(await getMany(server.url));
	expect(message).toContain(
		'There are at least 100001 rows: more than the 100,000 that n8n can handle',
	);
	expect(description).toContain('Page');
	expect(server.requests).toHaveLength(1);
	const part = await getMany(server.url, { parameters: { returnAll: false, limit: 20 } });
	expect(part.json).toHaveLength(20);
});
