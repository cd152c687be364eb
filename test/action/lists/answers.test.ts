import type { IDataObject } from 'n8n-workflow';
import { allLogs } from '../../support/engine';
import {
	empty,
	html,
	json,
	scriptedServer,
	text,
	type Answer,
	type Handler,
} from '../../support/servers/http-server';
import {
	LIST_RESOURCES,
	getMany,
	getManyByRouting,
	hintsOf,
	idsOf,
	listSandbox,
	pageOf,
	readIds,
	rowsUpTo,
	shownError,
} from '../../support/lists';

const ROWS = rowsUpTo(250);

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

const without =
	(...names: string[]) =>
	(envelope: IDataObject): IDataObject =>
		Object.fromEntries(Object.entries(envelope).filter(([name]) => !names.includes(name)));

const countOfPage = (envelope: IDataObject): IDataObject => ({
	...envelope,
	count: (envelope['results'] as unknown[]).length,
});

describe('the envelope', () => {
	it.each<[string, (envelope: IDataObject, page: number) => unknown]>([
		['plain', (envelope) => envelope],
		['wrapped in a one-element array', (envelope) => [envelope]],
		['wrapped on some pages only', (envelope, page) => (page === 2 ? [envelope] : envelope)],
		['with the count as text', (envelope) => ({ ...envelope, count: '250' })],
		[
			'with the count on page 1 only',
			(envelope, page) => (page === 1 ? envelope : without('count')(envelope)),
		],
		['without count', without('count')],
		['with null for the count', (envelope) => ({ ...envelope, count: null })],
		['without next', without('next')],
		['without next and previous', without('next', 'previous')],
		['with results only', without('count', 'next', 'previous')],
		[
			'with an empty next at the end',
			(envelope) => ({ ...envelope, next: envelope['next'] ?? '' }),
		],
		['with fields that the document does not show', (envelope) => ({ ...envelope, pages: 3 })],
		['with a next that never ends', (envelope) => ({ ...envelope, next: 'http://x/?page=2' })],
		['with a count that is too low', (envelope) => ({ ...envelope, count: 120 })],
		['with a count of 0', (envelope) => ({ ...envelope, count: 0 })],
		['with the count of each page', countOfPage],
		[
			'with the count of each page and no next',
			(envelope) => without('next')(countOfPage(envelope)),
		],
		['with a count of 1 and no next', (envelope) => ({ ...without('next')(envelope), count: 1 })],
	])('may come %s: the rows are all there', async (_form, change) => {
		const server = await scriptedServer(listWith(change));
		for (const resource of LIST_RESOURCES) {
			const result = await getMany(server.url, { resource });
			expect(idsOf(result.json)).toEqual(idsOf(ROWS));
			expect(hintsOf(result)).toEqual([]);
		}
	});

	it('without count is read until an empty page, a 404 or next being null', async () => {
		for (const past of [json({ results: [] }), json({ error: { message: 'x', code: 'y' } }, 404)]) {
			const server = await scriptedServer(({ query }) =>
				query['page'] === '3'
					? past
					: json({ results: rowsUpTo(Number(query['page']) * 100).slice(-100) }),
			);
			const result = await getMany(server.url);
			expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(200)));
			expect(hintsOf(result)).toEqual([]);
		}
	});
});

describe('next', () => {
	it('is never followed, wherever it leads', async () => {
		const other = await scriptedServer(() => json({ results: [{ id: 'stolen' }], count: 1 }));
		const server = await scriptedServer(
			listWith((envelope) => ({
				...envelope,
				next: envelope['next'] && `${other.url}/v1/charges?page=2`,
			})),
		);
		const result = await getMany(server.url, { parameters: { options: { pageSize: 50 } } });
		expect(idsOf(result.json)).toEqual(idsOf(ROWS));
		expect(other.requests).toEqual([]);
		expect(new Set(server.requests.map(({ query }) => query['page_size']))).toEqual(
			new Set(['50']),
		);
	});

	it('may name another host or nothing that can be read', async () => {
		const sandbox = await listSandbox({
			counts: { customers: 120 },
			switches: { nextHost: 'https://elsewhere.example' },
		});
		const result = await getMany(sandbox.url, { resource: 'customer' });
		expect(result.json).toHaveLength(120);
		const server = await scriptedServer(
			listWith((envelope) => ({ ...envelope, next: envelope['next'] && ':// ?' })),
		);
		expect((await getMany(server.url)).json).toHaveLength(250);
	});
});

