import { SET_ASIDE } from '../cursor/cursor';
import type { Cursor } from '../cursor/cursor';
import type { Watch } from '../cursor/watch';
import { newestOf } from '../dates';
import type { ChargePage } from '../list/chargePage';
import { datesOf, lastChange } from '../list/chargeRow';
import { isOpen, pageFromNewEnd } from '../list/coordinates';
import { judgePage } from '../reading/run';
import type { Run } from '../reading/run';
import { EARLIEST, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { MAX_REPEATS } from '../walk/walkEnd';
import { firstWatch } from './firstWatch';

/** Pages that the first look at the watched days takes at once. */
const FIRST_PAGES = 50;

/**
 * Reads the next pages of the watched days, going round from the new end to a whole page of charges that are not
 * watched any more, or to the list's end where it is not by date; begins to watch where that is new. Pages that were
 * read in this poll cost nothing.
 */
export async function sweepWatched(run: Run): Promise<void> {
	const { cursor, list } = run;
	const { watchMs, sweepPages } = run.settings;
	// The next round goes as far back as this one would, begun now, so that each charge is looked at once more after it got
	// that old.
	const late = newestOf(datesOf([...run.seen.values()]), run.nowMs).at(-1) ?? EARLIEST;
	const watchedFrom = watchedFromOf(late, run);
	// As long as nobody can say what is news, nothing is told.
	const isUndated = cursor.watch?.since === undefined && cursor.watch?.isComplete !== true;
	cursor.watch ??= firstWatch(run, watchedFrom);
	const { watch } = cursor;
	const [lastRoundAt, roundAt] = watch.rounds ?? [shift(watch.from, watchMs)];
	const pages = isUndated ? Math.max(sweepPages, FIRST_PAGES) : sweepPages;
	const limit = list.requests.sent + pages;
	const nextPage = () => pageFromNewEnd(watch.pagesDone, cursor.list);
	const isFirst = !watch.isComplete || watch.areStatusesNew === true;
	// A late row among them may hide one of the round: in the first round, all are to be looked at.
	if (!isFirst && watch.pagesDone > 0) watch.pagesDone += pagesCameIn(run);
	for (let number = nextPage(); number !== undefined; number = nextPage()) {
		if (!list.has(number) && list.requests.sent >= limit) return;
		const page = await list.read(number);
		if (page === undefined && !list.hasFailed(number)) return;
		if (page === undefined && isFirst) {
			watch.failures += 1;
			if (watch.failures < SET_ASIDE) return;
		}
		watch.pagesDone += 1;
		watch.failures = 0;
		// A page that fails is left to the next round.
		if (page === undefined) {
			if (isFirst || watch.leftOut !== undefined) watch.leftOut = 'thisRound';
			continue;
		}
		judgePage(run, page);
		watch.repeats = page.content === watch.pageContent ? watch.repeats + 1 : 0;
		watch.pageContent = page.content;
		// Without a count, nothing else may show that the last page is given again and again.
		const isBehindEnd = cursor.list.length.kind === 'uncounted' && watch.repeats >= MAX_REPEATS;
		if (page.slots.length === 0 || isBehindEnd || isLast(cursor, page, watch.from, lastRoundAt))
			break;
	}
	endRound(cursor, watch, watchedFrom);
	watch.rounds = [roundAt ?? lastRoundAt, late];
}

/**
 * Whether the round ends with the page. In a list by last change, whole pages of charges that are not watched but changed
 * since the last round began stand before watched ones that changed earlier.
 */
function isLast(
	{ list }: Cursor,
	{ end, number, slots }: ChargePage,
	from: Instant,
	lastRoundAt: Instant,
): boolean {
	const { newEnd, order } = list;
	const isOldEnd = newEnd === 'firstPage' ? end !== 'open' : number === 1;
	const isOlder = slots.every(({ row }) => row !== undefined && row.created < from);
	const isUnchanged = slots.some(({ row }) => row !== undefined && lastChange(row) < lastRoundAt);
	return isOldEnd || (order === 'byDate' && isOlder && isUnchanged);
}

function endRound({ list }: Cursor, watch: Watch, watchedFrom: Instant): void {
	watch.from = latest(watch.from, watch.nextFrom);
	watch.nextFrom = watchedFrom;
	watch.pagesDone = 0;
	delete watch.pageContent;
	if (watch.leftOut === 'thisRound') watch.leftOut = 'lastRound';
	else delete watch.leftOut;
	// Beyond an open end stand charges that nobody has looked at.
	if (isOpen(list)) return;
	watch.isComplete = true;
	delete watch.areStatusesNew;
}

/** Whole pages that came in at the new end, and moved on what the round has looked at. */
function pagesCameIn({ cursor, countBefore, novelty }: Run): number {
	const { length, order, pageSize } = cursor.list;
	if (order !== 'byDate' || cursor.backlog !== undefined) return 0;
	const isCounted = length.kind === 'counted' && countBefore !== undefined;
	const rows = isCounted ? length.count - countBefore : novelty.taken.size;
	return Math.max(0, Math.floor(rows / pageSize));
}

function watchedFromOf(late: Instant, { settings, cursor }: Run): Instant {
	const watchedFrom = late === EARLIEST ? EARLIEST : shift(late, -settings.watchMs);
	return latest(watchedFrom, cursor.watch?.from ?? EARLIEST);
}
