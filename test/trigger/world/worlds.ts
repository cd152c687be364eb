import fc from 'fast-check';
import type { Damage, EventName, Fate, Filters, Schedule, Settings, Step } from './schedule';
import { PLAIN_SETTINGS } from './schedule';
import { TIMESTAMP_FORMATS } from '../../../sandbox/timestamps';
import type { Fault, FaultKind } from './service/answers';
import { PLAIN_TRAITS, growsWithList } from './service/traits';
import type { Count, End, Order, Sizing, Timestamps, Traits } from './service/traits';
import { changeIn, weighted } from './worldChanges';

/** What may be unusual in a world. */
export type Feature =
	/** Lists by anything but the date, newest first. */
	| 'orders'
	/** What becomes of the page size, and how timestamps, ids and the envelope look. */
	| 'shapes'
	/** A count that is missing or wrong, a `next` that says nothing, a page behind the end. */
	| 'ends'
	/** Many charges of one timestamp, which change places between requests. */
	| 'ties'
	/** Charges that show late, or are dated ahead. */
	| 'late'
	| 'future'
	/** Charges come in, and change, between the requests of a poll. */
	| 'during'
	/** Start From a date or the beginning, and few charges told in a poll. */
	| 'backlog'
	| 'faults'
	| 'slow'
	/** Rows that make their page fail, or can't be read. */
	| 'poison'
	| 'unreadable'
	/** n8n dies and starts; its clock is wrong. */
	| 'restarts'
	| 'clock'
	/** Users publish, rename, change filters and credentials. */
	| 'users'
	/** States are damaged; polls overlap, results are discarded, registrations stay behind. */
	| 'damage'
	| 'overlap'
	/** Refunds and statuses, without and with a Status filter. */
	| 'changes'
	| 'statuses'
	/** More charges than can be remembered. */
	| 'overflow'
	/** Nothing happens but arrivals, and each poll is to be as cheap as it may. */
	| 'cheap';

const WORLDS = {
	plain: ['late', 'during'],
	cheap: ['cheap'],
	orders: ['orders', 'late', 'during'],
	shapes: ['orders', 'shapes', 'late', 'during'],
	ends: ['orders', 'shapes', 'ends', 'late', 'during', 'future'],
	endsPlain: ['orders', 'ends', 'backlog'],
	ties: ['ties', 'orders', 'shapes', 'late'],
	backlog: ['orders', 'shapes', 'backlog', 'late', 'during'],
	backlogEnds: ['orders', 'ends', 'backlog', 'late'],
	faults: ['orders', 'shapes', 'late', 'during', 'faults', 'backlog'],
	slow: ['orders', 'shapes', 'late', 'during', 'slow', 'faults'],
	poison: ['orders', 'poison', 'late', 'during'],
	poisonBacklog: ['orders', 'shapes', 'poison', 'backlog', 'restarts'],
	unreadable: ['shapes', 'ends', 'unreadable', 'late'],
	restarts: ['orders', 'late', 'restarts', 'faults', 'backlog'],
	clock: ['late', 'clock', 'restarts', 'backlog'],
	users: ['orders', 'late', 'users', 'restarts'],
	usersBacklog: ['orders', 'users', 'backlog', 'faults'],
	damage: ['orders', 'late', 'damage', 'restarts', 'faults'],
	overlap: ['orders', 'late', 'during', 'overlap', 'restarts', 'backlog'],
	changes: ['orders', 'changes', 'late', 'during'],
	changesRestarts: ['orders', 'shapes', 'changes', 'restarts', 'faults', 'overlap'],
	statuses: ['orders', 'statuses', 'changes', 'late'],
	statusesUsers: ['orders', 'statuses', 'changes', 'users', 'ends'],
	overflow: ['orders', 'ends', 'overflow', 'backlog', 'restarts'],
	everything: [
		...([
			'orders',
			'shapes',
			'ends',
			'late',
			'during',
			'backlog',
			'faults',
			'slow',
			'poison',
		] as const),
		...(['unreadable', 'restarts', 'overlap', 'changes', 'statuses'] as const),
	],
} satisfies Record<string, readonly Feature[]>;

export type WorldName = keyof typeof WORLDS;

export const worldNames = Object.keys(WORLDS) as WorldName[];

type Has = (feature: Feature) => boolean;

const ORDERS: readonly Order[] = [
	'newest',
	'oldest',
	'inserted',
	'insertedOldest',
	'changed',
	'amount',
	'shuffled',
];

