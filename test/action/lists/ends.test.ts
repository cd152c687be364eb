import type { IDataObject } from 'n8n-workflow';
import { runOperation } from '../../support/operations';
import {
	delayed,
	json,
	scriptedServer,
	type Answer,
	type Handler,
} from '../../support/servers/http-server';
import { getMany, hintsOf, idsOf, rowsUpTo } from '../../support/lists';

const ROWS = rowsUpTo(200);
const NOT_FOUND = json({ error: { message: 'No such page', code: 'x' } }, 404);

/** Says with `next` that a page follows. */
const MORE = { next: 'http://x/?page=9', previous: null };
const END = { next: null, previous: null };

type Page = readonly [rows: readonly IDataObject[], envelope: IDataObject];

/** Answers these pages by number, and those behind them with the last of them. */
const serverOf = async (...pages: ReadonlyArray<Page | Answer>) =>
	await scriptedServer(({ query }) => {
		const page = pages[Math.min(Number(query['page']), pages.length) - 1] ?? NOT_FOUND;
		if ('kind' in page) return page;
		const [results, envelope] = page;
		return json({ results, ...envelope });
	});

const COUNTS: Array<[string, (rows: number) => IDataObject]> = [
	['without a count', () => ({})],
	['with null for the count', () => ({ count: null })],
	['with the count of each page', (count) => ({ count })],
];

describe.each(COUNTS)('a list %s', (_form, countOf) => {
	const page = (rows: readonly IDataObject[], envelope: IDataObject): Page => [
		rows,
		{ ...envelope, ...countOf(rows.length) },
	];

	it('is read on behind an empty page that says that more follow', async () => {
		for (const limit of [undefined, 150]) {
			const server = await serverOf(
				page(ROWS.slice(0, 100), MORE),
				page([], MORE),
				page(ROWS.slice(100), END),
			);
			const parameters = limit === undefined ? {} : { returnAll: false, limit };
			const result = await getMany(server.url, { parameters });
			expect(idsOf(result.json)).toEqual(idsOf(ROWS.slice(0, limit)));
			expect(hintsOf(result)).toEqual([]);
		}
	});

	it('is read on behind a first page that is empty', async () => {
		const server = await serverOf(page([], MORE), page([], MORE), page(ROWS.slice(0, 30), END));
		const result = await getMany(server.url);
		expect(idsOf(result.json)).toEqual(idsOf(ROWS.slice(0, 30)));
		expect(hintsOf(result)).toEqual([]);
	});

	it.each([
		['404', NOT_FOUND],
		['an empty page that says nothing of a next one', json({ results: [] })],
	])('may be short where a page that was promised is %s', async (_answer, promised) => {
		const server = await serverOf(page(ROWS.slice(0, 100), MORE), promised);
		for (const parameters of [{}, { returnAll: false, limit: 150 }]) {
			const result = await getMany(server.url, { parameters });
			expect(result.json).toHaveLength(100);
			expect(hintsOf(result)).toEqual([
				expect.stringMatching(/may not be complete: 100 different/),
			]);
		}
	});

	it('has a hint at a page, read for its own sake, that is empty and says that more follow', async () => {
		for (const [envelope, hints] of [
			[MORE, [expect.stringContaining('a loop that ends here may leave out rows')]],
			[END, []],
			[{}, []],
		] as const) {
			const server = await serverOf(page(ROWS.slice(0, 100), MORE), page([], envelope));
			const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
			expect(result.json).toEqual([]);
			expect(hintsOf(result)).toEqual(hints);
		}
	});

	it('ends with an empty page that says that none follows', async () => {
		const server = await serverOf(page(ROWS.slice(0, 100), MORE), page([], END));
		const result = await getMany(server.url);
		expect(result.json).toHaveLength(100);
		expect(hintsOf(result)).toEqual([]);
	});

	it.each([0, 100])(
		'ends after a few empty pages that all promise another, behind %p rows, and may be short',
		async (rows) => {
			const server = await serverOf(page(ROWS.slice(0, rows), MORE), page([], MORE));
			const result = await getMany(server.url);
			expect(result.json).toHaveLength(rows);
			expect(hintsOf(result)).toEqual([expect.stringContaining('may not be complete')]);
			expect(server.calls().length).toBeLessThan(20);
		},
	);
});

it('Get Events reads on behind an empty page that says that more follow', async () => {
	const charges = ROWS.map((row) => ({ ...row, created: '2025-01-10T00:00:00Z' }));
	const server = await serverOf(
		[charges.slice(0, 100), MORE],
		[[], MORE],
		[charges.slice(100), END],
	);
	const events = { resource: 'charge', operation: 'getEvents' } as const;
	const parameters = { since: '2025-01-01' };
	const result = await runOperation(server, { ...events, parameters });
	expect(result.json).toHaveLength(200);
	expect(hintsOf(result)).toEqual([]);
});

it('a count that fits ends a list whose next never does', async () => {
	const envelope = { ...MORE, count: 150 };
	const server = await serverOf(
		[ROWS.slice(0, 100), envelope],
		[ROWS.slice(100, 150), envelope],
		[[], envelope],
	);
	const result = await getMany(server.url);
	expect(result.json).toHaveLength(150);
	expect(hintsOf(result)).toEqual([]);
	expect(server.calls()).toHaveLength(3);
	const behind = await getMany(server.url, { parameters: { options: { page: 3 } } });
	expect(hintsOf(behind)).toEqual([]);
});

