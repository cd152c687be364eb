import fc from 'fast-check';
import { CHARGE_EVENT_NAMES, WATCHED_EVENTS } from '../../../nodes/shared/records/chargeEvents';
import type { EventName } from '../../../nodes/shared/records/recordEvents';
import { TIMESTAMP_FORMATS } from '../../../sandbox/timestamps';
import { PLAIN_SETTINGS } from './schedule';
import type { Filters, Schedule, Settings, Step, Ticks } from './schedule';
import { PLAIN_TRAITS, growsWithList, isByDate } from './service/traits';
import type { Count, End, Order, Sizing, Timestamps, Traits } from './service/traits';
import { absurdCountsIn, duringIn, firstFaultsIn, stepIn, weighted } from './worldSteps';

/** An unusual part of a world. */
export type Feature =
	/** Any order and page size, and any look of timestamps, ids and the envelope. */
	| 'lists'
	/** A count that is missing or wrong, a useless `next`, a page past the end. */
	| 'ends'
	/** Many charges of one timestamp, which change places between requests. */
	| 'ties'
	/** Charges that show late, also between the requests of a poll. */
	| 'late'
	/** An absurd count for a poll or two. */
	| 'absurd'
	/** Charges that are dated ahead. */
	| 'future'
	/** Start From is a date or the beginning, and a poll emits few charges. */
	| 'backlog'
	/** Needs `backlog`: the list is sorted by date, and has more charges at the start than a poll emits. */
	| 'many'
	/** A service that fails, or is slow. */
	| 'faults'
	/** The service is down at the first poll. */
	| 'outage'
	/** Rows that make their page fail, or can't be read. */
	| 'rows'
	/** Ticks with their own contexts, and a service so slow that each has time for one request. */
	| 'slow'
	/** n8n dies and starts; its clock is wrong. */
	| 'restarts'
	| 'clock'
	/** n8n's clock is far ahead for one poll. */
	| 'jumps'
	/** Users publish, rename, change filters and credentials. */
	| 'users'
	/** States are damaged; polls overlap, results are discarded, old registrations remain. */
	| 'damage'
	| 'overlap'
	/** Refunds and statuses, without and with a Status filter. */
	| 'changes'
	/** More charges than can be remembered. */
	| 'overflow'
	/** Only new charges arrive, and each poll is checked for its costs. */
	| 'cheap';

const WORLDS = {
	plain: ['late'],
	cheap: ['cheap'],
	cheapEnds: ['cheap', 'ends'],
	cheapLists: ['cheap', 'lists'],
	cheapChanges: ['cheap', 'changes'],
	lists: ['lists', 'late'],
	ends: ['lists', 'ends', 'late', 'future'],
	ties: ['ties', 'lists', 'late'],
	backlog: ['lists', 'ends', 'backlog', 'late'],
	absurd: ['lists', 'absurd', 'late'],
	absurdBacklog: ['lists', 'absurd', 'backlog', 'late'],
	absurdMany: ['many', 'lists', 'absurd', 'backlog', 'restarts'],
	absurdChanges: ['lists', 'ends', 'absurd', 'changes', 'restarts', 'faults'],
	faults: ['lists', 'late', 'faults', 'backlog'],
	rows: ['lists', 'ends', 'rows', 'late'],
	rowsBacklog: ['lists', 'rows', 'backlog', 'restarts'],
	many: ['many', 'lists', 'ends', 'backlog', 'late'],
	rowsMany: ['many', 'lists', 'rows', 'backlog', 'restarts'],
	restarts: ['lists', 'late', 'restarts', 'faults', 'backlog'],
	slow: ['slow', 'lists', 'ends', 'late', 'restarts', 'backlog'],
	slowChanges: ['slow', 'lists', 'changes', 'late', 'restarts', 'backlog'],
	clock: ['late', 'clock', 'restarts', 'backlog'],
	clockSlow: ['slow', 'late', 'clock'],
	clockLists: ['lists', 'late', 'clock', 'outage'],
	jumps: ['lists', 'late', 'jumps', 'restarts', 'backlog'],
	ahead: ['lists', 'late', 'future', 'outage', 'restarts'],
	users: ['lists', 'late', 'users', 'restarts'],
	usersJumps: ['lists', 'late', 'users', 'jumps'],
	usersAhead: ['lists', 'late', 'users', 'future'],
	usersBacklog: ['lists', 'users', 'backlog', 'faults'],
	damage: ['lists', 'late', 'damage', 'restarts', 'faults'],
	damageUsers: ['lists', 'late', 'damage', 'users', 'jumps'],
	overlap: ['lists', 'late', 'overlap', 'restarts', 'backlog'],
	changes: ['lists', 'changes', 'late'],
	changesRestarts: ['lists', 'changes', 'restarts', 'faults', 'overlap'],
	changesUsers: ['lists', 'ends', 'changes', 'users'],
	changesRows: ['lists', 'rows', 'changes', 'late'],
	changesBacklog: ['lists', 'changes', 'users', 'backlog'],
	overflow: ['lists', 'ends', 'overflow', 'backlog', 'restarts'],
	everything: [
		...(['lists', 'ends', 'late', 'backlog', 'faults'] as const),
		...(['rows', 'restarts', 'overlap', 'changes'] as const),
	],
} satisfies Record<string, readonly Feature[]>;

