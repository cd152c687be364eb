import type { Cursor, Walk } from '../cursor/cursor';
import { lengthOf } from '../list/coordinates';
import type { Instant } from '../timestamps';

/** Of the newest dates, so many are looked at: single charges with a wrong date don't tell how late it is. */
export const NEWEST_KEPT = 5;

/** A walk that begins at the list's new end. */
export const newWalk = (cursor: Cursor, purpose: Walk['purpose']): Walk => ({
	below: lengthOf(cursor.list),
	pages: 0,
	repeats: 0,
	purpose,
	isWhole: false,
	owedBefore: cursor.owed,
	failures: 0,
	isUnsure: false,
	sawOlderPage: false,
	sawDisorder: false,
	newest: [],
});

/** Keeps the newest of the dates, the newest first. */
export function withNewest(
	newest: readonly Instant[],
	dates: Iterable<Instant>,
	present: Instant,
): Instant[] {
	const kept = [...newest];
	for (const date of dates) {
		if (date > present) continue;
		const least = kept.at(-1);
		if (kept.length === NEWEST_KEPT && least !== undefined && date <= least) continue;
		kept.push(date);
		kept.sort((one, other) => (one < other ? 1 : -1));
		kept.length = Math.min(kept.length, NEWEST_KEPT);
	}
	return kept;
}