describe('a count of more than the filters match', () => {
	const FEW = ROWS.slice(0, 3);

	it.each([
		['empty', json({ count: 5000, results: [], ...END })],
		['404', NOT_FOUND],
	])('asks for a few pages, not for a thousand (%s), and says so', async (_answer, behind) => {
		const server = await serverOf([FEW, { count: 5000, ...END }], behind);
		for (const parameters of [{}, { returnAll: false, limit: 5000 }]) {
			server.forget();
			const result = await getMany(server.url, { parameters });
			expect(idsOf(result.json)).toEqual(idsOf(FEW));
			expect(hintsOf(result)).toEqual([expect.stringContaining('counts 5000 rows, and 3 diff')]);
			expect(server.calls().length).toBeLessThan(50);
		}
	});

	it('stops asking although the first of the empty pages hangs', async () => {
		const server = await scriptedServer(({ query }) => {
			const page = Number(query['page']);
			const answer = json({ count: 5000, results: page === 1 ? FEW : [], ...END });
			return page === 2 ? delayed(500, answer) : answer;
		});
		expect((await getMany(server.url)).json).toHaveLength(3);
		expect(server.calls().length).toBeLessThan(60);
	});

	it('gives rows behind gaps of a few pages', async () => {
		const server = await scriptedServer(({ query }) => {
			const page = Number(query['page']);
			const results = page % 4 === 1 && page <= 29 ? [{ id: `row ${page}` }] : [];
			return json({ count: 30, results, ...MORE });
		});
		const result = await getMany(server.url);
		expect(idsOf(result.json)).toEqual([1, 5, 9, 13, 17, 21, 25, 29].map((page) => `row ${page}`));
		expect(hintsOf(result)).toEqual([expect.stringContaining('counts 30 rows, and 8 diff')]);
	});

	it('beyond what n8n can take is no error where the rows are not there', async () => {
		for (const [rows, envelope] of [
			[FEW, END],
			[ROWS.slice(0, 100), MORE],
		] as const) {
			const server = await serverOf([rows, { count: 100_001, ...envelope }], [[], END]);
			const result = await getMany(server.url);
			expect(idsOf(result.json)).toEqual(idsOf(rows));
			expect(hintsOf(result)).toEqual([expect.stringContaining('counts 100001 rows')]);
			expect(server.calls().length).toBeLessThan(50);
		}
	});
});

describe('a service that ignores page and gives no next', () => {
	it('gives a list of one short page, whose count fits, without a hint', async () => {
		for (const parameters of [{}, { returnAll: false, limit: 36 }]) {
			const server = await serverOf([ROWS.slice(0, 13), { count: 13 }]);
			const result = await getMany(server.url, { parameters });
			expect(idsOf(result.json)).toEqual(idsOf(ROWS.slice(0, 13)));
			expect(hintsOf(result)).toEqual([]);
			expect(server.calls()).toHaveLength(4);
		}
	});

	it('may have more than one full page: its count may be that of the page', async () => {
		const server = await serverOf([ROWS.slice(0, 100), { count: 100 }]);
		const result = await getMany(server.url);
		expect(result.json).toHaveLength(100);
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/: 100 different rows could be read, and no count shows whether/),
		]);
	});
});

describe('a first page that says that one stands before it', () => {
	const fromZero =
		(changes: IDataObject): Handler =>
		({ query }) => {
			const [page, size] = [Number(query['page']), Number(query['page_size'])];
			const next = (page + 1) * size < ROWS.length ? 'http://x/?page=9' : null;
			const previous = page > 0 ? `http://x/?page=${page - 1}` : null;
			const results = ROWS.slice(page * size, (page + 1) * size);
			return json({ count: ROWS.length, next, previous, results, ...changes });
		};
	const WARNED = expect.stringMatching(
		/^The first rows may be missing: .*numbered from 0/,
	) as string;

	it.each<[string, IDataObject]>([
		['with a count', {}],
		['without a count', { count: undefined }],
	])('is warned of, %s', async (_form, changes) => {
		const server = await scriptedServer(fromZero(changes));
		const limited = await getMany(server.url, { parameters: { returnAll: false, limit: 50 } });
		expect(idsOf(limited.json)).toEqual(idsOf(ROWS.slice(50, 100)));
		expect(hintsOf(limited)).toEqual([WARNED]);
		const all = await getMany(server.url);
		expect(all.json).toHaveLength(100);
		expect(hintsOf(all)).toContainEqual(WARNED);
		const one = await getMany(server.url, { parameters: { options: { page: 1 } } });
		expect(hintsOf(one)).toEqual([WARNED]);
		const two = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(hintsOf(two)).toEqual([]);
	});

	it.each([null, '', undefined])('is none where previous is %p', async (previous) => {
		const server = await serverOf([ROWS.slice(0, 9), { ...END, count: 9, previous }]);
		for (const parameters of [{}, { options: { page: 1 } }]) {
			expect(hintsOf(await getMany(server.url, { parameters }))).toEqual([]);
		}
	});
});
