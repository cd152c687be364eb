import { clock } from '../../shared/clock';
import { fromMs, latest, shift } from '../../shared/timestamps';
import { orderOf } from '../list/order';
import { walk } from '../list/walk';
import type { Place } from '../list/walk';
import type { ChargePage } from '../list/chargePages';
import { backlogAtBeginning, backlogOfBurst } from './backlog';
import { lookAt, noteNewest, newestListed } from './run';
import type { Run } from './run';

/** A date that is further ahead of the host's clock is wrong, however slow the clock is. */
const MOST_AHEAD_MS = 7 * 86_400_000;

/**
 * Reads the page at which charges come in, and on towards the old end while the row at the far edge is new; then compares
 * what was found with what the count grew by.
 */
export async function readNewEnd(run: Run): Promise<void> {
	const { state } = run;
	if (state.list.pageSize === undefined) await meetList(run);
	if (isInBacklog(run)) return;
	const look = (page: ChargePage) => (backlogOfBurst(run) ? [] : lookAt(run, page));
	const isLastEnd = state.list.newEnd === 'last';
	const place = await (isLastEnd ? readLastPages(run, look) : readFirstPages(run, look));
	run.hasUnrest ||= place.hasFailed === true;
}

const isInBacklog = ({ state }: Run): boolean => state.backlog !== undefined;

type Look = (page: ChargePage) => ReturnType<typeof lookAt>;

async function readFirstPages(run: Run, look: Look): Promise<Place> {
	const { state, list } = run;
	const place: Place = { nextPage: 1, step: 1 };
	await walk(list, place, (page) => {
		if (page.number === 1) seeNewEnd(run, page);
		const isFarEdgeNew = look(page).at(-1) === true && state.beginning === undefined;
		return isFarEdgeNew && !list.isLast(page) ? 'goOn' : 'end';
	});
	return place;
}

/** From the page that was the last one up to the one that is, then down from it while the row at the far edge is new. */
async function readLastPages(run: Run, look: Look): Promise<Place> {
	const { state, list } = run;
	const { lastPage: firstPage } = state.list;
	const edges = { isNew: true };
	const upwards: Place = { nextPage: firstPage, step: 1 };
	await walk(list, upwards, (page) => {
		const isLast = list.isLast(page);
		if (isLast && page.rows.length > 0) seeNewEnd(run, page);
		const [edge] = look(page);
		if (page.number === firstPage) edges.isNew = page.rows.length === 0 || edge === true;
		return isLast || isInBacklog(run) ? 'end' : 'goOn';
	});
	if (!edges.isNew || isInBacklog(run)) return upwards;
	const downwards: Place = { nextPage: firstPage - 1, step: -1 };
	await walk(list, downwards, (page) => {
		const [edge] = look(page);
		if (page.rows.length > 0) seeNewEnd(run, page);
		const mayBeMore = edge === true || page.rows.length === 0;
		return mayBeMore && state.beginning === undefined ? 'goOn' : 'end';
	});
	return upwards.hasFailed ? upwards : downwards;
}

/** The first page that is ever read shows how the list seems to be ordered. */
async function meetList(run: Run): Promise<void> {
	const { state, list } = run;
	await walk(list, { nextPage: 1, step: 1 }, (page) => {
		const { newEnd, isByDate } = orderOf(page.rows.map((row) => row?.created)) ?? {
			newEnd: 'first',
			isByDate: true,
		};
		// Without a count, only a reading of the whole list shows where its last page is.
		const isFound = newEnd === 'first' || list.count !== undefined;
		Object.assign(
			state.list,
			isFound ? { newEnd, isByDate } : { newEnd: 'first', isByDate: false },
		);
		return 'end';
	});
	await backlogAtBeginning(run);
}

/** While the trigger begins: up to when charges count as there, and since when they have to be known. */
function seeNewEnd(run: Run, page: ChargePage): void {
	const { state, settings } = run;
	const { beginning } = state;
	if (beginning === undefined || beginning.hasSeenNewEnd) return;
	// What is ahead of the host's clock was there all the same, unless its date is none that can be right.
	const soonest = fromMs(clock.now() + 1);
	const most = fromMs(clock.now() + MOST_AHEAD_MS);
	for (const { created } of page.rows.filter((row) => row !== undefined)) {
		const isAhead = created >= soonest && created <= most;
		if (isAhead && beginning.waited === undefined) beginning.upTo = latest(beginning.upTo, created);
	}
	noteNewest(run, page);
	if (beginning.waited === undefined) {
		const start = newestListed(run);
		const from = start < beginning.upTo ? start : beginning.upTo;
		state.since = shift(from, -settings.lookbackMs);
	}
	beginning.hasSeenNewEnd = true;
}
