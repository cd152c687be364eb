import type { Cursor } from '../cursor/cursor';
import type { Rows } from '../list/chargeRow';
import { earliest, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { addRange } from './unreadRanges';
import { newWalk } from '../walk/walkState';
import { newEndOf } from '../list/newEnd';

/**
 * The ledger: charges don't leave a list whose filters can't change for a charge, so between two answers exactly
 * as many rows came in as the count grew by, in whatever order the list is. They are expected at the new end, as an
 * unread range; those that were not found there are owed.
 */

/** So many times the count may be wrong before it is no longer believed. */
const MAX_DOUBTS = 3;

/** Begins with the first answer: how long the list is, and at which end new charges are to be expected. */
export function openList(cursor: Cursor, count: number | undefined, rows: Rows): void {
	const { list, filters } = cursor;
	list.newEnd = newEndOf(rows);
	list.length =
		count === undefined || !filters.isCountable
			? { kind: 'uncounted', seen: rows.length, isOpen: false }
			: { kind: 'counted', count, doubts: 0 };
}

/**
 * Takes an answer's count into account.
 * @returns whether it is another one than that of the last answer
 */
export function accountForCount(
	cursor: Cursor,
	count: number | undefined,
	rows: Rows,
	isFirstPage: boolean,
): boolean {
	const { length } = cursor.list;
	if (length.kind !== 'counted') return false;
	if (count === undefined) {
		// A page past the end may have none.
		if (isFirstPage || rows.length > 0) doubtCount(cursor);
		return false;
	}
	const before = length.count;
	length.count = count;
	// A list of one row shows no order, nor does a page that failed: the first rows do.
	const isUnseen = before <= 1 || (isFirstPage && cursor.silence?.isByClock === true);
	if (isUnseen && rows.length > 0) learnNewEnd(cursor, rows);
	if (count > before) {
		addRange(cursor, before, count);
		// Where they came in below a walk over a backlog, they moved rows past it that nothing else would look for.
		if (cursor.walk !== undefined && cursor.backlog !== undefined)
			cursor.walk.below += count - before;
	}
	if (count < before) shrink(cursor, count, before - count);
	return count !== before;
}

function learnNewEnd(cursor: Cursor, rows: Rows): void {
	const newEnd = newEndOf(rows);
	if (newEnd === cursor.list.newEnd) return;
	cursor.list.newEnd = newEnd;
	if (cursor.walk !== undefined) beginAnew(cursor);
}

/** Rows left, nobody knows which: what is unread may stand as much lower now, but not beyond the end. */
function shrink(cursor: Cursor, count: number, by: number): void {
	let floor = 0;
	cursor.unread = cursor.unread.flatMap((range) => {
		const from = Math.max(floor, range.from - by);
		const to = Math.min(range.to, count);
		floor = Math.max(floor, to);
		return from < to ? [{ ...range, from, to }] : [];
	});
	if (cursor.walk !== undefined) cursor.walk.below = Math.min(cursor.walk.below, count);
	cursor.owed = Math.max(0, cursor.owed - by);
}

/** Something speaks against the count. Too often, and the list counts as one without. */
export function doubtCount(cursor: Cursor): void {
	const { length } = cursor.list;
	if (length.kind !== 'counted') return;
	length.doubts += 1;
	if (length.doubts >= MAX_DOUBTS) refuteCount(cursor);
}

/** The count can't be right, or there is none: from now on only walks find what is new, and what is unread too. */
export function refuteCount(cursor: Cursor): void {
	const { list, unread, window, knownSince } = cursor;
	if (list.length.kind !== 'counted') return;
	const { order, length } = list;
	list.length = { kind: 'uncounted', seen: length.count, isOpen: false };
	forgetNewEnd(cursor);
	cursor.owed = 0;
	cursor.unread = [];
	const starts = unread.map((one) => (one.backlog ? one.since : latest(one.since, knownSince)));
	const first = earliest(window.start, ...starts);
	beginAnew(cursor);
	if (first < window.start || unread.some(({ backlog }) => backlog !== undefined)) {
		// In a list by date, those were told first that are forgotten now.
		const from = order === 'byDate' ? latest(first, knownSince) : first;
		const { backlog } = unread.find((range) => range.backlog?.currency !== undefined) ?? {};
		const since = earliest(from, cursor.backlog?.since ?? from);
		const { currency } = backlog ?? {};
		cursor.backlog = currency === undefined ? { since } : { since, currency };
	}
}

/** The list is not what it was taken for: it is walked as at the first time. */
export function beginAnew(cursor: Cursor): void {
	cursor.walk = newWalk(cursor, 'first');
}

/** The last page is not where it was thought to be: the list has to be read from the first one on, to the end. */
export function forgetNewEnd({ list }: Cursor): void {
	if (list.newEnd === 'firstPage') return;
	list.newEnd = 'firstPage';
	list.order = 'none';
}

/** A row of an unread range that was not new: one that is has come in elsewhere, and may have been found already. */
export function owe(cursor: Cursor, since: Instant): void {
	const { silence, walk, credit = 0 } = cursor;
	// It came in anywhere, and may have moved rows that were there past the walk that takes them for known.
	if (silence !== undefined && walk !== undefined) walk.isUnsure = true;
	if (credit > 0) cursor.credit = credit - 1;
	else cursor.owed += 1;
	cursor.window.start = earliest(cursor.window.start, since);
}

/** A new row that stood outside the unread ranges, at a coordinate. */
export function payBack(cursor: Cursor, coordinate: number): void {
	const { walk, credit = 0 } = cursor;
	if (cursor.owed > 0) cursor.owed -= 1;
	else cursor.credit = credit + 1;
	// Below it is what the walk has still to come to, and looks for. What stands above may have come in since it began.
	if (walk !== undefined && coordinate < walk.below && walk.owedBefore > 0) walk.owedBefore -= 1;
}
