import fc from 'fast-check';
import type { Fault, FaultKind } from '../service/answers';
import { changeOf, duration, kindOf } from './changeArbitraries';
import { LEAST_WAIT_MS } from './pace';
import type { Scope } from './scopes';
import type { PollFate, Step } from './steps';
import { HOUR_MS, MINUTE_MS } from '../time';
import { NO_FILTERS } from '../userChoices';
import type { EventName, Filters } from '../userChoices';

const faultKind: fc.Arbitrary<FaultKind> = fc.constantFrom(
	'broken',
	'unavailable',
	'rateLimited',
	'unauthorized',
	'notFound',
	'badRequest',
	'reset',
	'refused',
	'hang',
	'html',
	'noResults',
	'nothing',
);

const fault: fc.Arbitrary<Fault> = fc
	.record({
		kind: faultKind,
		from: fc.integer({ min: 1, max: 6 }),
		length: fc.constantFrom(1, 4, 1_000),
	})
	.map(({ kind, from, length }) => ({ kind, from, to: from + length - 1 }));

export const faultsOf = (scope: Scope): fc.Arbitrary<Fault[]> =>
	scope.faults
		? fc.oneof(
				{ weight: 5, arbitrary: fc.constant<Fault[]>([]) },
				{ weight: 1, arbitrary: fault.map((one) => [one]) },
			)
		: fc.constant<Fault[]>([]);

const clockError = fc.oneof(
	fc.constant(0),
	fc.integer({ min: -10 * MINUTE_MS, max: 10 * MINUTE_MS }),
	fc.integer({ min: -6 * HOUR_MS, max: 6 * HOUR_MS }),
);

export const hostError = (scope: Scope): fc.Arbitrary<number> =>
	scope.crashes ? clockError : fc.constant(0);

export const filters: fc.Arbitrary<Filters> = fc.constantFrom(
	NO_FILTERS,
	NO_FILTERS,
	{ ...NO_FILTERS, currency: 'EUR' },
	{ ...NO_FILTERS, currency: 'USD' },
	{ ...NO_FILTERS, currency: 'GBP' },
	{ ...NO_FILTERS, type: 'link' },
	{ ...NO_FILTERS, customerId: '00000000-0000-4000-8000-000000000001' },
	{ ...NO_FILTERS, search: '1' },
);

export const lookbackOf = (scope: Scope): fc.Arbitrary<number> =>
	scope.quirks ? fc.constant(60) : fc.constantFrom(60, 60, 60, 240, 15, 5, 1);

export const maxCharges = fc.constantFrom(5_000, 5_000, 7, 40);

export const sweepPages = fc.integer({ min: 1, max: 5 });

const EVENTS: EventName[][] = [
	['charge.refunded', 'charge.statusChanged'],
	['charge.created', 'charge.refunded', 'charge.statusChanged'],
	['charge.created', 'charge.refunded'],
	['charge.created'],
];

const crashOf = (scope: Scope): fc.Arbitrary<Step> =>
	fc.oneof(
		{
			weight: 3,
			arbitrary: fc.record({ kind: kindOf('restart'), faults: faultsOf(scope) }),
		},
		{ weight: 1, arbitrary: fc.record({ kind: kindOf('hostClock'), errorMs: clockError }) },
	);

const userOf = (scope: Scope): fc.Arbitrary<Step> =>
	fc.oneof(
		fc.record({
			kind: kindOf('tune'),
			options: fc.record({ lookbackMinutes: lookbackOf(scope), maxCharges, sweepPages }),
		}),
		fc.record({ kind: kindOf('publish'), faults: faultsOf(scope) }),
		fc.record({ kind: kindOf('rename') }),
		fc.record({ kind: kindOf('filters'), filters }),
		fc.record({ kind: kindOf('filters'), filters }),
		fc.record({ kind: kindOf('account') }),
		fc.record({ kind: kindOf('renew') }),
	);

/** @param watch whether refunds and statuses happen */
export const eventsOf = (watch: boolean): fc.Arbitrary<EventName[]> =>
	watch ? fc.constantFrom(...EVENTS) : fc.constant<EventName[]>(['charge.created']);

export const statusesOf = (watch: boolean): fc.Arbitrary<string[] | null> =>
	watch ? fc.constantFrom(null, null, ['captured'], ['captured', 'authorised']) : fc.constant(null);

export const watchDays = fc.constantFrom(7, 2);

function choiceOf({ watch, faults }: Scope): fc.Arbitrary<Step> {
	const seldom = fc.oneof(
		fc.record({ kind: kindOf('renameAndRenew') }),
		fc.record({ kind: kindOf('visit'), faults: fc.array(fault, { maxLength: faults ? 1 : 0 }) }),
	);
	if (!watch) return seldom;
	const choice = fc.oneof(
		fc.record({ events: eventsOf(watch) }),
		fc.record({ statuses: statusesOf(watch) }),
		fc.record({ watchDays }),
		fc.record({ events: eventsOf(watch), statuses: statusesOf(watch) }),
	);
	return fc.oneof(
		{ weight: 3, arbitrary: fc.record({ kind: kindOf('choose'), choice }) },
		{ weight: 1, arbitrary: seldom },
	);
}

const state: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ kind: kindOf('rollback'), saves: fc.nat(3) }),
	fc.record({
		kind: kindOf('damage'),
		how: fc.constantFrom(
			'nines' as const,
			'nulls' as const,
			'cut' as const,
			'text' as const,
			'swapped' as const,
		),
		restarts: fc.boolean(),
	}),
	fc.record({ kind: kindOf('second'), saves: fc.nat(3) }),
);

function fateOf(scope: Scope): fc.Arbitrary<PollFate> {
	const fates = [{ weight: 8, arbitrary: fc.constant<PollFate>('kept') }];
	if (scope.crashes) fates.push({ weight: 1, arbitrary: fc.constant<PollFate>('lost') });
	if (scope.states) {
		fates.push({ weight: 1, arbitrary: fc.constantFrom<PollFate>('overlap', 'pair') });
	}
	if (scope.users) fates.push({ weight: 1, arbitrary: fc.constant<PollFate>('unpublished') });
	return fc.oneof(...fates);
}

export function stepOf(scope: Scope): fc.Arbitrary<Step> {
	const change = changeOf(scope);
	const changes = fc.record({
		kind: kindOf('change'),
		changes: fc.array(change, { minLength: 1, maxLength: 4 }),
	});
	const poll = fc.record({
		kind: kindOf('poll'),
		waitMs: fc.oneof(
			fc.constant(MINUTE_MS),
			duration(3 * HOUR_MS).map((ms) => ms + LEAST_WAIT_MS),
		),
		faults: faultsOf(scope),
		meanwhile: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), change), { maxLength: 3 }),
		fate: fateOf(scope),
		faultsAfter: faultsOf(scope),
	});
	const kinds: Array<{ weight: number; arbitrary: fc.Arbitrary<Step> }> = [
		{ weight: 8, arbitrary: changes },
		{ weight: 12, arbitrary: poll },
	];
	if (scope.crashes) kinds.push({ weight: 2, arbitrary: crashOf(scope) });
	if (scope.users) kinds.push({ weight: 3, arbitrary: userOf(scope) });
	if (scope.choices) kinds.push({ weight: 3, arbitrary: choiceOf(scope) });
	if (scope.states) kinds.push({ weight: 2, arbitrary: state });
	return fc.oneof(...kinds);
}
