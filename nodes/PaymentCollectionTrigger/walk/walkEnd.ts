import type { Cursor } from '../cursor/cursor';
import type { Walk } from '../cursor/walk';
import { isOpen } from '../list/coordinates';
import { latest, shift } from '../../shared/timestamps';
import { NEWEST_KEPT } from '../dates';
import { doubtCount } from '../reading/ledger';
import { countUnread, hasToRead } from '../reading/unreadRanges';
import type { Run } from '../reading/run';
import { relearnOrder } from './order';
import type { Steps } from './walkState';

/** The walk has come to the old end of the list: what is still owed is nowhere. */
export function endWalkAtOldEnd(run: Run, walk: Walk, steps: Steps): void {
	const { cursor } = run;
	const { list } = cursor;
	const count = list.length.kind === 'counted' ? list.length.count : 0;
	// Rows that can't be read may be among the unread ones.
	const seen = steps.keys.size + Math.max(countUnread(cursor), steps.unreadable);
	// Fewer rows than there are: some stood on other pages whenever theirs was read.
	if (steps.isFromNewEnd && seen < count) {
		// Unless that is the count's fault.
		if (!walk.isUnsure) doubtCount(cursor);
		if (cursor.walk !== walk) return;
		walk.isUnsure = true;
	}
	const isAgreed = steps.isFromNewEnd && seen === count;
	if (isAgreed && list.length.kind === 'counted') list.length.doubts = 0;
	if (steps.isFromNewEnd) relearnOrder(run, walk, steps.pages);
	if (walk.owedBefore > 0 && !walk.isUnsure && !hasToRead(cursor)) {
		// They were dated back by more than the lookback, or the count is wrong.
		cursor.owed = Math.max(0, cursor.owed - walk.owedBefore);
		// While the trigger begins, they may also be older than it; and of several polls' pages nobody knows how many rows
		// there were.
		if (cursor.silence === undefined && steps.isFromNewEnd && !isAgreed) doubtCount(cursor);
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
	const { cursor, nowMs, lookbackMs, leftBehind } = run;
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
	const next = late === undefined ? window.next : shift(late, -lookbackMs);
	cursor.window = {
		// The walk before this one has seen the window too: a row that hid from one of them is found.
		start: latest(window.start, window.next),
		next: latest(window.next, next),
		walkedAtMs: nowMs,
		unsureWalks: 0,
	};
}
