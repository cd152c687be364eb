import { SET_ASIDE } from '../cursor/cursor';
import type { Cursor } from '../cursor/cursor';
import type { Watch } from '../cursor/watch';
import type { ChargePage } from '../list/chargePage';
import { lastChange } from '../list/chargeRow';
import { isOpen, pageFromNewEnd } from '../list/coordinates';
import { judgePage } from '../reading/run';
import type { Run } from '../reading/run';
import { latest } from '../../shared/timestamps';
import { MAX_REPEATS } from '../walk/listEnd';
import type { Instant } from '../../shared/timestamps';

/**
 * Reads the next pages of the watched days, going round from the new end to a whole page of charges that are not
 * watched any more, or to the list's end where it is not by date. Pages that were read in this poll cost nothing.
 *
 * @param pages requests at most
 * @param watchedFrom where the watched days begin now. The next round goes as far back as this one would, begun now, so
 * that each charge is looked at once more after it got that old.
 * @param changedAfter when the last round began. In a list by last change, whole pages of charges that are not watched
 * but changed since then stand before watched ones that changed earlier.
 */
export async function sweep(
	run: Run,
	watch: Watch,
	pages: number,
	watchedFrom: Instant,
	changedAfter: Instant,
): Promise<void> {
	const { cursor, list } = run;
	const limit = list.requests.sent + pages;
	// A late row among them may hide one of the round: in the first round, all are to be looked at.
	if (watch.isComplete && watch.pagesDone > 0) watch.pagesDone += pagesCameIn(run);
	for (;;) {
		const number = pageFromNewEnd(watch.pagesDone, cursor.list);
		if (number === undefined) {
			endRound(cursor, watch, watchedFrom);
			return;
		}
		if (!list.has(number) && list.requests.sent >= limit) return;
		const page = await list.read(number);
		if (page === undefined && !list.hasFailed(number)) return;
		watch.failures = page === undefined ? watch.failures + 1 : 0;
		if (!watch.isComplete && watch.failures > 0 && watch.failures < SET_ASIDE) return;
		watch.pagesDone += 1;
		watch.failures = 0;
		// A page that fails is left to the next round.
		if (page === undefined) {
			if (!watch.isComplete || watch.leftOut !== undefined) watch.leftOut = 'thisRound';
			continue;
		}
		judgePage(run, page);
		watch.repeats = page.content === watch.pageContent ? watch.repeats + 1 : 0;
		watch.pageContent = page.content;
		// Without a count, nothing else may show that the last page is given again and again.
		const isBehindEnd = cursor.list.length.kind === 'uncounted' && watch.repeats >= MAX_REPEATS;
		if (page.slots.length === 0 || isBehindEnd || isLast(run, page, watch.from, changedAfter)) {
			endRound(cursor, watch, watchedFrom);
			return;
		}
	}
}

function isLast(
	{ cursor }: Run,
	{ end, number, slots }: ChargePage,
	from: Instant,
	changedAfter: Instant,
): boolean {
	const { newEnd, order } = cursor.list;
	const isOldEnd = newEnd === 'firstPage' ? end !== 'open' : number === 1;
	const isOlder = slots.every(({ row }) => row !== undefined && row.created < from);
	const isUnchanged = slots.some(({ row }) => row !== undefined && lastChange(row) < changedAfter);
	return isOldEnd || (order === 'byDate' && isOlder && isUnchanged);
}

function endRound({ list }: Cursor, watch: Watch, watchedFrom: Instant): void {
	watch.from = latest(watch.from, watch.nextFrom);
	watch.nextFrom = watchedFrom;
	watch.pagesDone = 0;
	watch.repeats = 0;
	delete watch.pageContent;
	if (watch.leftOut === 'thisRound') watch.leftOut = 'lastRound';
	else delete watch.leftOut;
	// Beyond an open end stand charges that nobody has looked at.
	watch.isComplete ||= !isOpen(list);
}

/** Whole pages that came in at the new end, and moved on what the round has looked at. */
function pagesCameIn({ cursor, countBefore, novelty }: Run): number {
	const { length, order, pageSize } = cursor.list;
	if (order !== 'byDate' || cursor.backlog !== undefined) return 0;
	const isCounted = length.kind === 'counted';
	const rows = isCounted ? length.count - (countBefore ?? length.count) : novelty.newRows;
	return Math.max(0, Math.floor(rows / pageSize));
}
