import { pollList } from '../../nodes/PaymentCollectionTrigger/poll';
import type { Page } from '../../nodes/PaymentCollectionTrigger/list/pages';
import type { PollSettings } from '../../nodes/PaymentCollectionTrigger/description/settings';
import { budgets } from '../../nodes/PaymentCollectionTrigger/state/datedKeys';
import type { Scope, TriggerState } from '../../nodes/PaymentCollectionTrigger/state/state';
import { StatusFilter } from '../../nodes/shared/records/charge';
import type { ServiceFailure } from '../../nodes/shared/errors/reportedError';
import { POLLED_RESOURCES } from '../../nodes/PaymentCollectionTrigger/description/settings';
import { EARLIEST, fromMs } from '../../nodes/shared/timestamps';
import { useFakeClock } from '../support/clock';
import { readFailure } from '../support/readFailure';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longest time of a poll. */
const READING_MS = 118_000;
/** Time of two attempts at a page that hangs. */
const HANG_MS = MINUTE_MS;

const settings: PollSettings = {
	resource: POLLED_RESOURCES.charge,
	events: new Set(['charge.created', 'charge.refunded']),
	statuses: new StatusFilter(undefined),
	filters: {},
	startFrom: undefined,
	lookbackMs: 60 * MINUTE_MS,
	maxEvents: 5_000,
	watchMs: 7 * DAY_MS,
	sweepPages: 5,
	fields: undefined,
	includeSensitiveData: false,
};

/** A list of charges by date, the newest first, and a trigger that polls it. */
class Scene {
	/** Creation time of each charge, the newest first. */
	readonly charges: number[];
	readonly emitted: string[] = [];
	state: TriggerState | undefined;
	requests = 0;
	/** The failure of a page. */
	fails: (page: number) => ServiceFailure | undefined = () => undefined;
	/** The list's order at a request of a poll. */
	order: (charges: number[], request: number) => number[] = (charges) => charges;

	hasCount = true;

	readonly clock = useFakeClock();

	constructor(
		count: number,
		private readonly pageSize: number,
		private readonly chosen: Partial<PollSettings> = {},
	) {
		const now = this.clock.now();
		this.charges = Array.from({ length: count }, (_, at) => now - (at + 1) * MINUTE_MS);
	}

	/** Lets pages hang until the node's timeout. */
	hang(isHanging: (page: number) => boolean): void {
		this.fails = (page) => {
			if (!isHanging(page)) return undefined;
			this.clock.advance(HANG_MS);
			return readFailure({ kind: 'timeout' });
		};
	}

	/** Polls repeatedly, each time after half an hour and a new charge. */
	async pollEachHalfHour(times: number): Promise<void> {
		for (let poll = 0; poll < times; poll++) {
			this.clock.advance(30 * MINUTE_MS);
			this.arrive(1);
			await this.poll();
		}
	}

	/** Adds charges created from `agoMs` ago back, one a second. */
	arrive(count: number, agoMs = 1_000): void {
		for (let at = 0; at < count; at++) this.charges.push(this.clock.now() - agoMs - at * 1_000);
		this.charges.sort((one, other) => other - one);
	}

	async poll(scope: Partial<Scope> = {}): Promise<string[]> {
		const { state } = this;
		this.requests = 0;
		const nowMs = this.clock.now();
		const result = await pollList({
			scope: { owner: 'one', apiKey: 'one', query: 'one', ...scope },
			former: {
				hasRun: state !== undefined,
				state,
				...(state && { polledAt: state.polledAt, newest: state.newest }),
			},
			settings: { ...settings, ...this.chosen },
			fetchPage: async (number) => await this.fetchPage(number),
			nowMs,
			deadlineMs: nowMs + READING_MS,
		});
		this.emitted.push(...result.events.map(({ listed }) => listed.id));
		this.state = JSON.parse(JSON.stringify(result.state)) as TriggerState;
		return result.warnings;
	}

