import type { Walk } from '../cursor/cursor';
import type { ChargePage } from '../list/chargeList';
import { coordinateAt, lengthOf, pageHolding } from '../list/coordinates';
import { judgeWalked } from './judgeWalked';
import type { Steps } from './judgeWalked';
import { hasBacklog, mergeRanges } from './ledger';
import { endWalk, endWalkAtOldEnd, isEndConfirmed } from './walkEnd';
import type { Run } from './run';
import { SET_ASIDE } from '../cursor/cursor';
import { newWalk } from './walkState';
import { shift } from '../timestamps';

/** Pages that one poll walks at most: a window with all the charges that can be remembered has no more. */
const MAX_PAGES = 150;
/** Pages that the first walk reads whatever the order. */
const FIRST_PAGES = 50;
/** Pages in a row that repeat the one before: a single one may have been moved on by a whole page of rows that came in. */
const MAX_REPEATS = 2;
/** Pages in a row that show nothing new before they count as lying behind the end, though it is said that more follow. */
const MAX_SEEN_PAGES = 10;
/** Walks in a row that may be unsure before the next one waits for its time. */
const MAX_UNSURE = 3;

/**
 * Reads the window, from the new end towards the old one, where that is due or something is owed: all of it in one
 * poll or in several. It may end at a whole page of older charges where the list is by date, else at the list's end.
 */
export async function walk(run: Run): Promise<void> {
	const { cursor, list } = run;
	const purpose = cursor.walk === undefined ? purposeOf(run) : undefined;
	if (purpose !== undefined) cursor.walk = newWalk(cursor, purpose);
	const limit = { pages: MAX_PAGES };
	for (;;) {
		const present: Walk | undefined = cursor.walk;
		if (present !== undefined) await walkOn(run, present, limit);
		// It goes on in the next poll, or there is none.
		if (cursor.walk === present) return;
		if (cursor.walk === undefined && !mayWalkAgain(run, limit)) return;
		if (cursor.walk === undefined) {
			list.forget();
			cursor.walk = newWalk(cursor, 'window');
		}
	}
}

/** A walk that was not sure of what it saw is made again at once, unless pages fail. */
function mayWalkAgain({ cursor, list }: Run, limit: { pages: number }): boolean {
	const { unsureWalks } = cursor.window;
	const isUnsure = unsureWalks > 0 && unsureWalks < MAX_UNSURE && !hasBacklog(cursor);
	return isUnsure && list.error === undefined && limit.pages > 0;
}

/** Takes the walk on as far as it may go in this poll; at its end it is no longer the cursor's. */
async function walkOn(run: Run, present: Walk, limit: { pages: number }): Promise<void> {
	const { cursor } = run;
	const isFromTop = isAtTop(run);
	// It comes to all of them again.
	if (isFromTop) run.leftBehind = false;
	const steps: Steps = { keys: new Set(), unreadable: 0, pages: [], seenPages: 0, isFromTop };
	while (limit.pages > 0) {
		limit.pages -= 1;
		const outcome = await step(run, present, steps);
		// The count was given up: the walk has begun anew, in other coordinates.
		if (outcome === 'pause' || cursor.walk !== present) return;
		const isEnd = outcome === 'oldEnd' || mayStop(run, present);
		// Nobody can say of what is still unread whether it was there when the trigger began.
		if (isEnd && cursor.silence !== undefined && hasBacklog(cursor)) return;
		if (outcome === 'oldEnd') {
			if (await isEndConfirmed(run, steps)) endWalkAtOldEnd(run, present, steps);
			return;
		}
		if (isEnd) {
			endWalk(run, present);
			return;
		}
	}
}

const isAtTop = ({ cursor }: Run): boolean =>
	cursor.walk !== undefined && cursor.walk.below >= lengthOf(cursor.list);

function purposeOf({ cursor, nowMs, lookbackMs, leftBehind }: Run): Walk['purpose'] | undefined {
	const { window, owed, list, silence } = cursor;
	const mayTryAgain = window.unsureWalks < MAX_UNSURE || silence !== undefined;
	// A silence ends with a walk that ends while nothing is unread.
	const isSilent = silence !== undefined && !hasBacklog(cursor) && owed === 0;
	const isUnsure = (window.unsureWalks > 0 || isSilent) && mayTryAgain;
	const isTime =
		window.walkedAtMs === undefined || Math.abs(nowMs - window.walkedAtMs) >= lookbackMs / 2;
	// Without count and order, nothing but reading shows what is new.
	const isBlind = list.length.kind === 'uncounted' && list.order === 'none';
	if (isTime || isUnsure || isBlind || leftBehind) return 'window';
	return owed > 0 && !hasBacklog(cursor) ? 'owed' : undefined;
}

