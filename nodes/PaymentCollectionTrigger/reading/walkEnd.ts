import type { Cursor, Walk } from '../cursor/cursor';
import { isOpen, lengthOf } from '../list/coordinates';
import { NEWEST_KEPT, latest, shift } from '../timestamps';
import { doubtCount, refuteCount } from './ledger';
import { hasBacklog } from './unreadRanges';
import type { Run } from './run';
import { newWalk } from './newWalk';
import { relearnOrder } from './order';
import type { Steps } from './walkPage';

/** An end that the count alone tells is believed once the page behind it was seen to be empty, or the last one short. */
export async function isEndConfirmed(run: Run, { pages, isFromNewEnd }: Steps): Promise<boolean> {
	const { cursor, list } = run;
	const last = cursor.list.newEnd === 'firstPage' ? pages.at(-1) : pages[0];
	const isLast = cursor.list.newEnd === 'firstPage' || isFromNewEnd;
	const isTrusted = last?.end === 'said' && cursor.walk?.purpose !== 'first';
	if (last === undefined || !isLast || isTrusted || last.slots.length === 0) return true;
	if (last.number > 1 && last.slots.length < cursor.list.pageSize) return true;
	const walkBefore = cursor.walk;
	const lengthBefore = lengthOf(cursor.list);
	const next = await list.read(last.number + 1);
	if (cursor.walk !== walkBefore) return false;
	// Where rows came in meanwhile, they have moved others behind what was the end.
	const isNewEnd = cursor.list.newEnd === 'lastPage' && cursor.list.length.kind === 'uncounted';
	const hasGrown = !isNewEnd && lengthOf(cursor.list) !== lengthBefore;
	// Nobody can say whether it was the end.
	if (next === undefined && cursor.walk?.purpose === 'first') cursor.walk.isUnsure = true;
	if (next === undefined || next.slots.length === 0 || hasGrown) return true;
	if (next.content === last.content) return true;
	if (cursor.list.length.kind === 'counted') refuteCount(cursor);
	else cursor.walk = newWalk(cursor, 'first');
	return false;
}

/** The walk has come to the old end of the list: what is still owed is nowhere. */
export function endWalkAtOldEnd(run: Run, present: Walk, steps: Steps): void {
	const { cursor } = run;
	const { list } = cursor;
	const count = list.length.kind === 'counted' ? list.length.count : 0;
	// Rows that can't be read may be among the unread ones.
	const unread = cursor.unread.reduce((sum, { from, to }) => sum + to - from, 0);
	const seen = steps.keys.size + Math.max(unread, steps.unreadable);
	// Fewer rows than there are: some stood on other pages whenever theirs was read.
	if (steps.isFromNewEnd && seen < count) {
		// Unless that is the count's fault.
		if (!present.isUnsure) doubtCount(cursor);
		if (cursor.walk !== present) return;
		present.isUnsure = true;
	}
	const isAgreed = steps.isFromNewEnd && seen === count;
	if (isAgreed && list.length.kind === 'counted') list.length.doubts = 0;
	if (steps.isFromNewEnd) relearnOrder(run, present, steps.pages);
	if (present.owedBefore > 0 && !present.isUnsure && !hasBacklog(cursor)) {
		// They were dated back by more than the lookback, or the count is wrong.
		cursor.owed = Math.max(0, cursor.owed - present.owedBefore);
		// While the trigger begins, they may also be older than it.
		if (cursor.silence === undefined && !isAgreed) doubtCount(cursor);
		if (cursor.walk !== present) return;
	}
	endWalk(run, present);
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
export function endWalk(run: Run, present: Walk): void {
	const { cursor, nowMs, lookbackMs, leftBehind } = run;
	const { window } = cursor;
	delete cursor.walk;
	const hasSeenWindow = present.purpose !== 'owed' || present.sawOlderPage || present.below <= 0;
	if (!hasSeenWindow) return;
	window.walkedAtMs = nowMs;
	if (present.isUnsure || leftBehind) {
		window.unsureWalks += 1;
		return;
	}
	// What is owed, or moves meanwhile while it is unread, may be older than the window.
	if (cursor.owed > 0 || hasBacklog(cursor) || isOpen(cursor.list)) return;
	endSilence(cursor);
	// Of a few, the one that is to tell may itself be dated ahead of time.
	const late = present.newest.length < NEWEST_KEPT ? undefined : present.newest.at(-1);
	const next = late === undefined ? window.next : shift(late, -lookbackMs);
	cursor.window = {
		// The walk before this one has seen the window too: a row that hid from one of them is found.
		start: latest(window.start, window.next),
		next: latest(window.next, next),
		walkedAtMs: nowMs,
		unsureWalks: 0,
	};
}
