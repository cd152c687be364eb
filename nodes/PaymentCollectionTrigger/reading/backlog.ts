import { EARLIEST, latest, shift } from '../../shared/timestamps';
import { FAILURES_OF_OUTAGE } from '../list/recordList';
import { isOlderThan, type Page, type Row } from '../list/pages';
import { budgets } from '../state/datedKeys';
import type { Backlog } from '../state/state';
import { failsTooLong, rotation, newestUpToNow, type Poll } from './judge';

/**
 * More charges came in than a poll has room for, or Start From asks for more than that. Emitted by their position in
 * the list, they need no key each.
 *
 * @returns whether there is a backlog from now on
 */
export function beginBacklogIfDue(poll: Poll): boolean {
	const { state, list, judge, settings } = poll;
	if (state.backlog !== undefined) return true;
	const { count } = list;
	const { accounted } = state.listFacts;
	// What was found before the count was believed would be emitted once more by its position.
	if (count === undefined || state.learning !== undefined || judge.fresh.size > 0) return false;
	const isFirst = state.lastRound === undefined && accounted === undefined;
	// In a list by date, what came in stands above what is accounted for.
	if (!isFirst && (accounted === undefined || !list.isByDate)) return false;
	const room = Math.min(settings.maxEvents, budgets.knownKeys - judge.known.size);
	if (count - (accounted ?? 0) <= Math.max(budgets.recentKeys, room)) return false;
	delete state.failingSinceMs;
	// One that waits for room may stand below others that came in late.
	const settled = Math.max(0, (accounted ?? 0) - budgets.recentKeys);
	state.backlog = { from: state.since, settled, count, failed: [], recent: [] };
	if (settled === 0 && list.isByDate && state.since > EARLIEST) state.backlog.searchedTo = count;
	const since = shift(newestUpToNow(poll), -settings.lookbackMs);
	if (isFirst) state.since = latest(state.since, since);
	return true;
}

/** Emits charges by their position, from the old end on, as far as there is room and time. */
export async function readBacklog(poll: Poll): Promise<void> {
	const { backlog } = poll.state;
	if (backlog === undefined) return;
	if (!(await findFirst(poll, backlog))) return;
	for (const read of rotation(backlog, poll.list, [retryFailed, readOn])) await read(poll, backlog);
	if (backlog.settled >= backlog.count) endBacklog(poll, backlog);
}

async function readOn(poll: Poll, backlog: Backlog): Promise<void> {
	// Where all that is left has failed, the page at which charges come in shows whether any did.
	if (backlog.settled >= backlog.count) await readAt(poll, backlog.count - 1, backlog);
	let failures = 0;
	while (poll.judge.room > 0 && failures < FAILURES_OF_OUTAGE && backlog.settled < backlog.count) {
		const range: [number, number] = [backlog.settled, pageEnd(poll, backlog)];
		const isRead = await readRange(poll, backlog, range);
		if (!isRead && !poll.list.mayRead()) break;
		backlog.settled = isRead ? range[0] : range[1];
		if (!isRead) backlog.failed.push(range);
		failures = isRead ? 0 : failures + 1;
	}
}

/** Until one of them fails again: it is the last one to be tried by the next poll. */
async function retryFailed(poll: Poll, backlog: Backlog): Promise<void> {
	for (let tries = backlog.failed.length; tries > 0; tries--) {
		const [range, ...others] = backlog.failed;
		if (range === undefined) return;
		const isRead = await readRange(poll, backlog, range);
		backlog.failed = range[0] < range[1] ? [...others, range] : others;
		if (!isRead) return;
	}
}

/** In a list by date, the first charge of interest is on the oldest page that is not too old. @returns whether it is found */
async function findFirst(poll: Poll, backlog: Backlog): Promise<boolean> {
	const { pageSize = 1 } = poll.state.listFacts;
	for (let to = backlog.searchedTo ?? 0; to - backlog.settled > pageSize; ) {
		const middle = Math.floor((backlog.settled + to) / 2);
		const page = await readAt(poll, middle, backlog);
		if (page === 'none') return false;
		if (page !== 'failed' && isOlderThan(page, backlog.from)) backlog.settled = middle;
		else backlog.searchedTo = to = middle;
	}
	delete backlog.searchedTo;
	return true;
}

/**
 * Takes the charges of a page that stand within a range of positions.
 *
 * @param range what is left of it begins where there was no more room, or above what was read
 * @returns whether the page could be read
 */
async function readRange(poll: Poll, backlog: Backlog, range: [number, number]): Promise<boolean> {
	const [from, to] = range;
	const { count } = backlog;
	const page = await readAt(poll, from, backlog);
	if (page === 'none' || page === 'failed' || page.rows.length === 0) return false;
	// Charges have left the list, and those above them moved down.
	range[0] = Math.max(0, from - Math.max(0, count - backlog.count));
	let position = lowestOf(poll, page, backlog);
	for (const row of page.rows.toReversed()) {
		// Charges that came in meanwhile have moved those in between to another page.
		if (position > range[0] && count !== backlog.count) return true;
		if (position >= range[0] && position < to) {
			if (row !== undefined && !takeByPosition(poll, backlog, row)) return true;
			range[0] = position + 1;
		}
		position += 1;
	}
	// Where the count is too high, nothing stands there.
	if (range[0] === from && count === backlog.count) range[0] = to;
	return true;
}

/** Reads the page that holds a position by the count so far. */
async function readAt({ list }: Poll, position: number, backlog: Backlog) {
	const { pageSize = 1 } = list.facts;
	const place = list.step === 1 ? backlog.count - 1 - position : position;
	list.forget();
	const page = await list.read(Math.floor(place / pageSize) + 1);
	backlog.count = list.count ?? backlog.count;
	return page;
}

/** The position of the oldest row of a page. */
function lowestOf({ list }: Poll, { number, rows }: Page, { count }: Backlog): number {
	const { pageSize = rows.length } = list.facts;
	const before = (number - 1) * pageSize;
	return list.step === 1 ? count - before - rows.length : before;
}

/** The first position above the page of the next one. */
function pageEnd({ list }: Poll, { settled, count }: Backlog): number {
	const { pageSize = 1 } = list.facts;
	const onPage =
		list.step === 1 ? (count - 1 - settled) % pageSize : pageSize - 1 - (settled % pageSize);
	return settled + onPage + 1;
}

/** @returns false where there is no room for the charge */
function takeByPosition({ judge }: Poll, backlog: Backlog, row: Row): boolean {
	const isDone =
		row.created < backlog.from || judge.known.has(row.key) || backlog.recent.includes(row.key);
	if (isDone || judge.fresh.has(row.key)) return true;
	if (judge.room <= 0) return false;
	judge.take(row);
	backlog.recent = [...backlog.recent, row.key].slice(-budgets.recentKeys);
	return true;
}

function endBacklog(poll: Poll, backlog: Backlog): void {
	const { state } = poll;
	if (backlog.failed.length > 0 && !failsTooLong(poll)) return;
	delete state.backlog;
	delete state.failingSinceMs;
	// Everything is emitted or given up, also what came in while this poll read.
	state.listFacts.accounted = backlog.count;
	// A charge that came in below meanwhile is found by a round.
	state.roundOwed = true;
}
