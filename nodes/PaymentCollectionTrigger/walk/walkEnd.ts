import type { Cursor } from '../cursor/cursor';
import type { Walk } from '../cursor/walk';
import { NEWEST_KEPT } from '../dates';
import type { ChargePage } from '../list/chargePage';
import { isOpen, lengthOf } from '../list/coordinates';
import { beginAnew, doubtCount, refuteCount } from '../reading/ledger';
import type { Run } from '../reading/run';
import { countUnread, hasToRead } from '../reading/unreadRanges';
import { latest, shift } from '../../shared/timestamps';
import { relearnOrder } from './order';
import { MAX_UNSURE } from './walkState';
import type { Steps } from './walkState';

/** Pages in a row that repeat the one before: a single one may have been moved on by a whole page of rows that came in. */
export const MAX_REPEATS = 2;
/** Pages in a row that show nothing new before they count as lying behind the end, though it is said that more follow. */
const MAX_SEEN_PAGES = 10;

/** Without a count, pages that show what was seen before lie behind the end. */
export function showsNothingNew(page: ChargePage, walk: Walk, steps: Steps): boolean {
	const { keys, pages } = steps;
	walk.repeats = page.content === walk.pageContent ? walk.repeats + 1 : 0;
	const isSeen =
		pages.length > 0 && page.slots.every(({ row }) => row !== undefined && keys.has(row.key));
	steps.seenPages = isSeen ? steps.seenPages + 1 : 0;
	// Whole pages that came in meanwhile make others show again.
	const most = page.saysNext ? MAX_SEEN_PAGES : MAX_REPEATS;
	return walk.repeats >= MAX_REPEATS || steps.seenPages >= most;
}

/** A page that shows the one before once more lies behind the end, or a whole page of rows came in just before. */
export async function hasMoved({ list }: Run, number: number): Promise<boolean> {
	const before = await list.read(number - 1);
	list.forget();
	const now = await list.read(number - 1);
	return before !== undefined && now?.content !== before.content;
}

/** An end that the count alone tells is believed once the page behind it was seen to be empty, or the last one short. */
export async function isEndConfirmed(
	run: Run,
	walk: Walk,
	{ pages, isFromNewEnd }: Steps,
): Promise<boolean> {
	const { cursor, list } = run;
	const isFirst = walk.purpose === 'first';
	const isFirstPage = cursor.list.newEnd === 'firstPage';
	const last = isFirstPage ? pages.at(-1) : pages[0];
	if (last === undefined || last.slots.length === 0 || !(isFirstPage || isFromNewEnd)) return true;
	if (last.end === 'said' && !isFirst) return true;
	if (last.number > 1 && last.slots.length < cursor.list.pageSize) return true;
	const lengthBefore = lengthOf(cursor.list);
	const next = await list.read(last.number + 1);
	if (cursor.walk !== walk) return false;
	// Where rows came in meanwhile, they have moved others behind what was the end.
	const isNewEnd = cursor.list.newEnd === 'lastPage' && cursor.list.length.kind === 'uncounted';
	const hasGrown = !isNewEnd && lengthOf(cursor.list) !== lengthBefore;
	// Nobody can say whether it was the end. Where none of several walks could ask, what the list says has to do.
	const mayAskAgain = cursor.window.unsureWalks < MAX_UNSURE;
	if (next === undefined && isFirst && mayAskAgain) walk.isUnsure = true;
	if (next === undefined || next.slots.length === 0 || hasGrown) return true;
	if (next.content === last.content) return true;
	if (cursor.list.length.kind === 'counted') refuteCount(cursor);
	else beginAnew(cursor);
	return false;
}

/** The walk has come to the old end of the list: what is still owed is nowhere. */
export function endWalkAtOldEnd(run: Run, walk: Walk, steps: Steps): void {
	const { cursor } = run;
	const { isFromNewEnd } = steps;
	const { list } = cursor;
	const count = list.length.kind === 'counted' ? list.length.count : 0;
	// Rows that can't be read may be among the unread ones.
	const seen = steps.keys.size + Math.max(countUnread(cursor), steps.unreadable);
	// Fewer rows than there are: some stood on other pages whenever theirs was read.
	if (isFromNewEnd && seen < count) {
		// Unless that is the count's fault.
		if (!walk.isUnsure) doubtCount(cursor);
		if (cursor.walk !== walk) return;
		walk.isUnsure = true;
	}
	const isAgreed = isFromNewEnd && seen === count;
	if (isAgreed && list.length.kind === 'counted') list.length.doubts = 0;
	if (isFromNewEnd) relearnOrder(cursor, walk, steps.pages);
	if (walk.owedBefore > 0 && !walk.isUnsure && !hasToRead(cursor)) {
		// They were dated back by more than the lookback, or the count is wrong.
		cursor.owed = Math.max(0, cursor.owed - walk.owedBefore);
		// While the trigger begins, they may also be older than it; and of several polls' pages nobody knows how many rows
		// there were.
		if (cursor.silence === undefined && isFromNewEnd && !isAgreed) doubtCount(cursor);
		if (cursor.walk !== walk) return;
	}
	endWalk(run, walk);
}

/** What stands on pages that still fail may have been there too: its date has to tell. */
function endSilence(cursor: Cursor): void {
	const { silence, unread } = cursor;
	if (silence === undefined) return;
	const since = shift(silence.upTo, 1);
	cursor.unread = unread.map((range) =>
		range.backlog === undefined ? { ...range, since: latest(range.since, since) } : range,
	);
	delete cursor.silence;
}

/** The walk has seen what it was to see. */
export function endWalk(run: Run, walk: Walk): void {
	const { cursor, settings, nowMs, leftBehind } = run;
	const { window } = cursor;
	delete cursor.walk;
	const hasSeenWindow = walk.purpose !== 'owed' || walk.sawOlderPage || walk.below <= 0;
	if (!hasSeenWindow) return;
	window.walkedAtMs = nowMs;
	if (!walk.isUnsure) delete cursor.backlog;
	else if (cursor.backlog !== undefined) {
		cursor.backlog.isAgain = true;
		// Nothing that is newer waits for it any more.
		delete cursor.backlog.before;
	}
	if (walk.hasLeftOut === true) window.hasLeftOut = true;
	else delete window.hasLeftOut;
	if (walk.isUnsure || leftBehind) {
		window.unsureWalks += 1;
		return;
	}
	// What is owed, or moves meanwhile while it is unread, may be older than the window.
	if (cursor.owed > 0 || hasToRead(cursor) || isOpen(cursor.list)) return;
	endSilence(cursor);
	// Of a few, the one that is to tell may itself be dated ahead of time.
	const late = walk.newest.length < NEWEST_KEPT ? undefined : walk.newest.at(-1);
	const next = late === undefined ? window.next : shift(late, -settings.lookbackMs);
	cursor.window = {
		// The walk before this one has seen the window too: a row that hid from one of them is found.
		start: latest(window.start, window.next),
		next: latest(window.next, next),
		walkedAtMs: nowMs,
		unsureWalks: 0,
	};
}
