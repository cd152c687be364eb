import { DEFAULT_PAGE_SIZE } from '../../../contract/limits';
import type { Cursor, ListFilters } from '../cursor/cursor';
import type { ChargePage } from '../list/chargePage';
import { datesOf } from '../list/chargeRow';
import { EARLIEST, LATEST, endOfMs, fromMs, latest, shift } from '../../shared/timestamps';
import { MOST_AHEAD_MS, isSorted, newestAgreed, newestOf } from '../dates';
import type { Run } from './run';
import { isUnread } from './unreadRanges';
import { newWalk } from '../walk/walkState';

/** So many rows in the order of their dates show that the list is. */
const ENOUGH_ROWS = 20;

/** A cursor before its first answer. */
export function firstCursor(account: string, filters: ListFilters, nowMs: number): Cursor {
	return {
		account,
		filters,
		polledAt: fromMs(nowMs),
		list: {
			newEnd: 'firstPage',
			order: 'byDate',
			pageSize: DEFAULT_PAGE_SIZE,
			next: 'unproven',
			length: { kind: 'unknown' },
		},
		unread: [],
		owed: 0,
		window: { start: EARLIEST, next: EARLIEST, unsureWalks: 0 },
		known: {},
		knownSince: EARLIEST,
		turn: 'newEnd',
	};
}

/** Begins with the list as the first pages show it. */
export function begin(run: Run, pages: readonly ChargePage[]): void {
	const { cursor, list, beginning, nowMs } = run;
	const { startFrom, lookbackMs } = run.settings;
	// What came in between two requests was not there when it began.
	const slots = pages
		.flatMap((page) => page.slots)
		.filter(({ coordinate }) => !isUnread(cursor, coordinate));
	const dates = datesOf(slots.map(({ row }) => row));
	cursor.walk = newWalk(cursor, 'first');
	cursor.walk.isUnsure = list.error !== undefined;
	const seen = seenAfter(run, pages.at(-1));
	if (!beginning.isFirst) {
		const { upTo = cursor.polledAt, later } = beginning;
		cursor.silence ??= { upTo, isUntilOwed: false, isByClock: false, ...seen };
		if (later !== undefined) cursor.silence.later = later;
		if (beginning.past !== undefined) cursor.backlog = beginning.past;
		return;
	}
	const late = newestOf(dates, nowMs).at(-1);
	const start = late === undefined ? EARLIEST : shift(late, -lookbackMs);
	const { length } = cursor.list;
	cursor.window = { ...cursor.window, start, next: start };
	if (startFrom.kind === 'now') {
		const upTo = latest(endOfMs(nowMs), newestAgreed(dates, nowMs));
		// What stands on the first answers was there, whatever its date.
		if (pages.length === 1 || length.kind === 'counted') run.novelty.silencePlaces(slots, nowMs);
		const isByClock = cursor.list.newEnd === 'firstPage' && pages[0]?.number !== 1;
		cursor.silence = { upTo, isUntilOwed: true, isByClock, ...seen };
	} else if (startFrom.kind === 'beginning' && length.kind === 'counted') {
		cursor.window.start = EARLIEST;
		const whole = { from: 0, to: length.count, since: EARLIEST, knownSince: EARLIEST };
		if (length.count > 0) cursor.unread = [{ ...whole, backlog: { upTo: LATEST }, failures: 0 }];
	} else {
		const since = startFrom.kind === 'date' ? startFrom.date : EARLIEST;
		cursor.backlog = { since };
		if (startFrom.kind === 'date') cursor.notBefore = since;
	}
}

/** What stands at the new end is all known, unless rows came in between two requests and have moved others. */
function seenAfter({ cursor, list, nowMs }: Run, last: ChargePage | undefined) {
	const dates = datesOf(last?.rows ?? []);
	const [first] = dates;
	const [newest] = newestOf(dates, nowMs + MOST_AHEAD_MS);
	// A few rows may stand in a row by chance.
	const isByDate = dates.length >= ENOUGH_ROWS && isSorted(dates);
	const isMoved = list.error !== undefined || cursor.unread.length > 0;
	if (first === undefined || newest === undefined || isMoved || !isByDate) return {};
	return { seenAfter: first, seenUpTo: newest };
}
