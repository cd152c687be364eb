import type { Sandbox } from '../../../sandbox';
import { json, scriptedServer } from '../../support/servers/http-server';
import {
	getMany,
	hintsOf,
	idsOf,
	listSandbox,
	pageOf,
	readIds,
	rowsUpTo,
	shownError,
} from '../../support/lists';

const ORDERS = ['newestFirst', 'oldestFirst', 'shuffled'] as const;

const pagesAsked = ({ requests }: Pick<Sandbox, 'requests'>): number[] =>
	requests.map(({ query }) => Number(query['page'])).sort((a, b) => a - b);

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('Limit', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await listSandbox({ counts: { charges: 400 } });
	});
	beforeEach(() => sandbox.clearRequests());

	it.each(ORDERS)('gives the first rows of the list, %s', async (rowOrder) => {
		sandbox.setSwitches({ rowOrder });
		const expected = await readIds(sandbox, 'charge');
		for (const limit of [1, 99, 101, 250, 500]) {
			const result = await getMany(sandbox.url, { parameters: { returnAll: false, limit } });
			expect(idsOf(result.json)).toEqual(expected.slice(0, limit));
			expect(hintsOf(result)).toEqual([]);
		}
	});

	it('is 50 unless set', async () => {
		const result = await getMany(sandbox.url, { parameters: { returnAll: false } });
		expect(result.json).toHaveLength(50);
	});

	it.each([
		{ limit: 7, pages: ['7'] },
		{ limit: 100, pages: ['100'] },
		{ limit: 101, pages: ['100', '100'] },
		{ limit: 250, pages: ['100', '100', '100'] },
	])('of $limit asks for no page that it does not need', async ({ limit, pages }) => {
		await getMany(sandbox.url, { parameters: { returnAll: false, limit } });
		expect(sandbox.requests.map(({ query }) => query['page_size'])).toEqual(pages);
		expect(pagesAsked(sandbox)).toEqual(numbersTo(pages.length));
	});

	it.each([-5, 0, 1.5, 'abc', 100_001, null, true, '={{ [] }}'])(
		'of %p is refused by name before anything is sent',
		async (limit) => {
			const result = await getMany(sandbox.url, {
				parameters: { returnAll: false, limit },
				items: [{}, {}],
			});
			const { message, description } = shownError(result);
			expect(message).toMatch(/^Limit is .*whole number from 1 to 100000/);
			expect(description).toMatch(/^Item 1 of 2: /);
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('may be text that an expression gives', async () => {
		const limit = '={{ "12" }}';
		const result = await getMany(sandbox.url, { parameters: { returnAll: false, limit } });
		expect(result.json).toHaveLength(12);
	});
});

