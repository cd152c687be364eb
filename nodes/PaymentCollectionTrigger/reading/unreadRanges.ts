import { SET_ASIDE } from '../cursor/cursor';
import type { Cursor, UnreadRange } from '../cursor/cursor';
import { EARLIEST, earliest } from '../../shared/timestamps';

/** More ranges than these are not kept: of those that can't be read the oldest are given up. */
const MAX_RANGES = 200;

/** Whether unread rows are to be read that are not set aside: they may be those that are owed. */
export const hasToRead = ({ unread }: Cursor): boolean =>
	unread.some(({ failures }) => failures < SET_ASIDE);

/** The unread range that a coordinate lies in. */
export const rangeAt = ({ unread }: Cursor, coordinate: number): UnreadRange | undefined =>
	unread.find(({ from, to }) => from <= coordinate && coordinate < to);

/** Whether the coordinate lies in an unread range, which decides when its row is told. */
export const isUnread = (cursor: Cursor, coordinate: number): boolean =>
	rangeAt(cursor, coordinate) !== undefined;

/** How many rows are unread. */
export const countUnread = ({ unread }: Cursor): number =>
	unread.reduce((sum, { from, to }) => sum + to - from, 0);

/** Rows came in: they are to be read. */
export function addRange(cursor: Cursor, from: number, to: number): void {
	const { unread, window } = cursor;
	// Rows of a backlog move up where the list is not by date and others come in below them.
	const moving = unread.filter(
		(range) => range.backlog !== undefined || range.failures < SET_ASIDE,
	);
	const since = earliest(window.start, ...moving.map((range) => range.since));
	const waiting = moving.map((range) => (range.backlog ? EARLIEST : range.knownSince));
	const knownSince = earliest(cursor.knownSince, ...waiting);
	const last = unread.at(-1);
	const range = { from, to, since, knownSince, failures: 0 };
	if (last?.to === from && isSame(last, range)) last.to = to;
	else unread.push(range);
}

/** A row that can't be read has moved here, out of its range: in a list with a count it is tried again in every poll. */
export function setAsideAt(cursor: Cursor, coordinate: number): void {
	if (cursor.list.length.kind !== 'counted') return;
	const { start: since } = cursor.window;
	const place = { from: coordinate, to: coordinate + 1, failures: SET_ASIDE };
	insertRange(cursor, { ...place, since, knownSince: cursor.knownSince });
}

/** Adds a range in its place among the others. */
export function insertRange(cursor: Cursor, range: UnreadRange): void {
	cursor.unread = mergeRanges([...cursor.unread, range].sort((a, b) => a.from - b.from));
}

/** Ranges in ascending order, as few of them as hold the same rows; no more than are kept. */
export function mergeRanges(ranges: readonly UnreadRange[]): UnreadRange[] {
	const merged: UnreadRange[] = [];
	for (const range of ranges) {
		const last = merged.at(-1);
		if (last !== undefined && last.to >= range.from && isSame(last, range))
			last.to = Math.max(last.to, range.to);
		else merged.push({ ...range });
	}
	while (merged.length > MAX_RANGES) {
		const oldest = merged.findIndex(({ failures }) => failures >= SET_ASIDE);
		if (oldest < 0) break;
		merged.splice(oldest, 1);
	}
	return merged;
}

const isSame = (one: UnreadRange, other: UnreadRange): boolean =>
	one.since === other.since &&
	one.knownSince === other.knownSince &&
	one.failures === other.failures &&
	one.backlog?.upTo === other.backlog?.upTo &&
	one.backlog?.currency === other.backlog?.currency;
