import type { Cursor } from '../cursor/cursor';
import type { Walk } from '../cursor/walk';
import { lengthOf } from '../list/coordinates';
import { beginAnew, forgetNewEnd } from '../reading/ledger';
import { hasToRead } from '../reading/unreadRanges';
import { endWalk, endWalkAtOldEnd, isEndConfirmed } from './walkEnd';
import type { Run } from '../reading/run';
import { MAX_UNSURE, newWalk } from './walkState';
import type { Steps } from './walkState';
import { walkPage } from './walkPage';
import { shift } from '../../shared/timestamps';

/** Pages that one poll walks at most: a window with all the charges that can be remembered has no more. */
const MAX_PAGES = 150;
/** Pages that the first walk reads whatever the order. */
const FIRST_PAGES = 50;

/**
 * Reads the window, from the new end towards the old one, where that is due or something is owed: all of it in one
 * poll or in several. It may end at a whole page of older charges where the list is by date, else at the list's end.
 */
export async function walkWindow(run: Run): Promise<void> {
	const { cursor, list } = run;
	const { length, order, newEnd } = cursor.list;
	// Rows that come in anywhere move others towards the last page, and past a walk that comes from there.
	if (length.kind === 'uncounted' && order === 'none' && newEnd === 'lastPage') {
		forgetNewEnd(cursor);
		beginAnew(cursor);
	}
	const purpose = cursor.walk === undefined ? purposeOf(run) : undefined;
	if (purpose !== undefined) cursor.walk = newWalk(cursor, purpose);
	const limit = { pages: MAX_PAGES };
	for (let begun = 0; begun <= MAX_UNSURE; begun++) {
		const walk: Walk | undefined = cursor.walk;
		if (walk !== undefined) await walkOn(run, walk, limit);
		// It goes on in the next poll, or there is none.
		if (cursor.walk === walk) return;
		if (cursor.walk === undefined && !mayWalkAgain(run, limit)) return;
		// What contradicts itself is not in the pages that were read.
		list.forget();
		cursor.walk ??= newWalk(cursor, windowPurpose(cursor));
	}
}

/** While the first reading is not over, the order that pages show is not believed. */
const windowPurpose = ({ silence }: Cursor): Walk['purpose'] =>
	silence === undefined ? 'window' : 'first';

/** A walk that was not sure of what it saw is made again at once, unless pages fail. */
function mayWalkAgain({ cursor, list }: Run, limit: { pages: number }): boolean {
	const { unsureWalks } = cursor.window;
	const isUnsure = unsureWalks > 0 && unsureWalks < MAX_UNSURE && !hasToRead(cursor);
	return isUnsure && list.error === undefined && limit.pages > 0;
}

/** Takes the walk on as far as it may go in this poll; at its end it is no longer the cursor's. */
async function walkOn(run: Run, walk: Walk, limit: { pages: number }): Promise<void> {
	const { cursor } = run;
	const isFromNewEnd = walk.below >= lengthOf(cursor.list);
	// It comes to all of them again.
	if (isFromNewEnd) run.leftBehind = false;
	const steps: Steps = { keys: new Set(), unreadable: 0, pages: [], seenPages: 0, isFromNewEnd };
	while (limit.pages > 0) {
		limit.pages -= 1;
		const outcome = await walkPage(run, walk, steps);
		// The count was given up: the walk has begun anew, in other coordinates.
		if (outcome === 'pause' || cursor.walk !== walk) return;
		if (outcome === 'on' && !mayStop(run, walk)) continue;
		// Nobody can say of what is still unread whether it was there when the trigger began.
		if (cursor.silence !== undefined && hasToRead(cursor)) return;
		if (outcome === 'on') endWalk(run, walk);
		else if (await isEndConfirmed(run, walk, steps)) endWalkAtOldEnd(run, walk, steps);
		return;
	}
}

function purposeOf({ cursor, settings, nowMs, leftBehind }: Run): Walk['purpose'] | undefined {
	const { window, owed, list, silence } = cursor;
	const isTired = window.unsureWalks >= MAX_UNSURE;
	// What hides on a page that fails another walk finds no sooner; what changes its place at every request it may.
	const mayFind = !isTired || window.hasLeftOut === undefined;
	const mayTryAgain = silence === undefined ? !isTired : mayFind;
	// A silence ends with a walk that ends while nothing is unread.
	const isSilent = silence !== undefined && !hasToRead(cursor) && owed === 0;
	const isUnsure = (window.unsureWalks > 0 || isSilent) && mayTryAgain;
	const isTime =
		window.walkedAtMs === undefined ||
		Math.abs(nowMs - window.walkedAtMs) >= settings.lookbackMs / 2;
	// Without count and order, nothing but reading shows what is new.
	const isBlind = list.length.kind === 'uncounted' && list.order === 'none';
	if (isTime || isUnsure || isBlind || leftBehind) return windowPurpose(cursor);
	return owed > 0 && mayFind && !hasToRead(cursor) ? 'owed' : undefined;
}

function mayStop({ cursor, settings }: Run, walk: Walk): boolean {
	const { backlog, list } = cursor;
	const { order } = list;
	const { purpose, pages, pageNewest, isWhole, sawOlderPage } = walk;
	if (purpose === 'owed' && cursor.owed === 0) return true;
	if (purpose === 'first' && pages < FIRST_PAGES) return false;
	if (backlog !== undefined) {
		// Late rows may stand above others that are not.
		const isPast =
			pageNewest !== undefined && pageNewest < shift(backlog.since, -settings.lookbackMs);
		return order === 'byDate' && isPast && sawOlderPage;
	}
	if (isWhole) return cursor.owed === 0;
	if (order !== 'byDate' || !sawOlderPage) return false;
	// What is owed may stand on a page that it has left out.
	walk.isWhole = cursor.owed > 0 && !hasToRead(cursor) && walk.hasLeftOut === undefined;
	return !walk.isWhole;
}
