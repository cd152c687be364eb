import fc from 'fast-check';
import type { Scope } from './scopes';
import type { Change } from './steps';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time';

const STATUSES = ['authorised', 'captured', 'disputed', 'pending'] as const;

export const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);

export const duration = (most: number) =>
	fc.oneof(
		fc.constant(0),
		fc.integer({ min: 0, max: 2 * SECOND_MS }),
		fc.integer({ min: 0, max: most }),
	);

const pick = fc.oneof(fc.nat(8), fc.nat(300));

const defect = fc.constantFrom(
	'createdNull' as const,
	'createdText' as const,
	'numericId' as const,
	'noId' as const,
	'noRecord' as const,
);

const plainChange = (scope: Scope): fc.Arbitrary<Change> =>
	fc.oneof(
		{
			weight: 5,
			arbitrary: fc.record({
				kind: kindOf('arrive'),
				count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
				spreadMs: duration(30 * MINUTE_MS),
				status: scope.watch ? fc.constantFrom(...STATUSES) : fc.constant('authorised'),
			}),
		},
		{ weight: 2, arbitrary: fc.record({ kind: kindOf('late'), agoMs: duration(58 * MINUTE_MS) }) },
		{
			weight: 1,
			arbitrary: fc.record({ kind: kindOf('mass'), count: fc.integer({ min: 2, max: 30 }) }),
		},
	);

const oddChange: fc.Arbitrary<Change> = fc.oneof(
	fc.record({ kind: kindOf('late'), agoMs: duration(5 * HOUR_MS) }),
	fc.record({
		kind: kindOf('future'),
		aheadMs: fc.oneof(duration(40 * MINUTE_MS), fc.integer({ min: HOUR_MS, max: 1_000 * HOUR_MS })),
	}),
	fc.record({ kind: kindOf('endOfTime') }),
	fc.record({ kind: kindOf('unreadable'), defect }),
	fc.record({ kind: kindOf('spoil'), pick, defect }),
	fc.record({ kind: kindOf('mend') }),
	fc.record({ kind: kindOf('remove'), pick }),
	fc.record({ kind: kindOf('hide'), pick }),
	fc.record({ kind: kindOf('show') }),
	fc.record({ kind: kindOf('move'), pick, byMs: fc.integer({ min: -HOUR_MS, max: HOUR_MS }) }),
	fc.record({ kind: kindOf('touch'), pick }),
	fc.record({ kind: kindOf('poison'), pick }),
	fc.record({ kind: kindOf('cure') }),
);

const watchedChange: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ kind: kindOf('refund'), pick, cents: fc.constantFrom(50, 100) }),
	},
	{ weight: 1, arbitrary: fc.record({ kind: kindOf('void'), pick }) },
	{
		weight: 4,
		arbitrary: fc.record({ kind: kindOf('status'), pick, status: fc.constantFrom(...STATUSES) }),
	},
);

const orders = fc.constantFrom(
	'newest' as const,
	'oldest' as const,
	'insertedNewest' as const,
	'amount' as const,
	'none' as const,
);

/** Something that happens in the service. */
export function changeOf(scope: Scope): fc.Arbitrary<Change> {
	const kinds = [{ weight: 6, arbitrary: plainChange(scope) }];
	if (scope.oddRows) kinds.push({ weight: 4, arbitrary: oddChange });
	if (scope.watch) kinds.push({ weight: 6, arbitrary: watchedChange });
	if (scope.unsteady) {
		const reorder = fc.record({ kind: kindOf('reorder'), order: orders });
		kinds.push({ weight: 1, arbitrary: reorder });
	}
	return fc.oneof(...kinds);
}
