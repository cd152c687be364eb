import fc from 'fast-check';
import type { Change, Damage, Defect, Fate, Filters, Step } from './schedule';
import type { Fault, FaultKind } from './service/answers';
import { STATUSES } from './service/charge';
import type { Has } from './worlds';

/** A weight of 0 leaves out the choice. */
export const weighted = <T>(
	weight: number,
	arbitrary: fc.Arbitrary<T>,
): fc.WeightedArbitrary<T> => ({
	weight,
	arbitrary,
});

const DAY_S = 86_400;
/** Absurd counts for a list of a few hundred charges. While charges wait to be emitted, 300 is plausible. */
export const absurdCountsIn = (has: Has): fc.Arbitrary<number> =>
	fc.constantFrom(
		...(has('backlog') ? [] : [300]),
		...[0, -2, 1, 5_000, 99_999_999, 9_000_000_000_000_000],
	);

const doing = <T extends Step['do']>(what: T): fc.Arbitrary<T> => fc.constant(what);

const FAULT_KINDS: readonly FaultKind[] = [
	...([500, 503, 429, 'reset', 'hang'] as const),
	...([400, 401, 404, 'html', 'noResults', 'nothing'] as const),
];

/** A repeated 400 or 404 from a later page on would mean the end of the list, but not if all pages have it. */
const looksLikeEnd = ({ kind, times }: Fault): boolean =>
	(kind === 400 || kind === 404) && times > 1;

function faultsIn(has: Has): fc.Arbitrary<Fault[]> {
	const fault = fc
		.record({
			kind: fc.constantFrom(...FAULT_KINDS),
			from: fc.integer({ min: 1, max: 6 }),
			times: fc.constantFrom(1, 4, 1_000),
		})
		.map((one) => [looksLikeEnd(one) ? { ...one, from: 1 } : one]);
	return fc.oneof(weighted(4, fc.constant<Fault[]>([])), weighted(has('faults') ? 1 : 0, fault));
}

/** Failures of the first poll. */
export function firstFaultsIn(has: Has): fc.Arbitrary<Fault[]> {
	const outage: Fault[] = [{ kind: 503, from: 1, times: 1_000 }];
	return has('outage') ? fc.constantFrom([], outage) : faultsIn(has);
}

/** A change in the service of a world. */
function changeIn(has: Has): fc.Arbitrary<Change> {
	const few = fc.integer({ min: 1, max: 6 });
	const many = fc.integer({ min: 7, max: has('overflow') ? 150 : 60 });
	const soonS = fc.constantFrom(0, 0, 1, 9);
	const lateS = fc.integer({ min: 1, max: 4 * 3_600 });
	const aheadS = fc.constantFrom(5, 600, DAY_S, 250_000_000_000);
	const defect = fc.constantFrom<Defect>(
		...(['createdNull', 'createdText', 'noId', 'noRecord'] as const),
		...(has('changes') ? (['noStatus', 'noRefundTotal'] as const) : []),
	);
	const pick = fc.nat(30);
	const status = fc.constantFrom(...(has('changes') ? STATUSES.slice(0, 3) : ['authorised']));
	const arrive = doing('arrive');
	const absurd = absurdCountsIn(has);
	const polls = fc.constantFrom(1, 2);
	return fc.oneof(
		weighted(6, fc.record({ do: arrive, count: few, lateS: soonS, status })),
		weighted(
			has('ties') || has('overflow') ? 4 : 1,
			fc.record({ do: arrive, count: many, lateS: soonS, status }),
		),
		weighted(has('late') ? 3 : 0, fc.record({ do: arrive, count: few, lateS, status })),
		weighted(has('future') ? 1 : 0, fc.record({ do: doing('future'), aheadS })),
		weighted(has('rows') ? 3 : 0, fc.record({ do: doing('unreadable'), defect })),
		weighted(has('rows') ? 1 : 0, fc.record({ do: doing('mend') })),
		weighted(has('rows') ? 3 : 0, fc.record({ do: doing('poison'), pick })),
		weighted(has('rows') ? 2 : 0, fc.record({ do: doing('cure') })),
		weighted(has('absurd') ? 2 : 0, fc.record({ do: doing('miscount'), count: absurd, polls })),
		weighted(has('lists') ? 1 : 0, fc.record({ do: doing('touch'), pick })),
		weighted(has('changes') ? 4 : 0, fc.record({ do: doing('refund'), pick })),
		weighted(has('changes') ? 4 : 0, fc.record({ do: doing('status'), pick })),
		weighted(has('changes') ? 1 : 0, fc.record({ do: doing('status'), pick, count: many })),
	);
}

