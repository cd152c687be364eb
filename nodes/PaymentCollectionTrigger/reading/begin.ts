import { DEFAULT_PAGE_SIZE } from '../../../contract/limits';
import type { Backlog, Cursor, ListFilters } from '../cursor/cursor';
import type { ChargePage } from '../list/chargeList';
import { EARLIEST, LATEST, earliest, fromMs, latest, shift } from '../timestamps';
import type { Instant } from '../timestamps';
import { isUnread } from './run';
import type { Run } from './run';
import { newWalk, withNewest } from './walkState';

/** What a trigger that never ran takes for new. */
export type StartFrom =
	| { readonly kind: 'now' }
	| { readonly kind: 'beginning' }
	| { readonly kind: 'date'; readonly date: Instant };

/** Why the list is begun with: nothing is known of the account, or the filters are others than in the last poll. */
export type Beginning =
	| { readonly kind: 'first'; readonly startFrom: StartFrom }
	| { readonly kind: 'changedFilters'; readonly past: Backlog | undefined };

/** The host's clock may be slow by as much before a charge counts as dated into the future. */
const CLOCK_TOLERANCE_MS = 15 * 60_000;

/** So many rows in the order of their dates show that the list is. */
const ENOUGH_ROWS = 20;

/** What was created after it is dated into the future. */
export const presentAt = (nowMs: number): Instant => fromMs(nowMs + CLOCK_TOLERANCE_MS);

/** A cursor before its first answer. */
export function firstCursor(account: string, filters: ListFilters, nowMs: number): Cursor {
	return {
		account,
		formerAccounts: [],
		filters,
		polledAt: fromMs(nowMs),
		list: {
			newEnd: 'firstPage',
			order: 'byDate',
			pageSize: DEFAULT_PAGE_SIZE,
			isNextWrong: false,
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

/**
 * The cursor for a list under other filters, and what of a backlog is to be told there: charges that the row itself
 * shows to have been in the list before.
 */
export function underFilters(
	before: Cursor,
	filters: ListFilters,
): { cursor: Cursor; past: Backlog | undefined } {
	const fresh = firstCursor(before.account, filters, 0);
	const { formerAccounts, polledAt, window, known, knownSince, watch, notBefore, silence } = before;
	const cursor: Cursor = {
		...fresh,
		formerAccounts,
		polledAt,
		window: { start: window.start, next: window.start, unsureWalks: 0 },
		known,
		knownSince,
		// Where the first reading had not ended, what it was silent about stays so.
		...(silence === undefined
			? {}
			: { silence: { ...silence, upTo: latest(silence.upTo, polledAt) } }),
		...(notBefore === undefined ? {} : { notBefore }),
		...(watch === undefined
			? {}
			: {
					watch: {
						...watch,
						since: latest(watch.since, polledAt),
						isComplete: false,
						pagesDone: 0,
					},
				}),
	};
	return { cursor, past: pastOf(before) };
}

function pastOf(before: Cursor): Backlog | undefined {
	const { unread, walk, filters, list, knownSince, silence } = before;
	if (!filters.isOtherwiseWhole) return undefined;
	const silentUntil = silence === undefined ? EARLIEST : shift(silence.upTo, 1);
	const starts = unread.map(({ since, isBacklog }) =>
		isBacklog ? since : latest(since, silentUntil),
	);
	if (walk?.backlog !== undefined) starts.push(walk.backlog.since);
	const [first, ...others] = starts;
	if (first === undefined) return undefined;
	const { currency } = filters;
	const since = earliest(first, ...others);
	const recent = walk?.backlog?.recent ?? [];
	return {
		// In a list by date, those were told first that are forgotten now.
		since: list.order === 'byDate' ? latest(since, knownSince) : since,
		recent,
		...(currency === undefined ? {} : { currency }),
	};
}

/** Begins with the list as the first pages show it. */
export function begin(run: Run, pages: readonly ChargePage[], beginning: Beginning): void {
	const { cursor, list, nowMs, lookbackMs } = run;
	// What came in between two requests was not there when it began.
	const slots = pages
		.flatMap((page) => page.slots)
		.filter(({ coordinate }) => !isUnread(cursor, coordinate));
	const dates = slots.flatMap(({ row }) => row?.created ?? []);
	const newest = withNewest([], dates, presentAt(nowMs));
	cursor.walk = newWalk(cursor, 'first');
	cursor.walk.isUnsure = list.error !== undefined;
	const seen = seenAfter(run, pages);
	if (beginning.kind === 'changedFilters') {
		cursor.silence ??= { upTo: cursor.polledAt, isUntilOwed: false, ...seen };
		if (beginning.past !== undefined) cursor.walk.backlog = beginning.past;
		return;
	}
	const late = newest.at(-1);
	const start = late === undefined ? EARLIEST : shift(late, -lookbackMs);
	const { startFrom } = beginning;
	const { length } = cursor.list;
	cursor.window = { ...cursor.window, start, next: start };
	if (startFrom.kind === 'now') {
		const upTo = latest(fromMs(nowMs), newestOf(dates, nowMs));
		// What stands on the first answer was there, whatever its date.
		if (pages.length === 1) run.novelty.silencePage(pages[0], nowMs);
		cursor.silence = { upTo, isUntilOwed: true, ...seen };
	} else if (startFrom.kind === 'beginning' && length.kind === 'counted') {
		cursor.window.start = EARLIEST;
		if (length.count > 0)
			cursor.unread = [
				{ from: 0, to: length.count, since: EARLIEST, isBacklog: true, failures: 0 },
			];
	} else {
		const since = startFrom.kind === 'date' ? startFrom.date : EARLIEST;
		cursor.walk.backlog = { since, recent: [] };
		if (startFrom.kind === 'date') cursor.notBefore = since;
	}
}

/**
 * The newest date that is not in the future: where several lie behind the host's clock, the clock is slow, and they
 * are not wrong.
 */
export function newestOf(dates: readonly Instant[], nowMs: number): Instant {
	const agreed = withNewest([], dates, LATEST).at(-1) ?? EARLIEST;
	return latest(withNewest([], dates, presentAt(nowMs))[0] ?? EARLIEST, agreed);
}

/** What stands at the new end is all known, unless rows came in between two requests and have moved others. */
function seenAfter({ cursor, list }: Run, pages: readonly ChargePage[]): { seenAfter?: Instant } {
	const dates = (pages.at(-1)?.slots ?? []).flatMap(({ row }) => row?.created ?? []);
	const [first] = dates;
	// A few rows may stand in a row by chance.
	const isByDate =
		dates.length >= ENOUGH_ROWS &&
		dates.every((date, at) => at === 0 || date >= (dates[at - 1] ?? date));
	const isMoved = list.error !== undefined || cursor.unread.length > 0;
	return first === undefined || isMoved || !isByDate ? {} : { seenAfter: first };
}
