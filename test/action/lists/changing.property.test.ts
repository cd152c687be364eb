import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import { ReportedError } from '../../../nodes/shared/errors/reportedError';
import { readRows } from '../../../nodes/shared/lists/listRows';
import { unwrapped } from '../../../nodes/shared/service/answers';
import type { ServiceRequest } from '../../../nodes/shared/service/request';
import { RequestLimiter } from '../../../nodes/shared/service/requestLimiter';
import type { Transport } from '../../../nodes/shared/service/transport';
import { pageOf, wrap } from '../../../sandbox/lists';
import fc, { property } from '../../support/jest/property';
import { readFailure } from '../../support/readFailure';

/** One choice for each behavior of lists that is not documented (docs/service.md). */
const habits = fc.record({
	/** Rows of a page at most, whatever page_size asks for. */
	cap: fc.integer({ min: 1, max: 120 }),
	pastTheEnd: fc.constantFrom('404', 'empty'),
	wrapped: fc.boolean(),
	count: fc.constantFrom('right', 'text', 'ofPage', 'onFirst', 'null', 'missing'),
	next: fc.constantFrom('right', 'foreign', 'empty', 'missing'),
});
type ListHabits = typeof habits extends fc.Arbitrary<infer Habits> ? Habits : never;

const PLAIN_HABITS: ListHabits = {
	cap: 100,
	pastTheEnd: '404',
	wrapped: false,
	count: 'right',
	next: 'right',
};

/** A list in memory that answers as the service might, for properties that need thousands of lists. */
class ListModel {
	/** The rows in the order of the service. */
	readonly ids: string[];
	/** Page numbers in the order in which they were answered. */
	readonly pages: number[] = [];
	maxInFlight = 0;
	private inFlight = 0;
	private added = 0;

	constructor(
		total: number,
		private readonly habits: ListHabits = PLAIN_HABITS,
	) {
		this.ids = Array.from({ length: total }, (_, index) => `row ${index}`);
	}

	insertAt(position: number): void {
		this.added += 1;
		this.ids.splice(position, 0, `added ${this.added}`);
	}

	removeAt(position: number): void {
		this.ids.splice(position, 1);
	}

	private answer({ qs }: ServiceRequest): unknown {
		const { cap, pastTheEnd, wrapped, ...habits } = this.habits;
		const asked = Number(qs?.['page']);
		const size = Math.min(cap, Number(qs?.['page_size']));
		this.pages.push(asked);
		const { rows, number, last } = pageOf(this.ids, asked, size);
		if (number > last && pastTheEnd === '404') throw readFailure({ kind: 'http', status: 404 });
		const { length } = this.ids;
		const counts = {
			...{ right: length, text: String(length), ofPage: rows.length },
			...{ onFirst: number === 1 ? length : undefined, null: null, missing: undefined },
		};
		const host = habits.next === 'foreign' ? 'https://elsewhere.example' : 'http://127.0.0.1';
		const end = habits.next === 'empty' ? '' : null;
		const uri = number < last ? `${host}/v1/charges?page=2` : end;
		const envelope = {
			results: rows.map((id) => ({ id })),
			count: counts[habits.count],
			next: habits.next === 'missing' ? undefined : uri,
			previous: undefined,
		};
		return wrap(envelope, wrapped);
	}

	/** @param turn resolves when the service gets to a request */
	transport(concurrency: number, turn: () => Promise<unknown>): Transport {
		const limiter = new RequestLimiter();
		limiter.limitConcurrency(concurrency);
		return {
			apiKey: 'a-key-of-a-test',
			baseUrl: 'http://127.0.0.1',
			signal: undefined,
			send: async (request) =>
				await limiter.withPermit(async () => {
					this.inFlight += 1;
					this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
					await turn();
					this.inFlight -= 1;
					return unwrapped(this.answer(request), request) as IDataObject;
				}),
		};
	}
}