	private async fetchPage(number: number): Promise<Page> {
		this.requests += 1;
		const failed = this.fails(number);
		if (failed !== undefined) throw failed;
		const { pageSize } = this;
		const charges = this.order(this.charges, this.requests);
		return await Promise.resolve({
			number,
			rows: charges.slice((number - 1) * pageSize, number * pageSize).map((created) => ({
				id: String(created),
				key: String(created).slice(-10),
				created: fromMs(created),
				status: 'authorised',
				record: {},
			})),
			count: this.hasCount ? charges.length : undefined,
			hasNext: number * pageSize < charges.length,
		});
	}
}

it.each([[[3]], [[4, 5, 6]]])(
	'pages %p that hang stop neither rounds, nor the watched days, nor new charges',
	async (pages) => {
		const scene = new Scene(100, 10);
		scene.hang((page) => pages.includes(page));
		await scene.pollEachHalfHour(80);
		expect(scene.emitted.length).toBeGreaterThanOrEqual(77);
		expect(scene.state?.lastRound).toBeDefined();
		expect(scene.state?.watch?.isComplete).toBe(true);
	},
);

it('the first poll ends the beginning, even if each reading shows one more charge', async () => {
	const scene = new Scene(20, 10);
	// A reading is two requests. Page 1 has some charges of page 2 in place of its own, and each time one less.
	scene.order = (charges, request) =>
		charges.map((charge, at) => (at >= request / 2 && at < 5 ? (charges[at + 10] ?? 0) : charge));
	await scene.poll();
	scene.arrive(1, 2_000);
	await scene.poll();
	expect(scene.emitted).toHaveLength(1);
});

it('charges that were found without a count are not searched for once the list has a count again', async () => {
	const scene = new Scene(0, 10, { events: new Set(['charge.created']) });
	await scene.poll();
	await scene.poll();
	scene.hasCount = false;
	scene.arrive(35, 2_000);
	await scene.poll();
	expect(scene.emitted).toHaveLength(35);
	scene.hasCount = true;
	await scene.poll();
	expect([scene.state?.listFacts.accounted, scene.requests]).toEqual([35, 1]);
});

it('new charges are emitted even if only the first page can be read', async () => {
	const scene = new Scene(100, 10);
	await scene.poll();
	scene.hang((page) => page > 1);
	await scene.pollEachHalfHour(40);
	expect(scene.emitted.length).toBeGreaterThanOrEqual(39);
});

it('no old charge is emitted if the last page of an oldest-first list fails, and one in its middle', async () => {
	const scene = new Scene(65, 8);
	scene.order = (charges) => charges.toReversed();
	const broken = [5, 9];
	scene.fails = (page) =>
		broken.includes(page) ? readFailure({ kind: 'http', status: 500 }) : undefined;
	await scene.poll();
	scene.arrive(10, 20 * MINUTE_MS);
	await scene.poll();
	expect(scene.emitted).toEqual([]);
});

it('late charges are emitted, and rounds continue, even if every poll has a backlog', async () => {
	const scene = new Scene(200, 100);
	const { clock } = scene;
	const late: number[] = [];
	for (let day = 0; day < 8; day++) {
		await scene.poll();
		// Created before this poll, and listed after it.
		scene.arrive(1, 10 * MINUTE_MS + 500);
		late.push(clock.now() - 10 * MINUTE_MS - 500);
		clock.advance(DAY_MS);
		scene.arrive(4_500);
	}
	await scene.poll();
	await scene.poll();
	expect(late.slice(1).filter((created) => !scene.emitted.includes(String(created)))).toEqual([]);
	expect(scene.emitted.length).toBeGreaterThanOrEqual(8 * 4_500);
	expect(scene.state?.watch?.isComplete).toBe(true);
});