async function step(run: Run, present: Walk, steps: Steps): Promise<'on' | 'oldEnd' | 'pause'> {
	const { cursor, list } = run;
	if (present.below <= 0) return 'oldEnd';
	const isTried = isProbe(run, present);
	const number = pageHolding(isTried ? 0 : present.below - 1, cursor.list);
	const page = await list.read(number);
	if (cursor.walk !== present) return 'on';
	if (page === undefined) {
		if (!list.hasFailed(number) || mayComeBack(run, present)) return 'pause';
		passOver(run, present, number);
		return list.mayRead ? 'on' : 'pause';
	}
	present.pages += 1;
	present.failures = 0;
	// The row may stand on another page by now, when others have left meanwhile.
	const hasMoved = !isTried && pageHolding(present.below - 1, cursor.list) !== number;
	const isFound = page.slots.some(({ coordinate }) => coordinate === present.below - 1);
	if (isTried || (hasMoved && !isFound)) return 'on';
	const isFirstPage = cursor.list.newEnd === 'firstPage';
	// Without a count, a page that shows nothing but what was seen lies behind the end.
	const isCounted = cursor.list.length.kind === 'counted';
	present.repeats = page.content === present.pageContent ? present.repeats + 1 : 0;
	const isAgain = present.repeats >= MAX_REPEATS;
	if (!isCounted && isFirstPage && (isAgain || isBehindEnd(page, steps))) return 'oldEnd';
	if (page.slots.length === 0 && isFirstPage) return 'oldEnd';
	const isRepeated = !isCounted && present.repeats > 0;
	if (!isRepeated && !judgeWalked(run, page, present, steps)) return 'pause';
	present.pageContent = page.content;
	// Where a page is short, there is nothing more of it to come.
	const { pageSize, newEnd } = cursor.list;
	const last = newEnd === 'firstPage' ? number * pageSize - 1 : (number - 1) * pageSize;
	present.below = Math.min(present.below, Math.max(0, coordinateAt(last, cursor.list)));
	const isLast = isFirstPage ? page.end === 'said' : page.number === 1;
	return isLast ? 'oldEnd' : 'on';
}

/** The second page of the first walk is the one at the old end: where it is not there, the count is wrong. */
const isProbe = ({ cursor: { list } }: Run, { purpose, pages }: Walk): boolean =>
	purpose === 'first' &&
	pages === 1 &&
	list.newEnd === 'firstPage' &&
	list.length.kind === 'counted';

function isBehindEnd({ slots, saysNext }: ChargePage, steps: Steps): boolean {
	const { keys, pages } = steps;
	const isSeen =
		pages.length > 0 && slots.every(({ row }) => row === undefined || keys.has(row.key));
	steps.seenPages = isSeen ? steps.seenPages + 1 : 0;
	// Whole pages that came in meanwhile make others show again.
	return isSeen && (!saysNext || steps.seenPages >= MAX_SEEN_PAGES);
}

/** Without a count, nobody could find what of the past stands on a page that was left out: it is tried again first. */
function mayComeBack({ cursor: { list } }: Run, present: Walk): boolean {
	if (present.backlog === undefined || list.length.kind === 'counted') return false;
	present.failures += 1;
	return present.failures < SET_ASIDE;
}

/** A page that fails is left out, and what stands on it looked for by another walk, or as unread where it has places. */
function passOver({ cursor }: Run, present: Walk, number: number): void {
	present.isUnsure = true;
	const to = present.below;
	while (present.below > 0 && pageHolding(present.below - 1, cursor.list) === number) {
		present.below -= 1;
	}
	if (present.backlog === undefined || cursor.list.length.kind !== 'counted') return;
	const { since } = present.backlog;
	const range = { from: present.below, to, since, isBacklog: true, failures: SET_ASIDE };
	cursor.unread = mergeRanges([...cursor.unread, range].sort((a, b) => a.from - b.from));
}

function mayStop({ cursor, lookbackMs }: Run, present: Walk): boolean {
	const { order } = cursor.list;
	const { purpose, pages, backlog, pageNewest, isWhole, sawOlderPage } = present;
	if (purpose === 'owed' && cursor.owed === 0) return true;
	if (purpose === 'first' && pages < FIRST_PAGES) return false;
	if (backlog !== undefined) {
		// Late rows may stand above others that are not.
		const isPast = pageNewest !== undefined && pageNewest < shift(backlog.since, -lookbackMs);
		return order === 'byDate' && isPast && sawOlderPage;
	}
	if (isWhole) return cursor.owed === 0;
	if (order !== 'byDate' || !sawOlderPage) return false;
	present.isWhole = cursor.owed > 0 && !hasBacklog(cursor);
	return !present.isWhole;
}
