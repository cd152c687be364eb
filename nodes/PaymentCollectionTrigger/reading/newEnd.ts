import { clock } from '../../shared/clock';
import { EARLIEST, earliest, latest, presentAt, shift } from '../../shared/timestamps';
import type { Page } from '../list/pages';
import type { Walk } from '../state/state';
import { beginBacklogIfDue } from './backlog';
import { missingOf, newestUpToNow, type Poll } from './judge';
import { compareWithLast, orderBy } from './round';

/** Reads the page where charges come in, and continues while the last row is new, or the count says that more came in. */
export async function readNewEnd(poll: Poll): Promise<void> {
	const { state, list, judge } = poll;
	if (state.listFacts.pageSize === undefined) await meetList(poll);
	if (list.step === -1 && !(await list.findLastPage())) {
		// Page after page from the first one, each poll gets further.
		list.facts.order = 'unsorted';
		delete state.round;
		delete state.watch?.place;
	}
	const place: Walk = { nextPage: list.newEnd };
	let rowsRead = 0;
	await list.walk(place, (page) => {
		judge.meet(page);
		if (beginBacklogIfDue(poll)) return true;
		const isEmpty = page.rows.length === 0;
		if (page.number === list.newEnd && (!isEmpty || list.isOldEnd(page))) seeNewEnd(poll, page);
		const isFarEdgeNew = judge.lookAt(page, true).at(-1) === true;
		rowsRead += page.rows.length;
		const isMissing = rowsRead < missingOf(poll) + judge.unknownCount;
		return !isEmpty && !isFarEdgeNew && !(isMissing && state.learning === undefined);
	});
	if (place.hasFailed) state.roundOwed = true;
}

/** Guesses the order of the list from the first page that is ever read. */
async function meetList({ list }: Poll): Promise<void> {
	await list.walk({ nextPage: 1 }, ({ rows }) => {
		const neighbors = { newer: 0, older: 0 };
		for (const row of rows) if (row !== undefined) compareWithLast(neighbors, row.created);
		const order = orderBy(neighbors, list.step) ?? 'newestFirst';
		// Without a count, only a reading of the whole list shows its last page.
		list.facts.order = order === 'oldestFirst' && list.count === undefined ? 'unsorted' : order;
		return true;
	});
}

/** Decides, while the trigger learns, up to when charges count as there, and since when they have to be known. */
function seeNewEnd(poll: Poll, { rows }: Page): void {
	const { state, list, settings } = poll;
	const { learning } = state;
	if (learning === undefined || learning.hasSeenNewEnd) return;
	learning.hasSeenNewEnd = true;
	// The former list's `since` stays in force, and charges that were in it are emitted.
	if (learning.formerFilter !== undefined) return;
	if (learning.isFirst) {
		const dates = rows.flatMap((row) => row?.created ?? []).sort();
		const now = presentAt(clock.now());
		// Goes by the service's clock, unless that is far ahead.
		let newest = dates.findLast((date) => date <= now) ?? EARLIEST;
		// Everything below is older.
		if (list.isByDate) newest = learning.newestAtStart = latest(newest, dates[0] ?? EARLIEST);
		learning.upTo = latest(learning.upTo, newest);
	}
	const start = earliest(newestUpToNow(poll), learning.newestAtStart ?? learning.upTo);
	state.since = shift(start, -settings.lookbackMs);
}
