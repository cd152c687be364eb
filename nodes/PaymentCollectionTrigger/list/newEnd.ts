import type { ListFacts } from '../cursor/cursor';
import { datesOf } from './chargeRow';
import type { Rows } from './chargeRow';

/** Steps in one direction must be so many times as frequent as those in the other. */
const MAJORITY = 3;
/** Fewer steps than these show nothing. */
const FEW_STEPS = 3;

/** Where most steps from one row to the next lead. */
type Direction = 'oldToNew' | 'newToOld' | 'unclear' | 'level';

/** Of the rows of a page. */
export type PageOrder = 'byDate' | Direction;

/** A hint only: it decides where to look first. */
export function directionOf(rows: Rows): Direction {
	const dates = datesOf(rows);
	let newer = 0;
	let older = 0;
	for (const [at, date] of dates.entries()) {
		const next = dates[at + 1] ?? date;
		if (next > date) newer += 1;
		if (next < date) older += 1;
	}
	if (newer > MAJORITY * older) return 'oldToNew';
	if (older > MAJORITY * newer) return 'newToOld';
	return newer + older < FEW_STEPS ? 'level' : 'unclear';
}

/** At which end of the list the newer rows stand, by rows in the order of its pages. */
export const newEndOf = (rows: Rows): ListFacts['newEnd'] =>
	directionOf(rows) === 'oldToNew' ? 'lastPage' : 'firstPage';