export type WorldName = keyof typeof WORLDS;

export const worldNames = Object.keys(WORLDS) as WorldName[];

export type Has = (feature: Feature) => boolean;

const ORDERS: readonly Order[] = [
	'newest',
	'oldest',
	'inserted',
	'insertedOldest',
	'changed',
	'status',
	'amount',
	'shuffled',
];

function traitsIn(has: Has): fc.Arbitrary<Traits> {
	const when = <T>(feature: Feature, usual: T, ...others: T[]): fc.Arbitrary<T> =>
		has(feature) ? fc.constantFrom(usual, ...others) : fc.constant(usual);
	const orderCount =
		has('ties') || has('many') || !has('lists') ? 2 : has('overflow') ? 4 : ORDERS.length;
	// A list by status can move changed charges below the watched ones.
	const orders = ORDERS.filter((order) => order !== 'status' || !has('changes'));
	const size = has('cheap') ? fc.constantFrom(10, 25, 100) : fc.integer({ min: 3, max: 20 });
	return fc
		.record({
			order: fc.constantFrom(...orders.slice(0, orderCount)),
			tiesMove: when('ties', false, true),
			sizing: when<Sizing>('lists', 'capped', 'capped', 'fixed', 'whole'),
			size: has('lists')
				? fc.oneof(weighted(6, size), weighted(1, fc.constantFrom(1, 2, 30)))
				: size,
			end: when<End>('ends', 404, 'empty', 400, 416, 422, 'lastAgain'),
			next: when<Traits['next']>(
				'ends',
				'present',
				'absent',
				has('cheap') ? 'absent' : 'always',
				'never',
			),
			// If charges are emitted by position, only the count shows that one is missing.
			count: when<Count>(
				'ends',
				'exact',
				has('backlog') || has('overflow') || has('cheap') ? 'exact' : 'off',
				...(has('cheap')
					? (['exact', 'text'] as const)
					: (['exact', 'absent', 'null', 'text', 'page', 'most'] as const)),
			),
			countOff: when('ends', 1, -1, 2, 7, -7),
			isWrapped: when<boolean>('lists', false, true),
			timestamps: when<Timestamps>('lists', ...([...TIMESTAMP_FORMATS, 'noZone'] as const)),
			hasNumericIds: when<boolean>('lists', false, false, true),
			latencyMs: has('slow')
				? fc.integer({ min: 20_000, max: 28_000 })
				: when('faults', 0, 100, 2_000, 9_000, 25_000),
		})
		.map((traits) => (has('absurd') ? { ...traits, ...countedIn(traits) } : traits))
		.map((traits) => ({ ...PLAIN_TRAITS, ...traits, ...withSenseIn(traits) }));
}