/** Changes while a poll reads. */
export const duringIn = (has: Has) =>
	fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), changeIn(has)), {
		maxLength: has('late') ? 3 : 0,
	});

function pollIn(has: Has): fc.Arbitrary<Step> {
	const anyWaitS = fc.integer({ min: 10, max: 3 * 3_600 });
	return fc.record({
		do: doing('poll'),
		waitS: has('cheap')
			? fc.integer({ min: 60, max: 600 })
			: fc.oneof(weighted(2, fc.constant(59)), weighted(1, anyWaitS)),
		faults: faultsIn(has),
		during: duringIn(has),
		fate: fc.oneof(
			weighted(8, fc.constant<Fate>('kept')),
			weighted(has('restarts') ? 1 : 0, fc.constant<Fate>('crash')),
			weighted(has('overlap') ? 3 : 0, fc.constantFrom<Fate>('overlap', 'pair', 'discarded')),
		),
	});
}

/** A step of a schedule in a world. */
export function stepIn(has: Has, filters: fc.Arbitrary<Filters>): fc.Arbitrary<Step> {
	const faults = faultsIn(has);
	const what = fc.constantFrom('key', 'baseUrl');
	const count = fc.integer({ min: 0, max: 40 });
	const errorS = fc.integer({ min: -6 * 3_600, max: 6 * 3_600 });
	const farS = fc.constantFrom(DAY_S, 400 * DAY_S);
	const to = fc.constantFrom('workflow', 'node');
	const pauseS = fc.constantFrom(3_600, 2 * DAY_S, 7 * DAY_S);
	const ms = fc.constantFrom(0, 1_000, 9_000, 25_000);
	const how = fc.constantFrom<Damage>('field', 'emptied');
	const hasOtherAccount = has('users') && !has('changes');
	return fc.oneof(
		weighted(8, changeIn(has)),
		weighted(10, pollIn(has)),
		weighted(has('restarts') ? 2 : 0, fc.record({ do: doing('restart'), faults })),
		weighted(has('clock') ? 1 : 0, fc.record({ do: doing('clock'), errorS })),
		weighted(has('jumps') ? 2 : 0, fc.record({ do: doing('jump'), errorS: farS })),
		weighted(has('faults') ? 1 : 0, fc.record({ do: doing('latency'), ms })),
		weighted(has('users') ? 1 : 0, fc.record({ do: doing('publish'), faults })),
		weighted(has('users') ? 1 : 0, fc.record({ do: doing('rename') })),
		weighted(has('users') ? 2 : 0, fc.record({ do: doing('filters'), filters })),
		weighted(has('users') ? 1 : 0, fc.record({ do: doing('renew'), what })),
		weighted(has('users') ? 1 : 0, fc.record({ do: doing('handOver'), to })),
		weighted(has('users') ? 1 : 0, fc.record({ do: doing('pause'), waitS: pauseS })),
		weighted(hasOtherAccount ? 1 : 0, fc.record({ do: doing('account'), count })),
		weighted(has('damage') ? 2 : 0, fc.record({ do: doing('damage'), how, seed: fc.nat(1_000) })),
		weighted(has('overlap') ? 1 : 0, fc.record({ do: doing('second') })),
	);
}
