import type { IDataObject } from 'n8n-workflow';
import { allLogs } from '../../support/engine';
import {
	empty,
	failure,
	html,
	json,
	scriptedServer,
	type Answer,
	type Handler,
} from '../../support/servers/http-server';
import {
	LIST_RESOURCES,
	getMany,
	getManyByRouting,
	hintsOf,
	idsOf,
	rowsUpTo,
	shownError,
} from '../../support/lists';

const ROWS = rowsUpTo(250);
const NOT_FOUND = json({ error: { message: 'No such page', code: 'x' } }, 404);

/** Says with `next` that a page follows. */
const MORE = { next: 'http://x/?page=9', previous: null };
const END = { next: null, previous: null };

const page = (results: readonly IDataObject[], envelope: IDataObject = {}): Answer =>
	json({ results, ...envelope });

/** Answers these pages by number, and later ones with the last of them. */
const serverOf = async (...pages: readonly Answer[]) =>
	await scriptedServer(
		({ query }) => pages[Math.min(Number(query['page']), pages.length) - 1] ?? NOT_FOUND,
	);

/** A list of 250 rows whose envelope is changed, or put into something else. */
const listWith =
	(change: (envelope: IDataObject, page: number) => unknown): Handler =>
	({ query }) => {
		const page = Number(query['page']);
		const size = Number(query['page_size']);
		const results = ROWS.slice((page - 1) * size, page * size);
		const next = page * size < ROWS.length ? `http://127.0.0.1/v1/x?page=${page + 1}` : null;
		return json(change({ count: ROWS.length, next, previous: null, results }, page));
	};

/** More variants, in every combination, are in changing.property.test.ts. */
it.each<[string, (envelope: IDataObject, page: number) => unknown]>([
	['wrapped on some pages only', (envelope, page) => (page === 2 ? [envelope] : envelope)],
	['with a next that never ends', (envelope) => ({ ...envelope, next: 'http://x/?page=2' })],
	['with a count of 0', (envelope) => ({ ...envelope, count: 0 })],
	['with a count of 1 and no next', (envelope) => ({ ...envelope, next: undefined, count: 1 })],
])('returns all rows if the envelope comes %s', async (_form, change) => {
	const server = await scriptedServer(listWith(change));
	for (const resource of LIST_RESOURCES) {
		const result = await getMany(server.url, { resource });
		expect(idsOf(result.json)).toEqual(idsOf(ROWS));
		expect(hintsOf(result)).toEqual([]);
	}
});

it('a short page without a next one ends the list, though the count is too low', async () => {
	const server = await scriptedServer(listWith((envelope) => ({ ...envelope, count: 120 })));
	expect(idsOf((await getMany(server.url)).json)).toEqual(idsOf(ROWS));
	expect(server.requests).toHaveLength(3);
});

describe('next', () => {
	it('is never followed, wherever it points', async () => {
		const other = await scriptedServer(() => json({ results: [{ id: 'stolen' }], count: 1 }));
		for (const next of [`${other.url}/v1/charges?page=2`, ':// ?']) {
			const server = await scriptedServer(
				listWith((envelope) => ({ ...envelope, next: envelope['next'] && next })),
			);
			const result = await getMany(server.url, { parameters: { options: { pageSize: 50 } } });
			expect(idsOf(result.json)).toEqual(idsOf(ROWS));
		}
		expect(other.requests).toEqual([]);
	});

	describe.each<[string, IDataObject]>([
		['without a count', {}],
		['beside the count of each page', { count: 100 }],
	])('%s', (_form, counted) => {
		it('that names a page without new rows leads to a hint', async () => {
			const first = page(ROWS.slice(0, 100), { ...MORE, ...counted });
			for (const second of [NOT_FOUND, json({ results: [] }), page([], MORE)]) {
				const server = await serverOf(first, second);
				for (const parameters of [{}, { returnAll: false, limit: 150 }]) {
					const result = await getMany(server.url, { parameters });
					expect(result.json).toHaveLength(100);
					expect(hintsOf(result)).toEqual([
						expect.stringMatching(/might be incomplete: 100 different/),
					]);
				}
			}
			for (const ofPage of [{}, { count: 0 }]) {
				const none = await getMany((await serverOf(page([], { ...MORE, ...ofPage }))).url);
				expect([none.json, hintsOf(none)]).toEqual([
					[],
					[expect.stringContaining('incomplete: 0 different')],
				]);
			}
			const taken = await getMany((await serverOf(first, page([], END))).url);
			expect([taken.json.length, hintsOf(taken)]).toEqual([100, []]);
		});

		it('that is null after a full page does not end the list', async () => {
			const full = (start: number): Answer =>
				page(ROWS.slice(start, start + 100), { ...END, ...counted });
			const [first, second] = [full(0), full(100)];
			const wholeIs = async (count: number, ...pages: Answer[]) => {
				const { url } = await serverOf(...pages);
				// The service can return longer pages than requested.
				for (const pageSize of [60, 100]) {
					const result = await getMany(url, { parameters: { options: { pageSize } } });
					expect([idsOf(result.json), hintsOf(result)]).toEqual([idsOf(ROWS.slice(0, count)), []]);
				}
			};
			await wholeIs(250, first, second, page(ROWS.slice(200), END));
			// The last page again and again, or a refusal: no rows follow.
			for (const behind of [first, failure(400, 'no such page'), failure(500, 'x')])
				await wholeIs(100, first, behind);
		});
	});
});