describe('Page and Page Size', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await listSandbox({ counts: { customers: 250 } });
	});
	beforeEach(() => sandbox.clearRequests());

	const page = async (number: unknown, more: object = {}) =>
		await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { options: { page: number as number, ...more } },
		});

	it('reads that page alone and whole, whatever Limit says', async () => {
		const ids = await readIds(sandbox, 'customer');
		sandbox.clearRequests();
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
	});

	describe.each([
		['as asked', 100],
		['capped', 60],
	])('of a service that gives its last page again past the end, pages %s', (_size, maxPageSize) => {
		it.each<[string, (rows: number) => Record<string, unknown>]>([
			['with a count', () => ({})],
			['without a count', () => ({ count: undefined })],
			['with a count that is null', () => ({ count: null })],
			['with a count of the page', (rows) => ({ count: rows })],
			['with a count that is too low', () => ({ count: 7 })],
			['with a count that is too high', () => ({ count: 999_999 })],
			['without next', () => ({ next: undefined })],
		])('%s, they are no items', async (_count, changes) => {
			for (const total of [1, 100, 101, 250, 360]) {
				const size = Math.min(100, maxPageSize);
				const pages = Math.ceil(total / size);
				const clamped = await scriptedServer(({ query }) => {
					const number = Math.min(Number(query['page']), pages);
					const rows = Math.min(size, total - (number - 1) * size);
					return pageOf(rowsUpTo(total), number, size, changes(rows));
				});
				const read = async (number: number): Promise<unknown[]> =>
					idsOf((await getMany(clamped.url, { parameters: { options: { page: number } } })).json);
				const all: unknown[] = [];
				for (let number = 1; number <= pages; number++) all.push(...(await read(number)));
				expect(all).toEqual(idsOf(rowsUpTo(total)));
				for (const behind of [pages + 1, pages + 2, 999]) expect(await read(behind)).toEqual([]);
			}
		});
	});

	describe('of a service that gives page 1 again past the end', () => {
		it.each<[string, Record<string, unknown>]>([
			['with a count', {}],
			['without a count', { count: undefined }],
			['with a count that is null', { count: null }],
			['with a count that is too low', { count: 60 }],
			['with a count that is too high', { count: 999_999 }],
			['with a count of the page', { count: 50 }],
			['with a next that never ends', { next: 'http://x/', count: undefined }],
			['with results only', { count: undefined, next: undefined, previous: undefined }],
			['without previous', { previous: undefined }],
			['without previous and count', { count: undefined, previous: undefined }],
		])('%s, it is no items', async (_form, changes) => {
			for (const total of [50, 51, 100, 120]) {
				const pages = Math.ceil(total / 50);
				const server = await scriptedServer(({ query }) => {
					const asked = Number(query['page']);
					const number = asked > pages ? 1 : asked;
					const previous = number > 1 ? `http://x/?page=${number - 1}` : null;
					return pageOf(rowsUpTo(total), number, 50, { previous, ...changes });
				});
				const read = async (number: number): Promise<unknown[]> => {
					const options = { page: number, pageSize: 50 };
					return idsOf((await getMany(server.url, { parameters: { options } })).json);
				};
				const all: unknown[] = [];
				for (let number = 1; number <= pages; number++) all.push(...(await read(number)));
				expect(all).toEqual(idsOf(rowsUpTo(total)));
				for (const behind of [pages + 1, pages + 2, 999]) expect(await read(behind)).toEqual([]);
			}
		});
	});

	it.each([
		['without a count', { count: undefined, previous: 'http://x/' }],
		['without previous', { previous: undefined }],
	])('asks for nothing else where a page shows what it is, %s', async (_form, changes) => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(250), Number(query['page']), 100, changes),
		);
		const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(200).slice(100)));
		expect(server.requests).toHaveLength(1);
	});

	it('asks for the page before it only where it may be past the end', async () => {
		for (const [number, pages] of [
			[1, [1]],
			[2, [2]],
			[3, [3]],
			[4, [4]],
		] as const) {
			sandbox.clearRequests();
			await page(number);
			expect(pagesAsked(sandbox)).toEqual(pages);
		}
	});

	it('compares the last page with the one before it where the count says something else', async () => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(250), Number(query['page']), 100, { count: 260, previous: 'http://x/' }),
		);
		const result = await getMany(server.url, { parameters: { options: { page: 3 } } });
		expect(result.json).toHaveLength(50);
		expect(server.requests.map(({ query }) => query['page'])).toEqual(['3', '2']);
	});

	it('keeps a last page whose rows have no id', async () => {
		const rows = rowsUpTo(150).map(() => ({ email: 'ana@example.com' }));
		const server = await scriptedServer(({ query }) => pageOf(rows, Number(query['page']), 75));
		const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(result.json).toHaveLength(75);
	});

	it('reads page after page of a list that is too long for Return All', async () => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(300), Number(query['page']), 100, { count: 3_000_000 }),
		);
		const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(200).slice(100)));
	});

	it('takes 404 for the end on later pages only: page 1 is an error', async () => {
		const server = await scriptedServer(() => json({ error: { message: 'Gone', code: 'x' } }, 404));
		expect(shownError(await getMany(server.url)).message).toBe('Gone (code x, HTTP 404)');
		const one = await getMany(server.url, { parameters: { options: { page: 1 } } });
		expect(shownError(one).message).toBe('Gone (code x, HTTP 404)');
	});

	it.each([0, -1, 1.5, 'two', '', '={{ $json.missing }}'])(
		'refuses page and page size %p by name',
		async (value) => {
			expect(shownError(await page(value)).message).toMatch(/^Page is/);
			expect(shownError(await page(1, { pageSize: value })).message).toMatch(/^Page Size is/);
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('goes by the page size that the service gives, not by the one asked for', async () => {
		sandbox.setSwitches({ maxPageSize: 60 });
		const result = await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { options: { pageSize: 500 } },
		});
		expect(new Set(idsOf(result.json)).size).toBe(250);
		expect(sandbox.requests.every(({ query }) => query['page_size'] === '500')).toBe(true);
		expect(pagesAsked(sandbox)).toEqual(numbersTo(5));
	});
});
