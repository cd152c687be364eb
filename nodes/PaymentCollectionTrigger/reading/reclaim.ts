import { SET_ASIDE } from '../cursor/cursor';
import type { UnreadRange } from '../cursor/cursor';
import type { ChargePage, Slot } from '../list/chargePage';
import { pageHolding } from '../list/coordinates';
import { payBack } from './ledger';
import type { Run } from './run';
import { insertRange, isUnread } from './unreadRanges';

/** Pages that are looked through above a range at most. */
const MAX_ABOVE = 3;

/**
 * Rows that leave, or move to the new end, move those above them down: out of a range that is being told, to the places
 * right below it. What stands there above the rows that were told last is unread, too.
 */
export async function reclaimBelow(run: Run): Promise<void> {
	const { cursor, list, novelty } = run;
	const range = cursor.unread.find(({ failures }) => failures < SET_ASIDE);
	if (range === undefined || range.from === 0) return;
	const number = pageHolding(range.from - 1, cursor.list);
	const isSamePage = number === pageHolding(range.from, cursor.list);
	// Where there is time for one request only, it is for the range itself.
	const isCheap = isSamePage || (range.backlog !== undefined && list.requests.sent > 0);
	if (!isCheap) return;
	const page = await list.read(number);
	if (page === undefined || !cursor.unread.includes(range)) return;
	const below = page.slots.filter(({ coordinate }) => coordinate < range.from).reverse();
	const moved = below.findIndex(({ row }) => row !== undefined && novelty.known.wasTaken(row.key));
	reclaim(run, range, below.slice(0, Math.max(0, moved)));
}

/** Late rows move those above them up: out of a range, to the places between it and the next one. */
export async function reclaimAbove(run: Run, range: UnreadRange): Promise<void> {
	const { cursor, list } = run;
	const end = cursor.unread.find(({ from }) => from >= range.to)?.from ?? range.to;
	let at = range.to;
	for (let pages = 0; at < end && pages < MAX_ABOVE; pages++) {
		const page: ChargePage | undefined = await list.read(pageHolding(at, cursor.list));
		const highest = page?.slots.at(-1)?.coordinate;
		if (page === undefined || highest === undefined || highest < at) return;
		const from = at;
		reclaim(
			run,
			range,
			page.slots.filter(({ coordinate }) => coordinate >= from && coordinate < end),
		);
		at = highest + 1;
	}
}

/** Those of the rows that are not known are in the range. */
function reclaim(run: Run, range: UnreadRange, slots: readonly Slot[]): void {
	const { cursor, novelty } = run;
	for (const { coordinate, row } of slots) {
		if (row === undefined || novelty.known.has(row.key) || isUnread(cursor, coordinate)) continue;
		insertRange(cursor, { ...range, from: coordinate, to: coordinate + 1 });
		payBack(cursor, coordinate);
	}
}