it.each<[string, Answer]>([
	['null with a count of 0 that is text, in an array', json([{ count: '0', results: null }])],
	['no content', empty(204)],
	['a list of none', json({ count: 0, results: [] })],
])('returns no items for an empty list that comes as %s', async (_form, answer) => {
	for (const resource of LIST_RESOURCES) {
		const server = await scriptedServer(() => answer);
		const result = await getMany(server.url, { resource });
		expect(result.error).toBeUndefined();
		expect(result.json).toEqual([]);
		expect(server.requests).toHaveLength(1);
	}
});

describe('a malformed list', () => {
	// Other bodies are in test/service/errors.test.ts.
	const answers: Array<[string, Answer, RegExp]> = [
		['an array of rows', json(ROWS.slice(0, 2)), /a list of 2/],
		['an object without results', json({ count: 3 }), /an object without a results list/],
		[
			'results that are null beside rows',
			json({ count: 3, results: null }),
			/without a results list/,
		],
		['rows that are texts', json({ results: ['row'] }), /results that are not all records/],
		['rows that are null', json({ results: [null] }), /results that are not all records/],
		[
			'a count that is a word',
			json({ count: 'many', results: [] }),
			/count that is not a whole number/,
		],
		['a negative count', json({ count: -1, results: [] }), /count that is not a whole number/],
	];

	it.each(answers)('is an error and no result: %s', async (_what, answer, detail) => {
		const server = await scriptedServer(() => answer);
		const result = await getMany(server.url);
		const { message, description } = shownError(result);
		expect(message).toMatch(/^The response is not as documented: /);
		expect(message).toMatch(detail);
		expect(description).toContain('GET /v1/charges');
		expect(result.items).toEqual([]);
		expect(server.calls()).toHaveLength(1);
	});

	it('on a later page fails the whole list rather than leaving out its rows', async () => {
		for (const broken of ['2', '3']) {
			const good = listWith((envelope) => envelope);
			const server = await scriptedServer((request, count) =>
				request.query['page'] === broken ? html() : good(request, count),
			);
			expect(shownError(await getMany(server.url)).message).toContain('an HTML page');
		}
	});
});

it('an empty page in the middle has a warning, also with a Limit', async () => {
	let left = 1;
	const server = await scriptedServer(
		listWith((envelope, number) =>
			number === 2 && left-- > 0 ? { ...envelope, results: [] } : envelope,
		),
	);
	const parameters = { returnAll: false, limit: 150 };
	const read = await getMany(server.url, { parameters });
	expect(idsOf(read.json)).toEqual(idsOf(ROWS.slice(0, 150)));
	left = Infinity;
	expect(hintsOf(await getMany(server.url, { parameters }))).toEqual([
		expect.stringContaining('might be incomplete'),
	]);
});

describe('a count that is too high', () => {
	it('returns all rows there are, with a hint that names the item', async () => {
		const server = await scriptedServer(({ query }) =>
			json({ count: query['currency'] === 'USD' ? 3 : 2, results: ROWS.slice(0, 2), next: null }),
		);
		const result = await getMany(server.url, {
			items: [{ currency: 'EUR' }, { currency: 'USD' }],
			parameters: { filters: { currency: '={{ $json.currency }}' } },
		});
		expect(result.json).toHaveLength(4);
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(
				/^Item 2 of 2: The list might be incomplete: the service counts 3 rows, but 2 different/,
			),
		]);
	});

	it('by routing, has the hint in the log, since n8n shows none there', async () => {
		const server = await scriptedServer(listWith((envelope) => ({ ...envelope, count: 251 })));
		const logged = allLogs().length;
		expect(await getManyByRouting(server.url)).toHaveLength(250);
		const warnings = allLogs()
			.slice(logged)
			.filter(({ level }) => level === 'warn');
		expect(warnings.map(({ message }) => message)).toEqual([
			expect.stringContaining('might be incomplete'),
		]);
	});
});

it.each<[string, IDataObject]>([
	['with a count', { ...MORE, count: 50_000 }],
	['with a count that is too low', { ...MORE, count: 60 }],
	['without a count', MORE],
	['with the count of its full page', { count: 100 }],
])(
	'a service that ignores page %s has each row returned once, with a hint',
	async (_form, more) => {
		const server = await serverOf(page(ROWS.slice(0, 100), more));
		const result = await getMany(server.url);
		expect(idsOf(result.json)).toEqual(idsOf(ROWS.slice(0, 100)));
		expect(hintsOf(result)).toEqual([expect.stringContaining('might be incomplete')]);
		expect(server.calls().length).toBeLessThan(50);
		const limited = await getMany(server.url, { parameters: { returnAll: false, limit: 60 } });
		expect(limited.json).toHaveLength(60);
		expect(hintsOf(limited)).toEqual([]);
	},
);
