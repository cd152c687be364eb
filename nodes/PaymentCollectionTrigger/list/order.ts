import type { Instant } from '../../shared/timestamps';
import type { ListFacts, Neighbours } from '../state/state';

/** A list is by date where so many of its neighbours are: a few charges come in late. */
const SHARE_BY_DATE = 0.9;

export function compareWithLast(neighbours: Neighbours, created: Instant): void {
	const { lastCreated = created } = neighbours;
	if (created > lastCreated) neighbours.newer += 1;
	else if (created !== lastCreated) neighbours.older += 1;
	neighbours.lastCreated = created;
}

/**
 * @param step in which the neighbours were read
 * @returns undefined where no two neighbours differ
 */
export function orderBy(
	{ newer, older }: Neighbours,
	step: number,
): ListFacts['order'] | undefined {
	const enough = SHARE_BY_DATE * (newer + older);
	if (enough === 0) return undefined;
	if (older >= enough) return step === 1 ? 'newestFirst' : 'oldestFirst';
	if (newer >= enough) return step === 1 ? 'oldestFirst' : 'newestFirst';
	return 'none';
}
