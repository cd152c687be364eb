import { clock } from '../../shared/clock';
import { earliest, fromMs, latest, shift } from '../../shared/timestamps';
import { compareWithLast, orderBy } from '../list/order';
import { walk } from '../list/walk';
import type { ChargePage } from '../list/chargePages';
import type { Place } from '../state/state';
import { beginsBacklog } from './backlog';
import { lookAt, noteNewest, newestListed } from './run';
import type { Run } from './run';

/** A date that is further ahead of the host's clock is wrong, however slow the clock is. */
const MOST_AHEAD_MS = 7 * 86_400_000;

/** Reads the page at which charges come in, and on towards the old end while the row at the far edge is new. */
export async function readNewEnd(run: Run): Promise<void> {
	const { state, list } = run;
	if (state.list.pageSize === undefined) await meetList(run);
	await list.findNewEnd();
	const place: Place = { nextPage: list.newEnd };
	await walk(list, place, (page) => {
		noteNewest(run, page);
		if (beginsBacklog(run)) return true;
		const isEmpty = page.rows.length === 0;
		if (page.number === list.newEnd && (!isEmpty || list.isOldEnd(page))) seeNewEnd(run, page);
		const isFarEdgeNew = lookAt(run, page).at(-1) === true;
		return !isEmpty && !(isFarEdgeNew && state.beginning === undefined);
	});
	if (place.hasFailed) run.hasUnrest = true;
}

/** The first page that is ever read shows how the list seems to be ordered. */
async function meetList({ list }: Run): Promise<void> {
	await walk(list, { nextPage: 1 }, ({ rows }) => {
		const neighbours = { newer: 0, older: 0 };
		for (const row of rows) if (row !== undefined) compareWithLast(neighbours, row.created);
		const order = orderBy(neighbours, list.step) ?? 'newestFirst';
		// Without a count, only a reading of the whole list shows where its last page is.
		list.facts.order = order === 'oldestFirst' && list.count === undefined ? 'none' : order;
		return true;
	});
}

/** While the trigger begins: up to when charges count as there, and since when they have to be known. */
function seeNewEnd(run: Run, { rows }: ChargePage): void {
	const { state, settings } = run;
	const { beginning } = state;
	if (beginning === undefined || beginning.hasSeenNewEnd) return;
	beginning.hasSeenNewEnd = true;
	if (beginning.waited !== undefined) return;
	// What is ahead of the host's clock was there all the same, unless its date is none that can be right.
	const soonest = fromMs(clock.now() + 1);
	const most = fromMs(clock.now() + MOST_AHEAD_MS);
	for (const { created } of rows.filter((row) => row !== undefined)) {
		const isAhead = created >= soonest && created <= most;
		if (isAhead) beginning.upTo = latest(beginning.upTo, created);
	}
	const start = earliest(newestListed(run), beginning.upTo);
	state.since = shift(start, -settings.lookbackMs);
}