function traitsIn(has: Has): fc.Arbitrary<Traits> {
	const when = <T>(feature: Feature, usual: T, ...others: T[]): fc.Arbitrary<T> =>
		has(feature) ? fc.constantFrom(usual, ...others) : fc.constant(usual);
	const orders =
		has('cheap') || has('clock') || has('ties')
			? ORDERS.slice(0, 2)
			: has('overflow')
				? ORDERS.slice(0, 4)
				: ORDERS;
	const isSorted = !has('orders') && !has('cheap') && !has('clock');
	const sizings: Sizing[] = ['capped', 'capped', 'fixed', 'whole'];
	const ends: End[] = [404, 'empty', 400, 416, 422, 'lastAgain'];
	const size = has('cheap') ? fc.constantFrom(10, 25, 100) : fc.integer({ min: 3, max: 20 });
	return fc
		.record({
			order: isSorted ? fc.constant<Order>('newest') : fc.constantFrom(...orders),
			tiesMove: when('ties', false, true),
			sizing: has('shapes') ? fc.constantFrom(...sizings) : fc.constant<Sizing>('capped'),
			size: has('shapes')
				? fc.oneof(weighted(6, size), weighted(1, fc.constantFrom(1, 2, 30)))
				: size,
			end: has('ends') ? fc.constantFrom(...ends) : fc.constantFrom<End>(404, 'empty'),
			next: when<Traits['next']>('ends', 'present', 'absent', 'always', 'never'),
			// Where charges are told by their position, nothing but the count shows that one is missing.
			count: when<Count>(
				'ends',
				'exact',
				has('backlog') || has('overflow') ? 'exact' : 'off',
				...(['exact', 'absent', 'null', 'text', 'page', 'most'] as const),
			),
			countOff: has('ends') ? fc.constantFrom(1, -1, 2, 7, -7) : fc.constant(0),
			isWrapped: when<boolean>('shapes', false, true),
			timestamps: when<Timestamps>('shapes', ...([...TIMESTAMP_FORMATS, 'noZone'] as const)),
			hasNumericIds: when<boolean>('shapes', false, false, true),
			latencyMs: when('slow', 0, 100, 2_000, 9_000, 25_000),
		})
		.map((traits) => ({ ...PLAIN_TRAITS, ...traits, ...withSenseIn(traits) }));
}

/** Leaves out services that contradict their document in a way that nobody could see. */
function withSenseIn(traits: Traits): Partial<Traits> {
	const { count, countOff, end, next, order, tiesMove } = traits;
	const isTrue = count === 'exact' || count === 'text';
	const isLow = !growsWithList(traits) || (count === 'off' && countOff < 0);
	const hidesMore = isLow && (next === 'never' || next === 'absent');
	const isBelieved = count === 'page' || count === 'most' || count === 'off';
	return {
		countOff: count === 'off' ? countOff : 0,
		// That no page follows is believed where no count says otherwise.
		...(hidesMore && (next === 'never' || isBelieved) ? { next: 'present' as const } : {}),
		// Where rows change places between requests, only a count shows that one is missing.
		...(tiesMove && !isTrue ? { count: 'exact' as const } : {}),
		// A charge that shows below those that are later than a lookback is missed where the count does not move.
		...(count === 'most' && /inserted|changed/.test(order) ? { count: 'exact' as const } : {}),
		...(end === 422 && isTrue && next === 'present' ? { end: 500 as const } : {}),
	};
}

const EVENTS: readonly EventName[][] = [
	['charge.created', 'charge.refunded', 'charge.statusChanged'],
	['charge.created', 'charge.refunded'],
	['charge.refunded', 'charge.statusChanged'],
];

const PLAIN_FILTERS: readonly Filters[] = [
	{},
	{ currency: 'EUR' },
	{ currency: 'USD' },
	{ type: 'link' },
	{ customerId: '00000000-0000-4000-8000-000000000001' },
];

function filtersIn(has: Has): fc.Arbitrary<Filters> {
	const plain = has('users') ? fc.constantFrom(...PLAIN_FILTERS) : fc.constant<Filters>({});
	if (!has('statuses')) return plain;
	const statuses = fc.constantFrom(['captured'], ['captured', 'settled'], ['authorised']);
	return fc.oneof(
		weighted(1, plain),
		weighted(
			3,
			fc
				.record({ filters: plain, statuses })
				.map(({ filters, statuses: chosen }) => ({ ...filters, statuses: chosen })),
		),
	);
}

function settingsIn(has: Has): fc.Arbitrary<Settings> {
	const events = has('statuses') ? [['charge.created'] as EventName[], ...EVENTS] : EVENTS;
	return fc.record({
		events: has('changes') ? fc.constantFrom(...events) : fc.constant(PLAIN_SETTINGS.events),
		filters: filtersIn(has),
		startFrom: has('backlog')
			? fc.constantFrom<Settings['startFrom']>('now', 'now', 'beginning', 'date')
			: fc.constant<Settings['startFrom']>('now'),
		lookbackMinutes: has('cheap') ? fc.constant(60) : fc.constantFrom(60, 60, 240, 15, 5),
		maxCharges: has('backlog') ? fc.constantFrom(5_000, 7, 40) : fc.constant(5_000),
		watchDays: fc.constantFrom(7, 2),
		sweepPages: has('changes') ? fc.integer({ min: 1, max: 5 }) : fc.constant(5),
	});
}

const FAULT_KINDS: readonly FaultKind[] = [
	...([500, 503, 429, 'reset', 'hang'] as const),
	...([400, 401, 404, 'html', 'noResults', 'nothing'] as const),
];

