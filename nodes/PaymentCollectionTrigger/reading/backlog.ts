import { budgets } from '../budgets';
import { latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { isOlderThan } from '../list/chargePages';
import type { ChargePage, ChargeRow } from '../list/chargePages';
import { KEY_LENGTH } from '../state/datedKeys';
import type { Backlog } from '../state/state';
import { noteNewest, newestListed } from './run';
import type { Run } from './run';

const DAY_MS = 86_400_000;
/** Pages in a row that may fail before the rest is left to the next poll. */
const MAX_FAILURES = 3;

/** Start From a date or the beginning, in a list that holds more than a few polls tell. */
export async function backlogAtBeginning(run: Run): Promise<void> {
	const { state, list, settings } = run;
	const { startFrom } = settings;
	const isFirst = state.lastRound === undefined && state.beginning === undefined;
	const { count = 0 } = list;
	if (!isFirst || startFrom.kind === 'now' || count <= 2 * budgets.recentKeys) return;
	const from = state.since;
	const newEnd = await readAt(run, count - 1, count);
	if (newEnd !== 'none' && newEnd !== 'failed') noteNewest(run, newEnd);
	const settled = startFrom.kind === 'date' ? await firstSince(run, startFrom.date) : 0;
	state.backlog = { from, settled, count, failed: [], recent: '' };
	state.since = latest(from, shift(newestListed(run), -settings.lookbackMs));
}

/**
 * More charges came in than a poll has room for. Told by position they need no key each.
 *
 * @returns whether there is a backlog from now on
 */
export function backlogOfBurst({ state, list, judge, settings }: Run): boolean {
	const { isByDate, accounted: settled } = state.list;
	const { count } = list;
	if (state.backlog !== undefined) return true;
	if (!isByDate || count === undefined || settled === undefined) return false;
	const cameIn = count - settled;
	const room = Math.min(settings.maxCharges, budgets.knownKeys - judge.known.size);
	if (cameIn <= budgets.recentKeys || cameIn <= room) return false;
	state.backlog = { from: state.since, settled, count, failed: [], recent: '' };
	return true;
}

/** Tells charges by their position, from the old end on, as far as there is room and time. */
export async function readBacklog(run: Run): Promise<void> {
	const { state, list } = run;
	const { backlog } = state;
	if (backlog === undefined) return;
	for (const range of backlog.failed) if (!(await readRange(run, backlog, range))) break;
	backlog.failed = backlog.failed.filter(([from, to]) => from < to);
	let failures = 0;
	while (hasRoom(run) && failures < MAX_FAILURES) {
		const count = countOf(run);
		if (backlog.settled >= count) break;
		const range: Range = [backlog.settled, pageEnd(run, backlog.settled, count)];
		const isRead = await readRange(run, backlog, range);
		if (!isRead && !list.mayRead) break;
		backlog.settled = isRead ? range[0] : range[1];
		if (!isRead) backlog.failed.push(range);
		failures = isRead ? 0 : failures + 1;
	}
	backlog.count = countOf(run);
	endBacklog(run, backlog);
}

type Range = Backlog['failed'][number];

const hasRoom = ({ judge, settings }: Run): boolean => judge.fresh.size < settings.maxCharges;

const countOf = ({ list, state }: Run): number => list.count ?? state.backlog?.count ?? 0;

/**
 * Takes the charges of a page that stand within a range of positions.
 *
 * @param range what is left of it begins where there was no more room, or above what was read
 * @returns whether the page could be read
 */
async function readRange(run: Run, backlog: Backlog, range: Range): Promise<boolean> {
	const count = countOf(run);
	const [from, to] = range;
	const page = await readAt(run, from, count);
	if (page === 'none' || page === 'failed' || page.rows.length === 0) return false;
	// Charges have left the list, and those above them moved down.
	range[0] = Math.max(0, from - Math.max(0, count - countOf(run)));
	if (range[0] < from) return true;
	for (const { position, row } of slotsOf(run, page)) {
		if (position < range[0] || position >= to) continue;
		// Charges that came in meanwhile have moved those in between to another page.
		if (position > range[0] && count !== countOf(run)) return true;
		if (row !== undefined && !take(run, backlog, row)) return true;
		range[0] = position + 1;
	}
	// Where the count is too high, nothing stands there.
	if (range[0] === from && count === countOf(run)) range[0] = to;
	return true;
}

/** The page that holds a position by the count. */
async function readAt(run: Run, position: number, count: number) {
	const { list, state } = run;
	list.forget();
	const { pageSize = 1, newEnd } = state.list;
	const row = newEnd === 'first' ? count - 1 - position : position;
	return await list.read(Math.floor(row / pageSize) + 1);
}

/** The first position above the page that holds a position. */
function pageEnd({ state }: Run, position: number, count: number): number {
	const { pageSize = 1, newEnd } = state.list;
	if (newEnd === 'last') return (Math.floor(position / pageSize) + 1) * pageSize;
	return count - Math.floor((count - 1 - position) / pageSize) * pageSize;
}

/** @returns false where there is no room for the charge */
function take(run: Run, backlog: Backlog, row: ChargeRow): boolean {
	const { judge, watcher } = run;
	const isDone =
		row.created < backlog.from || judge.known.has(row.key) || isRecent(backlog, row.key);
	if (isDone || judge.fresh.has(row.key)) return true;
	if (!hasRoom(run)) return false;
	judge.take(row);
	if (!judge.fresh.has(row.key)) watcher?.look(row, true);
	backlog.recent = (backlog.recent + row.key).slice(-budgets.recentKeys * KEY_LENGTH);
	return true;
}

function isRecent({ recent }: Backlog, key: string): boolean {
	for (let at = recent.indexOf(key); at >= 0; at = recent.indexOf(key, at + 1))
		if (at % KEY_LENGTH === 0) return true;
	return false;
}

/** The rows of a page with their positions, the lowest first. */
function slotsOf(run: Run, { number, rows, count = countOf(run) }: ChargePage) {
	const { pageSize = rows.length, newEnd } = run.state.list;
	const first = (number - 1) * pageSize;
	const slots = rows.map((row, index) => {
		const place = first + index;
		return { row, position: newEnd === 'first' ? count - 1 - place : place };
	});
	return newEnd === 'first' ? slots.reverse() : slots;
}

function endBacklog(run: Run, backlog: Backlog): void {
	const { state, list, nowMs } = run;
	if (backlog.settled < countOf(run)) return;
	backlog.reachedAtMs ??= nowMs;
	const isGivenUp = Math.abs(nowMs - backlog.reachedAtMs) > DAY_MS;
	if (backlog.failed.length > 0 && !isGivenUp) return;
	delete state.backlog;
	// All that came in was told, also while this poll read.
	state.list.accounted = list.count;
	// A charge that came in below meanwhile is found by a round.
	run.hasUnrest = true;
}

/** The position of the oldest page that is not older than an instant, in a list by date. */
async function firstSince(run: Run, date: Instant): Promise<number> {
	const { list, state } = run;
	const { pageSize = 1, isByDate } = state.list;
	let [low, high] = [0, list.count ?? 0];
	while (isByDate && high - low > pageSize) {
		const middle = Math.floor((low + high) / 2);
		const page = await readAt(run, middle, list.count ?? high);
		if (page === 'none') return low;
		if (page !== 'failed' && isOlderThan(page, date)) low = middle;
		else high = middle;
	}
	return low;
}
