import type { ListFacts, Walk } from '../cursor/cursor';
import type { ChargePage } from '../list/chargePage';
import type { ChargeRow } from '../list/chargeRow';
import { lengthOf } from '../list/coordinates';
import { latest, newestOf, shift } from '../timestamps';
import type { Run } from './run';

/** Steps in one direction must be so many times as frequent as those in the other. */
const MAJORITY = 3;
/** Fewer steps than these show nothing. */
const FEW_STEPS = 3;

/** Where most steps from one row to the next lead. A hint only: it decides where to look first. */
function directionOf(
	rows: ReadonlyArray<ChargeRow | undefined>,
): 'oldToNew' | 'newToOld' | 'unclear' | 'level' {
	const dates = rows.flatMap((row) => row?.created ?? []);
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
export const newEndOf = (rows: ReadonlyArray<ChargeRow | undefined>): ListFacts['newEnd'] =>
	directionOf(rows) === 'oldToNew' ? 'lastPage' : 'firstPage';

/** In a list by date no page holds a charge much newer than the one before it, nor one of the window behind older ones. */
export function learnOrder(
	{ cursor, lookbackMs, nowMs }: Run,
	present: Walk,
	rows: readonly ChargeRow[],
): void {
	const { list, window, knownSince } = cursor;
	const start = latest(window.start, knownSince);
	const dates = rows.map(({ created }) => created);
	const [newest] = newestOf(dates, nowMs);
	const { pageNewest, sawOlderPage } = present;
	const isMuchNewer =
		newest !== undefined && pageNewest !== undefined && newest > shift(pageNewest, lookbackMs);
	const isBehindOlder = sawOlderPage && newest !== undefined && newest >= start;
	const direction = directionOf(rows);
	// Without a count nothing else shows that a walk has ended too early.
	const isUnclear = direction === 'unclear' && list.length.kind === 'uncounted';
	if (isMuchNewer || isBehindOlder || isUnclear) present.sawDisorder = true;
	// It may also be in order from the other end: a walk to the old end tells.
	if (present.sawDisorder || direction === 'newToOld') list.order = 'none';
	if (rows.length > 0 && dates.every((date) => date < start)) present.sawOlderPage = true;
	if (newest !== undefined) present.pageNewest = newest;
}

/**
 * Learns from the whole list, seen at once, what its order is, and at which end it grows.
 * @param pages from the new end on
 */
export function relearnOrder(
	{ cursor }: Run,
	{ sawDisorder }: Walk,
	pages: readonly ChargePage[],
): void {
	const { list } = cursor;
	const rows = [...pages].reverse().flatMap(({ slots }) => slots.map(({ row }) => row));
	const direction = directionOf(rows);
	if (direction !== 'newToOld') {
		const isByDate = list.length.kind === 'counted' || direction === 'oldToNew';
		if (isByDate && !sawDisorder) list.order = 'byDate';
		return;
	}
	const length = lengthOf(list);
	list.newEnd = list.newEnd === 'firstPage' ? 'lastPage' : 'firstPage';
	if (list.length.kind === 'uncounted') {
		list.length.seen = rows.length;
		// As far as it shows from the other end; the next walk comes from there.
		list.order = 'byDate';
	}
	cursor.unread = cursor.unread
		.map((range) => ({ ...range, from: length - range.to, to: length - range.from }))
		.reverse();
}