it('a round that a rate limit stopped continues in the next poll', async () => {
	const scene = new Scene(3_000, 10);
	const { clock } = scene;
	scene.fails = () =>
		scene.requests > 60 ? readFailure({ kind: 'http', status: 429 }) : undefined;
	for (let poll = 0; poll < 12; poll++) {
		clock.advance(5 * MINUTE_MS);
		await scene.poll();
	}
	expect(scene.state?.learning).toBeUndefined();
});

it('charges that show below all others are emitted, and show a round that the list is not sorted by date', async () => {
	const scene = new Scene(300, 1, { events: new Set(['charge.created']) });
	const { clock } = scene;
	while (scene.state?.lastRound === undefined) await scene.poll();
	for (let polls = 0; polls < 2; polls++) {
		clock.advance(30 * MINUTE_MS);
		scene.charges.push(clock.now() - 34.5 * MINUTE_MS);
		await scene.poll();
	}
	expect(scene.emitted).toHaveLength(2);
	expect(scene.state.listFacts.order).toBe('unsorted');
});

it('a backlog leaves room for the watched days', async () => {
	const scene = new Scene(200, 10, { startFrom: EARLIEST, maxEvents: 20 });
	const before = { ...budgets };
	Object.assign(budgets, { recentKeys: 20, factKeys: 50 });
	while (scene.emitted.length < 200) await scene.poll();
	Object.assign(budgets, before);
	expect(scene.state?.watch?.facts).toBe('');
});

it.each(['newest first', 'oldest first'])(
	'a backlog, %s, costs a search for its first charge and each page once for what is emitted of it',
	async (order) => {
		const startFrom = fromMs(useFakeClock().now() - 1_000.5 * MINUTE_MS);
		const events = new Set(['charge.created'] as const);
		const scene = new Scene(5_000, 100, { events, startFrom, maxEvents: 40 });
		const wanted = scene.charges.slice(0, 1_000).toReversed().map(String);
		if (order === 'oldest first') scene.order = (charges) => charges.toReversed();
		await scene.poll();
		// The first poll also reads the first page and the last one, and searches among 50.
		let polls = 1;
		for (; scene.state?.backlog !== undefined; polls++) {
			expect(scene.requests).toBeLessThanOrEqual(polls === 1 ? 2 + 10 + 2 : 2);
			await scene.poll();
		}
		expect(polls).toBe(1_000 / 40);
		expect(scene.emitted).toEqual(wanted);
	},
);

it.each([
	['emits charges of the last Lookback, and says how to get the others', 2 * DAY_MS, 1],
	[
		'emits all charges without a warning if the last poll was within the Lookback',
		30 * MINUTE_MS,
		2,
	],
])('with another key, the trigger %s', async (_, pauseMs, count) => {
	const scene = new Scene(100, 10);
	const { clock } = scene;
	await scene.poll();
	const { polledAt } = scene.state ?? {};
	clock.advance(pauseMs);
	scene.arrive(1, pauseMs - MINUTE_MS);
	scene.arrive(1, 10 * MINUTE_MS);
	const warnings = await scene.poll({ apiKey: 'two', query: 'two' });
	expect(scene.emitted).toHaveLength(count);
	const from = fromMs(clock.now() - settings.lookbackMs);
	const isCutOff = count === 1;
	const gap = `from ${polledAt}Z to ${from}Z. To get them, run Charge: Get Events`;
	expect(warnings.some((text) => text.includes(gap))).toBe(isCutOff);
});

it('a round continues in two of three polls if each has time for one request', async () => {
	const scene = new Scene(1_000, 10, { events: new Set(['charge.created']) });
	const { clock } = scene;
	const pages: number[] = [];
	scene.fails = (page) => {
		pages.push(page);
		clock.advance(READING_MS * 0.6);
		return undefined;
	};
	let ofRound = 0;
	for (let poll = 0; poll < 60; poll++) {
		const next = scene.state?.round?.nextPage;
		await scene.poll();
		if (pages.at(-1) === next) ofRound += 1;
	}
	expect(pages).toHaveLength(60);
	expect(ofRound).toBeGreaterThanOrEqual(39);
});
