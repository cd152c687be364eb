import type { Cursor } from '../cursor/cursor';
import type { Walk } from '../cursor/walk';
import type { ChargePage } from '../list/chargePage';
import { datesOf, lastChange } from '../list/chargeRow';
import type { ChargeRow } from '../list/chargeRow';
import { lengthOf } from '../list/coordinates';
import { directionOf } from '../list/newEnd';
import { shift } from '../../shared/timestamps';
import { newestOf } from '../dates';
import type { Run } from '../reading/run';
import { rememberedSince } from '../reading/standing';

/** In a list by date no page holds a charge much newer than the one before it, nor one of the window behind older ones. */
export function learnOrder(run: Run, walk: Walk, rows: readonly ChargeRow[]): void {
	const { cursor, settings, nowMs } = run;
	const { list } = cursor;
	const start = rememberedSince(cursor);
	const dates = datesOf(rows);
	const [newest] = newestOf(dates, nowMs);
	const { pageNewest, sawOlderPage } = walk;
	const isMuchNewer =
		newest !== undefined &&
		pageNewest !== undefined &&
		newest > shift(pageNewest, settings.lookbackMs);
	const isBehindOlder = sawOlderPage && newest !== undefined && newest >= start;
	const direction = directionOf(rows);
	// Without a count nothing else shows that a walk has ended too early.
	const isUnclear = direction === 'unclear' && list.length.kind === 'uncounted';
	if (isMuchNewer || isBehindOlder || isUnclear) walk.sawDisorder = true;
	// It may also be in order from the other end: a walk to the old end tells.
	if (walk.sawDisorder || direction === 'newToOld') list.order = 'none';
	// By last change, older charges that have all changed in the window may stand before those of the window.
	const isUnchanged = rows.some((row) => lastChange(row) < start);
	if (isUnchanged && dates.every((date) => date < start)) walk.sawOlderPage = true;
	if (newest !== undefined) walk.pageNewest = newest;
}

/**
 * Learns from the whole list, seen at once, what its order is, and at which end it grows.
 * @param pages from the new end on
 */
export function relearnOrder(cursor: Cursor, walk: Walk, pages: readonly ChargePage[]): void {
	const { list } = cursor;
	const rows = [...pages].reverse().flatMap((page) => page.rows);
	const direction = directionOf(rows);
	if (direction !== 'newToOld') {
		const isByDate = list.length.kind === 'counted' || direction === 'oldToNew';
		if (isByDate && !walk.sawDisorder) list.order = 'byDate';
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