/** Without a plausible count, a poll believes a `next` of null, and takes a whole list that is sent again for its next page. */
const countedIn = ({ next, end, sizing }: Pick<Traits, 'next' | 'end' | 'sizing'>) => ({
	next: next === 'never' ? ('present' as const) : next,
	end: sizing === 'whole' && end === 'lastAgain' ? (404 as const) : end,
});

/** Leaves out services that contradict their documentation in a way that no client could notice. */
function withSenseIn(traits: Traits): Partial<Traits> {
	const { count, countOff, end, next, order, size, tiesMove } = traits;
	const isTrue = count === 'exact' || count === 'text';
	const isLow = !growsWithList(traits) || (count === 'off' && countOff < 0);
	const hidesMore = isLow && (next === 'never' || next === 'absent');
	const isBelieved = count === 'page' || count === 'most' || count === 'off';
	const showsMore = isTrue && next === 'present' && !tiesMove;
	return {
		// If as many charges come in between two requests as a small page has, the next page looks like the one before.
		size: showsMore ? size : Math.max(3, size),
		countOff: count === 'off' ? countOff : 0,
		// The trigger believes a `next` of null if no count contradicts it.
		...(hidesMore && (next === 'never' || isBelieved) ? { next: 'present' as const } : {}),
		// If rows change places between requests, only a count shows that one is missing.
		...(tiesMove && !isTrue ? { count: 'exact' as const } : {}),
		// A charge that shows below older ones is missed if the count doesn't change.
		...(count === 'most' && /inserted|changed|status/.test(order)
			? { count: 'exact' as const }
			: {}),
		...(end === 422 && isTrue && next === 'present' ? { end: 500 as const } : {}), // Count and next show the end, too.
	};
}

const EVENTS: readonly EventName[][] = [
	...CHARGE_EVENT_NAMES.map((name) => [name]),
	[...CHARGE_EVENT_NAMES],
	['charge.created', 'charge.refunded'],
	WATCHED_EVENTS,
];

const PLAIN_FILTERS: readonly Filters[] = [
	{},
	{ currency: 'EUR' },
	{ currency: 'USD' },
	{ type: 'link' },
	{ customerId: '00000000-0000-4000-8000-000000000001' },
];

/** The list may be one of customers if filters and changes are left out. */
function eventsIn(has: Has): readonly EventName[][] {
	if (has('changes')) return EVENTS;
	return has('users') ? [['charge.created']] : [['charge.created'], ['customer.created']];
}

function filtersIn(has: Has): fc.Arbitrary<Filters> {
	const plain = has('users') ? fc.constantFrom(...PLAIN_FILTERS) : fc.constant<Filters>({});
	if (!has('changes')) return plain;
	const statuses = fc.constantFrom(['captured'], ['captured', 'settled'], ['authorised']);
	return fc.oneof(
		plain,
		fc.tuple(plain, statuses).map(([filters, chosen]) => ({ ...filters, statuses: chosen })),
	);
}

function startsIn(has: Has): Array<Settings['startFrom']> {
	if (has('many')) return ['beginning', 'date'];
	return has('backlog') ? ['now', 'beginning', 'date'] : ['now'];
}

function maxChargesIn(has: Has): number[] {
	const { maxCharges } = PLAIN_SETTINGS;
	if (has('many')) return [7, 40];
	return has('backlog') ? [maxCharges, 7, 40] : [maxCharges];
}

function settingsIn(has: Has): fc.Arbitrary<Settings> {
	return fc.record({
		events: fc.constantFrom(...eventsIn(has)),
		filters: filtersIn(has),
		startFrom: fc.constantFrom(...startsIn(has)),
		lookbackMinutes: has('cheap') ? fc.constant(60) : fc.constantFrom(60, 60, 240, 15, 5),
		maxCharges: fc.constantFrom(...maxChargesIn(has)),
		watchDays: fc.constantFrom(30, 2),
		sweepPages: has('changes') ? fc.integer({ min: 1, max: 5 }) : fc.constant(5),
	});
}