const CHARGE_QUERY = { endpoint: ENDPOINTS.chargeList, filters: {}, pageSize: 20 };

const limits = fc.option(fc.integer({ min: 1, max: 400 }), { nil: Infinity });
const pageSizes = fc.integer({ min: 1, max: 150 });
const concurrency = fc.integer({ min: 1, max: 16 });
const WHOLE = {
	limit: Infinity,
	tooMany: (rows: number) => new ReportedError(`${rows} rows`, ''),
};

/** A row that is added or removed between two requests. `place` is 0 at the top of the list, and 1 at its end. */
interface Change {
	readonly kind: 'insert' | 'remove';
	readonly place: number;
}

const place = fc.double({ min: 0, max: 1, noNaN: true });
const inserts = fc.record({ kind: fc.constant('insert' as const), place });
const removals = fc.record({ kind: fc.constant('remove' as const), place });
const arrivals = fc.constant<Change>({ kind: 'insert', place: 0 });

/** Reads a list while the scheduler decides when each request is answered. */
async function readIn(
	scheduler: fc.Scheduler,
	model: ListModel,
	{
		most = 8,
		pageSize = CHARGE_QUERY.pageSize,
		...wanted
	}: Partial<Parameters<typeof readRows>[2]> & { most?: number; pageSize?: number } = {},
) {
	const transport = model.transport(most, async () => await scheduler.schedule(Promise.resolve()));
	const query = { ...CHARGE_QUERY, pageSize };
	return await scheduler.waitFor(readRows(transport, query, { ...WHOLE, ...wanted }));
}

/** Changes the list, each at some time while it is read. */
function changing(scheduler: fc.Scheduler, model: ListModel, planned: readonly Change[]): void {
	for (const { kind, place } of planned) {
		void scheduler.schedule(Promise.resolve()).then(() => {
			const { length } = model.ids;
			if (kind === 'insert') model.insertAt(Math.round(place * length));
			else model.removeAt(Math.min(length - 1, Math.floor(place * length)));
		});
	}
}

describe('a list that stays as it is', () => {
	property(
		'is read whole or up to the limit, each row once, in the order of the service, and only rows that are kept',
		[
			fc.scheduler(),
			fc.integer({ min: 0, max: 350 }),
			habits,
			limits,
			pageSizes,
			concurrency,
			fc.func(fc.boolean()),
		],
		async (scheduler, total, habit, limit, pageSize, most, choose) => {
			const model = () => new ListModel(total, habit);
			const [all, part, whole] = [model(), model(), model()];
			const upTo = await readIn(scheduler, all, { most, limit, pageSize });
			expect(upTo.rows.map(({ id }) => id)).toEqual(all.ids.slice(0, limit));
			expect(all.maxInFlight).toBeLessThanOrEqual(most);
			const isKept = ({ id }: { id?: unknown }): boolean => choose(id);
			const kept = await readIn(scheduler, part, { pageSize, isKept });
			expect(kept.rows.map(({ id }) => id)).toEqual(part.ids.filter((id) => choose(id)));
			expect([...upTo.warnings, ...kept.warnings]).toEqual([]);
			// Rows that are not kept cost the same pages.
			await readIn(scheduler, whole, { pageSize });
			expect(part.pages).toHaveLength(whole.pages.length);
		},
		{ numRuns: 150 },
	);

	property(
		'costs one request for each page that the limit reaches, and one for an empty list',
		[fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 120 }), limits, pageSizes],
		async (total, cap, limit, pageSize) => {
			const model = new ListModel(total, { ...PLAIN_HABITS, cap });
			const transport = model.transport(8, async () => undefined);
			await readRows(transport, { ...CHARGE_QUERY, pageSize }, { ...WHOLE, limit });
			const wanted = Math.min(total, limit);
			const pages = Math.max(1, Math.ceil(wanted / Math.min(cap, pageSize)));
			const numbers = Array.from({ length: pages }, (_, index) => index + 1);
			expect([...model.pages].sort((a, b) => a - b)).toEqual(numbers);
		},
	);
});

