import fc from 'fast-check';
import { kindOf } from './changeArbitraries';
import type { Scope } from './scopes';
import {
	eventsOf,
	faultsOf,
	filters,
	hostError,
	lookbackOf,
	maxCharges,
	statusesOf,
	stepOf,
	sweepPages,
	watchDays,
} from './stepArbitraries';
import { atPace } from './pace';
import { pagesKept, rememberingFew } from './overflow';
import type { Schedule } from './steps';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time';
import { TIMESTAMPS } from '../service/traits';
import type { Quirk, ServiceTraits } from '../service/traits';
import { NO_FILTERS } from '../userChoices';
import type { TriggerSettings } from '../userChoices';

const small = fc.integer({ min: 4, max: 20 });
const tiny = fc.integer({ min: 4, max: 8 });

function pageSize(scope: Scope): fc.Arbitrary<ServiceTraits['pageSize']> {
	const cap = scope.overflow ? tiny : fc.oneof(small, fc.constant(100));
	const capped = fc.record({ kind: kindOf('capped'), cap });
	if (!scope.oddPages) return capped;
	return fc.oneof(
		capped,
		fc.record({ kind: kindOf('fixed'), size: small }),
		fc.record({ kind: kindOf('some'), sizes: fc.constantFrom([4, 10, 20], [20, 50, 100], [7]) }),
		fc.record({ kind: kindOf('tens'), cap: fc.constantFrom(20, 30, 100) }),
	);
}

function count(scope: Scope): fc.Arbitrary<ServiceTraits['count']> {
	const exact = fc.record({ kind: kindOf('exact') });
	if (!scope.oddCounts) return exact;
	const none = ['missing', 'null', 'negative', 'text', 'garbage'] as const;
	return fc.oneof(exact, fc.record({ kind: fc.constantFrom(...none) }));
}

const quirk: fc.Arbitrary<Quirk> = fc.oneof(
	fc.record({ kind: kindOf('twice'), every: fc.constantFrom(2, 3, 7, 30) }),
	fc.record({
		kind: kindOf('replicas'),
		lagMs: fc.constantFrom(500, 30 * SECOND_MS, 5 * MINUTE_MS),
	}),
	fc.record({ kind: kindOf('resized'), caps: fc.constantFrom([20, 5], [10, 100, 20]) }),
);

const wrongCount: fc.Arbitrary<ServiceTraits['count']> = fc.oneof(
	fc.record({ kind: kindOf('off'), by: fc.constantFrom(-3, -1, 1, 2, 30) }),
	fc.record({ kind: kindOf('constant'), value: fc.constantFrom(0, 1, 12, 1_000) }),
	fc.record({ kind: kindOf('most'), value: fc.constantFrom(1, 12, 40) }),
	fc.record({ kind: kindOf('page') }),
);

function traitsOf(
	scope: Scope,
	counts: fc.Arbitrary<ServiceTraits['count']>,
): fc.Arbitrary<ServiceTraits> {
	const odd = <Value>(value: Value, ...others: Value[]) =>
		scope.oddPages ? fc.constantFrom(value, ...others) : fc.constant(value);
	return fc
		.record({
			order: fc.constantFrom(...scope.orders),
			tiesMove: scope.unsteady ? fc.boolean() : fc.constant(false),
			pageSize: pageSize(scope),
			end: odd<ServiceTraits['end']>(
				'notFound',
				'empty',
				'lastAgain',
				'badRequest',
				'unprocessable',
				'broken',
			),
			next: odd<ServiceTraits['next']>('present', 'absent', 'endless', 'never'),
			count: counts,
			envelope: odd<ServiceTraits['envelope']>('object', 'array'),
			timestamps: odd<ServiceTraits['timestamps']>('millis', 'mixed', ...TIMESTAMPS),
			...(scope.quirks ? { quirk } : {}),
			...(scope.choices === true && scope.watch ? { isUndated: fc.boolean() } : {}),
			latencyMs: scope.slow ? fc.constantFrom(0, 200, 3_000, 25_000) : fc.constant(0),
		})
		.map(tellingWhileSlow);
}

/** A failure that takes a whole poll tells nothing, so no poll could get past an end that fails. */
const tellingWhileSlow = (traits: ServiceTraits): ServiceTraits =>
	traits.latencyMs > 20 * SECOND_MS && traits.end === 'broken'
		? { ...traits, end: 'badRequest' }
		: traits;

function triggerOf(scope: Scope): fc.Arbitrary<TriggerSettings> {
	return fc.record({
		events: eventsOf(scope.watch),
		filters: scope.users ? filters : fc.constant(NO_FILTERS),
		statuses: statusesOf(scope.watch),
		startFrom: scope.watch
			? fc.constant('now' as const)
			: fc.constantFrom('now' as const, 'now' as const, 'beginning' as const, 'date' as const),
		lookbackMinutes: lookbackOf(scope),
		maxCharges,
		watchDays,
		sweepPages,
	});
}

/**
 * Schedules of a world; most are short, some are long. Of a service whose count is wrong all else that it says of its
 * list is right: otherwise nobody could tell what is.
 */
export function schedules(scope: Scope): fc.Arbitrary<Schedule> {
	const usual = schedulesOf(scope, count(scope));
	if (!scope.oddCounts) return usual;
	const sound = { ...scope, faults: false, slow: false, oddRows: false, unsteady: false };
	return fc.oneof(
		{ weight: 2, arbitrary: usual },
		{ weight: 1, arbitrary: schedulesOf(sound, wrongCount).map(sayingWhatFollows) },
	);
}

/** Nobody could tell that a list goes on, or ends where the service fails, if neither the count nor `next` says so. */
const sayingWhatFollows = (schedule: Schedule): Schedule => {
	const { traits } = schedule;
	return traits.next === 'never' || traits.end === 'broken'
		? { ...schedule, traits: { ...traits, next: 'present' } }
		: schedule;
};

/** So long after the poll before, copies that lag behind still show what came in since, within the lookback. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** What has to wait, above Max Charges per Poll or for long, is lost to a copy that lags behind and does not have it. */
const askingInTime = (schedule: Schedule): Schedule =>
	schedule.traits.quirk?.kind === 'replicas'
		? {
				...schedule,
				trigger: { ...schedule.trigger, maxCharges: 5_000 },
				steps: schedule.steps.map((step) =>
					step.kind === 'poll' ? { ...step, waitMs: Math.min(step.waitMs, MAX_WAIT_MS) } : step,
				),
			}
		: schedule;

function schedulesOf(
	scope: Scope,
	counts: fc.Arbitrary<ServiceTraits['count']>,
): fc.Arbitrary<Schedule> {
	const step = stepOf(scope);
	const schedule: fc.Arbitrary<Schedule> = fc.record({
		traits: traitsOf(scope, counts),
		trigger: triggerOf(scope),
		isDurable: fc.boolean(),
		hostErrorMs: hostError(scope),
		history: fc.record({
			count: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 80 })),
			gapMs: fc.constantFrom(0, 500, MINUTE_MS, HOUR_MS),
		}),
		firstFaults: faultsOf(scope),
		steps: fc.oneof(
			{ weight: 9, arbitrary: fc.array(step, { minLength: 1, maxLength: 10 }) },
			{ weight: 1, arbitrary: fc.array(step, { minLength: 10, maxLength: 40 }) },
		),
	});
	const inTime = schedule.map(askingInTime).map(atPace);
	if (!scope.overflow) return inTime;
	return fc.tuple(inTime, pagesKept).map(([made, pages]) => rememberingFew(made, pages));
}