describe('a malformed answer', () => {
	const answers: Array<[string, Answer, RegExp]> = [
		['an HTML page', html(), /an HTML page \(\d+ characters\)/],
		['an empty body', empty(200), /an empty body/],
		['204', empty(204), /an empty body/],
		['plain text', text('all fine'), /text that is not JSON \(8 characters\)/],
		[
			'JSON that breaks off',
			text('{"count": 3, "results": [{"id": "', 200, 'application/json'),
			/text that is not JSON/,
		],
		['null', json(null), /nothing/],
		['a number', json(17), /a number/],
		['an empty array', json([]), /a list of 0/],
		['an array of rows', json(ROWS.slice(0, 2)), /a list of 2/],
		[
			'an object without results',
			json({ count: 3, next: null }),
			/an object without a results list/,
		],
		[
			'results that are an object',
			json({ count: 1, results: {} }),
			/an object without a results list/,
		],
		[
			'rows that are texts',
			json({ count: 1, results: ['row'] }),
			/results that are not all records/,
		],
		['rows that are null', json({ count: 1, results: [null] }), /results that are not all records/],
		[
			'a count that is a word',
			json({ count: 'many', results: [] }),
			/a count that is no whole number/,
		],
		['a negative count', json({ count: -1, results: [] }), /a count that is no whole number/],
	];

	it.each(answers)('is an error and no result: %s', async (_what, answer, detail) => {
		const server = await scriptedServer(() => answer);
		const result = await getMany(server.url);
		const { message, description } = shownError(result);
		expect(message).toMatch(/^The answer is not what the service documents: /);
		expect(message).toMatch(detail);
		expect(description).toContain('Base URL');
		expect(description).toContain('GET /v1/charges');
		expect(result.items).toEqual([]);
		expect(server.calls()).toHaveLength(1);
	});

	it('on a later page fails the whole list rather than leaving out its rows', async () => {
		for (const page of ['2', '3']) {
			const good = listWith((envelope) => envelope);
			const server = await scriptedServer((request, count) =>
				request.query['page'] === page ? html() : good(request, count),
			);
			expect(shownError(await getMany(server.url)).message).toContain('an HTML page');
		}
	});

	it('is the item’s own error under Continue', async () => {
		const server = await scriptedServer(() => html());
		const result = await getMany(server.url, { onError: 'continueRegularOutput', items: [{}, {}] });
		expect(result.status).toBe('success');
		expect(result.json).toHaveLength(2);
		expect(result.json[1]).toMatchObject({
			error: expect.stringContaining('an HTML page') as string,
			details: { itemIndex: 1 },
		});
	});

	it('with an error body under 200 is that error', async () => {
		const server = await scriptedServer(() => json({ error: { message: 'Down', code: 'late' } }));
		expect(shownError(await getMany(server.url)).message).toBe('Down (code late, HTTP 200)');
	});

	it('shows nothing of what came, which may be anything', async () => {
		// getMany itself looks for the planted key in the error.
		const server = await scriptedServer(({ headers }) =>
			html(`<pre>X-API-KEY: ${String(headers['x-api-key'])}</pre>`),
		);
		expect(shownError(await getMany(server.url)).message).not.toContain('pre');
	});
});

describe('a count that is off', () => {
	it('too high: gives all rows there are, with a hint', async () => {
		const sandbox = await listSandbox({ counts: { charges: 130 }, switches: { countOffset: 7 } });
		const expected = await readIds(sandbox, 'charge');
		const result = await getMany(sandbox.url);
		expect(idsOf(result.json)).toEqual(expected);
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/may not be complete: the service counts 137 rows, and 130 different/),
		]);
	});

	it('too high: of several items, the hint says of which', async () => {
		const server = await scriptedServer(({ query }) =>
			json({ count: query['currency'] === 'USD' ? 3 : 2, results: rowsUpTo(2), next: null }),
		);
		const result = await getMany(server.url, {
			items: [{ currency: 'EUR' }, { currency: 'USD' }],
			parameters: { filters: { currency: '={{ $json.currency }}' } },
		});
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/^Item 2 of 2: The list may not be complete/),
		]);
	});

	it('too high, by routing: the hint goes to the log, since n8n takes none there', async () => {
		const server = await scriptedServer(listWith((envelope) => ({ ...envelope, count: 251 })));
		const logged = allLogs().length;
		expect(await getManyByRouting(server.url)).toHaveLength(250);
		const warnings = allLogs()
			.slice(logged)
			.filter(({ level }) => level === 'warn');
		expect(warnings.map(({ message }) => message)).toEqual([
			expect.stringContaining('may not be complete'),
		]);
	});

	it('too high beyond a limit does not matter', async () => {
		const server = await scriptedServer(listWith((envelope) => ({ ...envelope, count: 99_000 })));
		const result = await getMany(server.url, { parameters: { returnAll: false, limit: 220 } });
		expect(idsOf(result.json)).toEqual(idsOf(ROWS.slice(0, 220)));
		expect(hintsOf(result)).toEqual([]);
		expect(server.calls()).toHaveLength(3);
	});
});

describe('a service that ignores page', () => {
	const sameAgain =
		(envelope: Record<string, unknown>): Handler =>
		() =>
			json({ results: ROWS.slice(0, 100), next: 'http://x/?page=2', ...envelope });

	it.each([
		['with a count', { count: 50_000 }],
		['with a count that is too low', { count: 60 }],
		['without a count', {}],
	])(
		'%s: gives each row once, with a hint, and does not go on for ever',
		async (_form, envelope) => {
			const server = await scriptedServer(sameAgain(envelope));
			const result = await getMany(server.url);
			expect(idsOf(result.json)).toEqual(idsOf(ROWS.slice(0, 100)));
			expect(hintsOf(result)).toEqual([expect.stringContaining('may not be complete')]);
			expect(server.calls().length).toBeLessThan(50);
		},
	);

	it('gives a limit within page 1 without a hint', async () => {
		const server = await scriptedServer(sameAgain({ count: 50_000 }));
		const result = await getMany(server.url, { parameters: { returnAll: false, limit: 60 } });
		expect(result.json).toHaveLength(60);
		expect(hintsOf(result)).toEqual([]);
	});

	it('gives a list of one page without a hint', async () => {
		const server = await scriptedServer(() => pageOf(ROWS.slice(0, 10), 1, 10));
		const result = await getMany(server.url);
		expect(result.json).toHaveLength(10);
		expect(hintsOf(result)).toEqual([]);
	});
});