describe('a list that changes while it is read', () => {
	property(
		'has no warning if no chosen row arrives meanwhile',
		[fc.scheduler(), fc.integer({ min: 1, max: 60 }), fc.array(inserts, { maxLength: 4 })],
		async (scheduler, total, planned) => {
			const model = new ListModel(total, { ...PLAIN_HABITS, cap: 7 });
			const atFirst = [...model.ids];
			changing(scheduler, model, planned);
			const isKept = ({ id }: { id?: unknown }) => atFirst.includes(id as string);
			const { rows, warnings } = await readIn(scheduler, model, { isKept });
			expect(warnings).toEqual([]);
			expect(rows.map(({ id }) => id)).toEqual(atFirst);
		},
	);

	property(
		'is whole and without a warning after a single change, at the price of another reading',
		[
			fc.scheduler(),
			fc.integer({ min: 1, max: 60 }),
			fc.integer({ min: 1, max: 20 }),
			concurrency,
			fc.oneof(inserts, removals),
		],
		async (scheduler, total, cap, most, change) => {
			const model = new ListModel(total, { ...PLAIN_HABITS, cap });
			changing(scheduler, model, [change]);
			const { rows, warnings } = await readIn(scheduler, model, { most });
			expect(warnings).toEqual([]);
			expect(rows.map(({ id }) => id)).toEqual(
				expect.arrayContaining(model.ids.filter((id) => !id.startsWith('added'))),
			);
			expect(model.pages.length).toBeLessThanOrEqual(2 * (Math.ceil((total + 1) / cap) + 1));
		},
	);

	it.each<[string, fc.Arbitrary<Change>]>([
		['arrive, wherever they stand', inserts],
		['vanish', removals],
		['arrive on top while others vanish', fc.oneof(arrivals, removals)],
	])('has a warning if it is short, when rows %s', async (_what, changes) => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 60 }),
				habits.map((habit) => ({ ...habit, cap: 1 + (habit.cap % 20) })),
				fc.option(fc.integer({ min: 1, max: 60 }), { nil: Infinity }),
				concurrency,
				fc.array(changes, { maxLength: 8 }),
				fc.func(fc.boolean()),
				async (scheduler, total, habit, limit, most, planned, choose) => {
					const model = new ListModel(total, habit);
					const atFirst = [...model.ids];
					changing(scheduler, model, planned);
					// The nodes never choose rows of a list with a limit.
					const isKept = ({ id }: { id?: unknown }): boolean => limit < Infinity || choose(id);
					const { rows, warnings } = await readIn(scheduler, model, { most, limit, isKept });
					const ids = rows.map(({ id }) => id as string);
					expect(new Set(ids).size).toBe(ids.length);
					if (warnings.length > 0) return;
					// Rows that stayed are all returned or, with a limit, the first ones without a gap.
					const stayed = atFirst.filter((id) => model.ids.includes(id) && isKept({ id }));
					const given = ids.filter((id) => stayed.includes(id));
					const isCut = limit < Infinity && ids.length >= limit;
					expect(given).toEqual(isCut ? stayed.slice(0, given.length) : stayed);
				},
			),
			{ numRuns: 500 },
		);
	});
});

it('a list without a count has a warning if its rows have no ID to compare', async () => {
	const send = async ({ qs: { page = 1 } = {} }: ServiceRequest) =>
		await Promise.resolve({
			results: Number(page) <= 2 ? [{ id: null }] : [],
			next: Number(page) < 2 ? 'page 2' : null,
		});
	const transport = { send } as unknown as Transport;
	const { warnings } = await readRows(transport, { ...CHARGE_QUERY, pageSize: 1 }, WHOLE);
	expect(warnings).toHaveLength(1);
});
