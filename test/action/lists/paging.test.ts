import { html, json, scriptedServer } from '../../support/servers/http-server';
import { getMany, idsOf, pageOf, rowsUpTo, shownError } from '../../support/lists';
import { sandbox, useSandbox } from '../../support/sandbox';
import { PLANTED } from '../../support/secrets/secrets';

const pagesAsked = ({
	requests,
}: {
	requests: ReadonlyArray<{ query: Readonly<Record<string, unknown>> }>;
}): number[] => requests.map(({ query }) => Number(query['page'])).sort((a, b) => a - b);

describe('Page and Page Size', () => {
	useSandbox({ apiKey: PLANTED.apiKey, counts: { customers: 250 } });

	const page = async (number: number) =>
		await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { options: { page: number } },
		});

	it('reads that page alone and whole, whatever Limit says', async () => {
		const ids = idsOf(sandbox.store.customers.all());
		const result = await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { returnAll: false, limit: 5, options: { page: 3, pageSize: 40 } },
		});
		expect(idsOf(result.json)).toEqual(ids.slice(80, 120));
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{ page: '3', page_size: '40' }]);
	});

	it.each(['404', 'empty'] as const)('gives no items past the end (%s)', async (pastTheEnd) => {
		sandbox.setSwitches({ pastTheEnd });
		expect((await page(3)).json).toHaveLength(50);
		const past = await page(4);
		expect(past.status).toBe('success');
		expect(past.json).toEqual([]);
		expect(pagesAsked(sandbox)).toEqual([3, 4]);
	});

	it('reads a page of a list that is too long for Return All', async () => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(300), Number(query['page']), 100, { count: 3_000_000 }),
		);
		const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(200).slice(100)));
		expect(server.requests).toHaveLength(1);
	});

	it('takes 404 for the end on later pages only: page 1 is an error', async () => {
		const server = await scriptedServer(() => json({ error: { message: 'Gone', code: 'x' } }, 404));
		expect(shownError(await getMany(server.url)).message).toBe('Gone (code x, HTTP 404)');
		const one = await getMany(server.url, { parameters: { options: { page: 1 } } });
		expect(shownError(one).message).toBe('Gone (code x, HTTP 404)');
	});

	it('fails on a 400 for one page alone: nothing shows that the list has ended', async () => {
		const server = await scriptedServer(() => json({ error: { message: 'No', code: 'x' } }, 400));
		const one = await getMany(server.url, { parameters: { options: { page: 30 } } });
		expect(shownError(one).message).toBe('No (code x, HTTP 400)');
	});

	it('takes a web page with 404 for no end: a proxy has it when the service is away', async () => {
		const server = await scriptedServer(() => html('<html>Not here</html>', 404));
		const away = await getMany(server.url, { parameters: { options: { page: 4 } } });
		expect(shownError(away).message).toMatch(/^A web page was returned, .*\(HTTP 404\)$/);
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
