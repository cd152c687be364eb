import { json, scriptedServer, type Handler } from '../../support/servers/http-server';
import {
	LIST_PATHS,
	LIST_RESOURCES,
	getMany,
	hintsOf,
	idsOf,
	listOf,
	listSandbox,
	pageOf,
	readIds,
	rowsUpTo,
	shownError,
} from '../../support/lists';

const ORDERS = ['newestFirst', 'oldestFirst', 'shuffled'] as const;

const pagesAsked = ({
	requests,
}: {
	requests: ReadonlyArray<{ query: Readonly<Record<string, unknown>> }>;
}): number[] => requests.map(({ query }) => Number(query['page'])).sort((a, b) => a - b);

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('Return All', () => {
	const TOTALS = [0, 1, 99, 100, 101];

	describe.each([
		...LIST_RESOURCES.flatMap((resource) => TOTALS.map((total) => ({ resource, total }))),
		{ resource: 'customer', total: 2345 } as const,
	])('of $total rows of $resource', ({ resource, total }) => {
		it.each(ORDERS)('gives each once, %s, under page caps of 30 and 100', async (rowOrder) => {
			const sandbox = await listSandbox({
				counts: { [LIST_PATHS[resource].replace('/v1/', '')]: total },
				switches: { rowOrder },
			});
			const expected = await readIds(sandbox, resource);
			expect(expected).toHaveLength(total);
			for (const maxPageSize of [30, 100]) {
				sandbox.setSwitches({ maxPageSize });
				sandbox.clearRequests();
				const result = await getMany(sandbox.url, { resource });
				expect(result.status).toBe('success');
				expect(idsOf(result.json)).toEqual(expected);
				expect(hintsOf(result)).toEqual([]);
				expect(pagesAsked(sandbox)).toEqual(numbersTo(Math.max(1, Math.ceil(total / maxPageSize))));
				expect(sandbox.maxInFlight).toBeLessThanOrEqual(8);
			}
		});
	});

	it('gives 2,345 charges as well', async () => {
		const sandbox = await listSandbox({
			counts: { charges: 2345 },
			switches: { rowOrder: 'oldestFirst', maxPageSize: 30 },
		});
		const { json: rows, hints } = await getMany(sandbox.url);
		expect(idsOf(rows)).toEqual(
			sandbox.store.charges
				.all()
				.map(({ charge }) => charge.id)
				.reverse(),
		);
		expect(hints).toEqual([]);
		expect(sandbox.requests).toHaveLength(79);
	});

	it('stops after page 1 when there are more than 100,000 rows, and names Page as the way out', async () => {
		const longList: Handler = ({ query }) => {
			const page = Number(query['page']);
			const rows = page < 1001 ? rowsUpTo(100) : rowsUpTo(1);
			return pageOf(rows, 1, 100, { count: 100_001, next: page < 1001 ? 'http://x/' : null });
		};
		const notShown: Handler = (request, number) =>
			request.query['page'] === '1' ? longList(request, number) : json({}, 400);
		for (const handler of [longList, notShown]) {
			const server = await scriptedServer(handler);
			const { message, description } = shownError(await getMany(server.url));
			expect(message).toContain('There are 100001 rows');
			expect(message).toContain('100000');
			expect(description).toContain('Page');
			// The page of the first row beyond is looked at: the count may be of something else.
			expect(pagesAsked(server)).toEqual([1, 1001]);
			// A part of it is no problem.
			const part = await getMany(server.url, { parameters: { returnAll: false, limit: 20 } });
			expect(part.json).toHaveLength(20);
		}
	});

	it('may be turned on by an expression that gives text', async () => {
		const server = await scriptedServer(listOf(60));
		const parameters = { returnAll: '={{ "true" }}' };
		expect((await getMany(server.url, { parameters })).json).toHaveLength(60);
		const refused = await getMany(server.url, { parameters: { returnAll: '={{ "all" }}' } });
		expect(shownError(refused).message).toContain('Return All');
	});
});