function leastHistoryIn(has: Has): number {
	if (has('many')) return 80;
	return has('overflow') ? 20 : 0;
}

/** Random schedules in a world, which shrink towards the usual. */
export function schedulesIn(world: WorldName): fc.Arbitrary<Schedule> {
	const features: readonly Feature[] = WORLDS[world];
	const has: Has = (feature) => features.includes(feature);
	return fc
		.record({
			traits: traitsIn(has),
			settings: settingsIn(has),
			ticks: has('slow')
				? fc.constantFrom<Ticks>('durable', 'scheduled')
				: fc.constantFrom<Ticks>('registered', 'durable', 'scheduled'),
			hostErrorS: has('clock') ? fc.integer({ min: -6 * 3_600, max: 6 * 3_600 }) : fc.constant(0),
			keys: has('overflow') ? fc.constantFrom(60, 30) : fc.constant(0),
			history: fc.record({
				count: has('cheap')
					? fc.integer({ min: 20, max: 300 })
					: fc.integer({ min: leastHistoryIn(has), max: has('backlog') ? 240 : 120 }),
				gapS: fc.constantFrom(600, 60, 5, 7_200),
				...(has('changes') ? { isChanged: fc.boolean() } : {}),
				...(has('rows') && has('many') ? { poisoned: fc.constantFrom(undefined, 61, 30, 9) } : {}),
				...(has('absurd') ? { miscount: fc.option(absurdCountsIn(has), { nil: undefined }) } : {}),
				...(has('future') ? { aheadS: fc.constantFrom(undefined, 5, 600, 259_200) } : {}),
			}),
			faults: firstFaultsIn(has),
			during: duringIn(has),
			isCheap: fc.constant(has('cheap')),
			isSlow: fc.constant(has('slow')),
			steps: fc.array(stepIn(has, filtersIn(has)), { minLength: 4, maxLength: 24, size: 'max' }),
		})
		.map((schedule) => (schedule.traits.size < 3 ? small(schedule) : schedule))
		.map((schedule) => (countsPositions(schedule) ? inUnorderedList(schedule) : schedule));
}

const countsPositions = ({ traits, settings: { startFrom, maxCharges } }: Schedule): boolean =>
	startFrom !== 'now' && maxCharges < PLAIN_SETTINGS.maxCharges && !isByDate(traits);

/** Leaves out what docs/trigger.md excuses if an unordered list has more charges than a poll emits: failing pages, and a start date. */
const inUnorderedList = (schedule: Schedule): Schedule => ({
	...schedule,
	settings: { ...schedule.settings, startFrom: 'beginning' },
	faults: [],
	during: harmless(schedule.during),
	steps: schedule.steps
		.filter((step) => step.do !== 'poison')
		.map((step) => ('faults' in step ? { ...step, faults: [] } : step))
		.map((step) => (step.do === 'poll' ? { ...step, during: harmless(step.during) } : step)),
});

const harmless = (during: Schedule['during'] = []) =>
	during.filter(([, change]) => change.do !== 'poison');

/** Shortens a list with small pages, which would take too many requests. */
const small = (schedule: Schedule): Schedule => ({
	...schedule,
	history: { ...schedule.history, count: Math.min(schedule.history.count, 12) },
	during: fewDuring(schedule.during),
	steps: schedule.steps.map((step) =>
		step.do === 'poll' ? { ...step, during: fewDuring(step.during) } : few(step),
	),
});

const few = <T extends Step>(step: T): T =>
	step.do === 'arrive' ? { ...step, count: Math.min(step.count, 4) } : step;

const fewDuring = (during: Schedule['during'] = []) =>
	during.map(([at, change]) => [at, few(change)] as const);
