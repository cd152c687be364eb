import type { Instant } from '../../shared/timestamps';
import type { ListFacts, Neighbours } from '../state/state';

/** A list is by date where so many of its neighbours are: a few charges come in late. */
const SHARE_BY_DATE = 0.9;
/** Charges come in at the end where so many more rise than fall, though it may be in no order. */
const RISING_TO_FALLING = 3;

/** @param step -1 where the list is read from its end */
export function compareWithLast(neighbours: Neighbours, created: Instant, step: 1 | -1 = 1): void {
	const { lastCreated = created } = neighbours;
	const isAfter = step === 1 ? created > lastCreated : created < lastCreated;
	if (isAfter) neighbours.rising += 1;
	else if (created !== lastCreated) neighbours.falling += 1;
	neighbours.lastCreated = created;
}

/** @returns undefined where no two neighbours differ */
export function orderByNeighbours({
	rising,
	falling,
}: Neighbours): Pick<ListFacts, 'newEnd' | 'isByDate'> | undefined {
	const all = rising + falling;
	if (all === 0) return undefined;
	return {
		newEnd: rising > 0 && rising >= RISING_TO_FALLING * falling ? 'last' : 'first',
		isByDate: Math.max(rising, falling) >= SHARE_BY_DATE * all,
	};
}

/** How rows seem to be ordered. @param dates in the list's order, undefined for those that can't be read */
export function orderOf(
	dates: ReadonlyArray<Instant | undefined>,
): Pick<ListFacts, 'newEnd' | 'isByDate'> | undefined {
	const neighbours: Neighbours = { rising: 0, falling: 0 };
	for (const created of dates) if (created !== undefined) compareWithLast(neighbours, created);
	return orderByNeighbours(neighbours);
}
