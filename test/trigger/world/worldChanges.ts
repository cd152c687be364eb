import fc from 'fast-check';
import type { Change, Defect } from './schedule';
import { STATUSES } from './service/charge';
import type { Feature } from './worlds';

export const weighted = <T>(
	weight: number,
	arbitrary: fc.Arbitrary<T>,
): fc.WeightedArbitrary<T> => ({
	weight,
	arbitrary,
});

const doing = <T extends Change['do']>(what: T): fc.Arbitrary<T> => fc.constant(what);

/** Something that may happen in the service of a world. */
export function changeIn(has: (feature: Feature) => boolean): fc.Arbitrary<Change> {
	const few = fc.integer({ min: 1, max: 6 });
	const many = fc.integer({ min: 7, max: has('overflow') ? 150 : 60 });
	const status = has('changes')
		? fc.constantFrom(...STATUSES.slice(0, 3))
		: fc.constant('authorised');
	const arrive = (count: fc.Arbitrary<number>, lateS: fc.Arbitrary<number>) =>
		fc.record({ do: doing('arrive'), count, lateS, status });
	const soon = fc.constantFrom(0, 0, 1, 9);
	const changes: Array<fc.WeightedArbitrary<Change>> = [
		weighted(6, arrive(few, soon)),
		weighted(has('ties') || has('overflow') ? 4 : 1, arrive(many, soon)),
	];
	const pick = fc.nat(30);
	if (has('late')) changes.push(weighted(3, arrive(few, fc.integer({ min: 1, max: 4 * 3_600 }))));
	if (has('future')) {
		const aheadS = fc.constantFrom(5, 600, 86_400, 250_000_000_000);
		changes.push(weighted(1, fc.record({ do: doing('future'), aheadS })));
	}
	if (has('unreadable')) {
		const defect = fc.constantFrom<Defect>('createdNull', 'createdText', 'noId', 'noRecord');
		changes.push(
			weighted(3, fc.record({ do: doing('unreadable'), defect })),
			weighted(1, fc.record({ do: doing('mend') })),
		);
	}
	if (has('poison')) {
		changes.push(
			weighted(3, fc.record({ do: doing('poison'), pick })),
			weighted(2, fc.record({ do: doing('cure') })),
		);
	}
	if (has('orders')) changes.push(weighted(1, fc.record({ do: doing('touch'), pick })));
	if (has('changes')) {
		changes.push(
			weighted(4, fc.record({ do: doing('refund'), pick })),
			weighted(4, fc.record({ do: doing('status'), pick })),
		);
	}
	return fc.oneof(...changes);
}
