import { latest, shift } from '../../shared/timestamps';
import { FAILURES_OF_OUTAGE } from '../list/recordList';
import { isOlderThan, type Page, type PageRead, type Row } from '../list/pages';
import { budgets } from '../state/datedKeys';
import type { Backlog, Range } from '../state/state';
import { newestUpToNow, givesUpAfterFailure, type Poll } from './judge';

/** More charges than both one poll's room and `recentKeys` are emitted by position, without a key each. @returns whether it is so */
export function beginBacklogIfDue(poll: Poll): boolean {
	const { state, list, judge, settings } = poll;
	if (state.backlog !== undefined) return true;
	const { count } = list;
	const { accounted } = state.listFacts;
	// New charges that were found before the count was believed would be emitted again by their positions.
	if (count === undefined || state.learning !== undefined || judge.fresh.size > 0) return false;
	const isStart = state.lastRound === undefined && accounted === undefined;
	// New charges stand above those that are accounted for, in a list by date only.
	if (!isStart && (accounted === undefined || !list.isByDate)) return false;
	const room = Math.min(settings.maxEvents, budgets.knownKeys - judge.known.size);
	if (count - (accounted ?? 0) <= Math.max(budgets.recentKeys, room)) return false;
	delete state.failingSinceMs;
	// Goes back a little: a charge that waits for room may stand below others that came in late.
	const done = Math.max(0, (accounted ?? 0) - budgets.recentKeys);
	state.backlog = { from: state.since, left: [[done, count]], count, recent: [] };
	if (done === 0) state.backlog.firstIsBelow = count;
	// Older charges are found by their positions, so `since` need not go back to them.
	if (isStart) state.since = latest(state.since, shift(newestUpToNow(poll), -settings.lookbackMs));
	return true;
}

/** Emits charges by their position, from the old end, while there is room and time. */
export async function readBacklog(poll: Poll): Promise<void> {
	const { state, list, judge } = poll;
	const { backlog } = state;
	if (backlog === undefined || !(await findFirst(poll, backlog))) return;
	const failed = new Set<Range>();
	// The second range, usually a failed page, goes first: `recent` still has the emitted charges that moved into it, but not for long.
	const [first, second, ...others] = backlog.left;
	if (first !== undefined && second !== undefined) backlog.left = [second, first, ...others];
	while (judge.room > 0 && failed.size < FAILURES_OF_OUTAGE) {
		backlog.left = backlog.left.filter(([from, to]) => from < to);
		const [range] = backlog.left;
		if (range === undefined || failed.has(range)) break;
		const page = await readRange(poll, backlog, range);
		if (page === 'none') break;
		if (page !== 'failed') continue;
		const part: Range = [range[0], pageEnd(poll, backlog, range)];
		range[0] = part[1];
		// Comes again later, unless it has failed for too long.
		if (!givesUpAfterFailure(poll)) backlog.left.push(part);
		failed.add(part);
	}
	// Without a count, positions can't be turned into pages.
	const hasPositions = list.step === -1 || list.count !== undefined;
	if (failed.size === 0 && hasPositions) delete state.failingSinceMs;
	const isLeft = backlog.left.some(([from, to]) => from < to);
	if (isLeft && (hasPositions || !givesUpAfterFailure(poll))) return;
	delete state.backlog;
	delete state.failingSinceMs;
	// Everything is emitted or given up, including charges that came in during this poll.
	state.listFacts.accounted = backlog.count;
	// A round finds charges that came in below meanwhile.
	state.roundOwed = true;
}

/** Searches for the oldest page that exists and, in a list by date, is not too old. @returns whether it is found */
async function findFirst(poll: Poll, backlog: Backlog): Promise<boolean> {
	const { list } = poll;
	const [range = [0, 0]] = backlog.left;
	const { pageSize = 1 } = list.facts;
	for (let to = backlog.firstIsBelow ?? 0; to - range[0] > pageSize; ) {
		const middle = Math.floor((range[0] + to) / 2);
		const page = await readAt(poll, middle, backlog);
		if (page === 'none') return false;
		const isAbsent = list.step === 1 && page !== 'failed' && page.rows.length === 0;
		const isOld = list.isByDate && page !== 'failed' && isOlderThan(page, backlog.from);
		if (isAbsent || isOld) range[0] = middle;
		else backlog.firstIsBelow = to = middle;
	}
	delete backlog.firstIsBelow;
	return true;
}

/** Takes the charges of the page on which a range begins. The range then begins above them, or where the room ended. */
async function readRange(poll: Poll, backlog: Backlog, range: Range): Promise<PageRead> {
	const [from] = range;
	const { count } = backlog;
	const end = pageEnd(poll, backlog, range);
	const page = await readAt(poll, from, backlog);
	if (page === 'none' || page === 'failed') return page;
	let position = lowestOf(poll, page, backlog);
	for (const row of page.rows.toReversed()) {
		// New charges came in during the request: the rows from `range[0]` to here are on another page now.
		if (position > range[0] && count !== backlog.count) return page;
		if (position >= range[0] && position < range[1]) {
			if (row !== undefined && !takeByPosition(poll, backlog, row)) return page;
			range[0] = position + 1;
		}
		position += 1;
	}
	// The count is too high: nothing stands there.
	if (range[0] === from && count === backlog.count) range[0] = end;
	return page;
}

/** Reads the page of a position, then adjusts positions and count to the list's new count. */
async function readAt({ list }: Poll, position: number, backlog: Backlog): Promise<PageRead> {
	const { pageSize = 1 } = list.facts;
	const rowsBefore = list.step === 1 ? backlog.count - 1 - position : position;
	list.forget();
	const page = await list.read(Math.floor(rowsBefore / pageSize) + 1);
	if (!list.hasAnswered) return page === 'none' ? page : 'failed';
	// Without a count, a position can't be turned into a page: the backlog waits.
	if (list.step === 1 && list.count === undefined) return 'none';
	const grown = (list.count ?? backlog.count) - backlog.count;
	const top = backlog.left.find(([, to]) => to === backlog.count);
	backlog.count += grown;
	if (grown > 0 && top === undefined) backlog.left.push([backlog.count - grown, backlog.count]);
	else if (top !== undefined) top[1] = backlog.count;
	// Charges have left the list, and those above moved down. Twice the difference is a guess: others may have come in.
	for (const range of grown < 0 ? backlog.left : []) {
		range[0] = Math.max(0, range[0] + 2 * grown);
		range[1] = Math.min(range[1], backlog.count);
	}
	return page;
}

/** The position of the oldest row of a page. */
function lowestOf({ list }: Poll, { number, rows }: Page, { count }: Backlog): number {
	const { pageSize = rows.length } = list.facts;
	const before = (number - 1) * pageSize;
	return list.step === 1 ? count - before - rows.length : before;
}

/** The position after the last one on the page where a range begins, or the range's end. */
function pageEnd({ list }: Poll, { count }: Backlog, [from, to]: Range): number {
	const { pageSize = 1 } = list.facts;
	const onPage = list.step === 1 ? (count - 1 - from) % pageSize : pageSize - 1 - (from % pageSize);
	return Math.min(to, from + onPage + 1);
}

/** @returns false if there is no room for the charge */
function takeByPosition({ judge }: Poll, backlog: Backlog, row: Row): boolean {
	const isDone =
		row.created < backlog.from || judge.known.has(row.key) || backlog.recent.includes(row.key);
	if (isDone || judge.fresh.has(row.key)) return true;
	if (judge.room <= 0) return false;
	judge.take(row);
	backlog.recent = [...backlog.recent, row.key].slice(-budgets.recentKeys);
	return true;
}