/** Where page after page is said not to be there, the list has ended, unless it is said of all pages. */
const isSaid404 = ({ kind, times }: Fault): boolean => (kind === 400 || kind === 404) && times > 1;

function faultsIn(has: Has): fc.Arbitrary<Fault[]> {
	if (!has('faults')) return fc.constant([]);
	const fault = fc.record({
		kind: fc.constantFrom(...FAULT_KINDS),
		from: fc.integer({ min: 1, max: 6 }),
		times: fc.constantFrom(1, 4, 1_000),
	});
	return fc.oneof(
		weighted(4, fc.constant<Fault[]>([])),
		weighted(
			1,
			fault.map((one) => [isSaid404(one) ? { ...one, from: 1 } : one]),
		),
	);
}

function fateIn(has: Has): fc.Arbitrary<Fate> {
	const fates: Array<fc.WeightedArbitrary<Fate>> = [weighted(8, fc.constant<Fate>('kept'))];
	if (has('restarts')) fates.push(weighted(1, fc.constant<Fate>('crash')));
	if (has('overlap'))
		fates.push(weighted(3, fc.constantFrom<Fate>('overlap', 'pair', 'discarded')));
	return fc.oneof(...fates);
}

const doing = <T extends Step['do']>(what: T): fc.Arbitrary<T> => fc.constant(what);

function pollIn(has: Has): fc.Arbitrary<Step> {
	const during = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), changeIn(has)), {
		maxLength: 3,
	});
	return fc.record({
		do: doing('poll'),
		waitS: has('cheap')
			? fc.integer({ min: 60, max: 600 })
			: fc.oneof(
					weighted(2, fc.constant(59)),
					weighted(1, fc.integer({ min: 10, max: 3 * 3_600 })),
				),
		...(has('faults') ? { faults: faultsIn(has) } : {}),
		...(has('during') ? { during } : {}),
		fate: fateIn(has),
	});
}

function stepIn(has: Has): fc.Arbitrary<Step> {
	const steps: Array<fc.WeightedArbitrary<Step>> = [
		weighted(8, changeIn(has)),
		weighted(10, pollIn(has)),
	];
	const faults = faultsIn(has);
	if (has('restarts')) steps.push(weighted(2, fc.record({ do: doing('restart'), faults })));
	if (has('clock')) {
		const errorS = fc.integer({ min: -6 * 3_600, max: 6 * 3_600 });
		steps.push(weighted(1, fc.record({ do: doing('clock'), errorS })));
	}
	if (has('slow')) {
		const ms = fc.constantFrom(0, 1_000, 9_000, 25_000);
		steps.push(weighted(1, fc.record({ do: doing('latency'), ms })));
	}
	if (has('users')) {
		steps.push(
			weighted(1, fc.record({ do: doing('publish'), faults })),
			weighted(1, fc.record({ do: doing('rename') })),
			weighted(2, fc.record({ do: doing('filters'), filters: filtersIn(has) })),
			weighted(1, fc.record({ do: doing('renew'), what: fc.constantFrom('key', 'baseUrl') })),
		);
		const count = fc.integer({ min: 0, max: 40 });
		if (!has('statuses')) steps.push(weighted(1, fc.record({ do: doing('account'), count })));
	}
	if (has('damage')) {
		const how = fc.constantFrom<Damage>('value', 'field', 'version', 'emptied');
		steps.push(weighted(2, fc.record({ do: doing('damage'), how, seed: fc.nat(1_000) })));
	}
	if (has('overlap')) steps.push(weighted(1, fc.record({ do: doing('second') })));
	return fc.oneof(...steps);
}

/** Random lives of a trigger in a world, that shrink towards the usual. */
export function schedulesIn(world: WorldName): fc.Arbitrary<Schedule> {
	const features: readonly Feature[] = WORLDS[world];
	const has: Has = (feature) => features.includes(feature);
	const isTimed = has('clock');
	return fc
		.record({
			traits: traitsIn(has),
			settings: settingsIn(has),
			isDurable: fc.boolean(),
			hostErrorS: isTimed ? fc.integer({ min: -6 * 3_600, max: 6 * 3_600 }) : fc.constant(0),
			keys: has('overflow') ? fc.constantFrom(60, 30) : fc.constant(0),
			history: fc.record({
				count: has('cheap')
					? fc.integer({ min: 20, max: 300 })
					: fc.integer({ min: has('overflow') ? 20 : 0, max: 120 }),
				gapS: fc.constantFrom(600, 60, 5, 7_200),
			}),
			faults: faultsIn(has),
			isCheap: fc.constant(has('cheap')),
			steps: fc.array(stepIn(has), { minLength: 4, maxLength: 24, size: 'max' }),
		})
		.map((schedule) => (schedule.traits.size < 3 ? small(schedule) : schedule));
}

/** With so small pages a long list takes more requests than anybody sends. */
const small = (schedule: Schedule): Schedule => ({
	...schedule,
	history: { ...schedule.history, count: Math.min(schedule.history.count, 12) },
	steps: schedule.steps.map((step) =>
		step.do === 'arrive' ? { ...step, count: Math.min(step.count, 4) } : step,
	),
});
