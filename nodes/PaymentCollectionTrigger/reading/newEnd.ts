import { clock } from '../../shared/clock';
import { EARLIEST, earliest, latest, latestPresentAt, shift } from '../../shared/timestamps';
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
		// There was no time to find the last page. As an unsorted list, it is read from page 1, and each poll gets further.
		list.facts.order = 'unsorted';
		delete state.round;
		delete state.watch?.place;
	}
	const place: Walk = { nextPage: list.newEnd };
	let rowsRead = 0;
	await list.walk(place, (page) => {
		judge.prepare(page);
		if (beginBacklogIfDue(poll)) return true;
		const isEmpty = page.rows.length === 0;
		// An empty page is the new end only of an empty list.
		if (page.number === list.newEnd && (!isEmpty || list.isOldEnd(page))) seeNewEnd(poll, page);
		const isLastRowNew = judge.lookAt(page, true).at(-1) === true;
		rowsRead += page.rows.length;
		// While the trigger learns, the count doesn't show how many charges came in.
		const cameIn = state.learning ? 0 : missingOf(poll) + judge.unknownCount;
		return !isEmpty && !isLastRowNew && rowsRead >= cameIn;
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

/** Sets `upTo` and `since` from the first page at the new end, while the trigger learns. */
function seeNewEnd(poll: Poll, { rows }: Page): void {
	const { state, list, settings } = poll;
	const { learning } = state;
	if (learning === undefined || learning.hasSeenNewEnd) return;
	learning.hasSeenNewEnd = true;
	// After a change of filters, `since` stays: charges that waited under the former ones are emitted.
	if (learning.formerFilter !== undefined) return;
	if (learning.isFirst) {
		const dates = rows.flatMap((row) => row?.created ?? []).sort();
		const latestPresent = latestPresentAt(clock.now());
		// Goes by the service's clock, unless that is far ahead.
		let newest = dates.findLast((date) => date <= latestPresent) ?? EARLIEST;
		// If all dates of a list by date are far ahead, the oldest one is the limit.
		if (list.isByDate) newest = learning.newestListed = latest(newest, dates[0] ?? EARLIEST);
		learning.upTo = latest(learning.upTo, newest);
	}
	const start = earliest(newestUpToNow(poll), learning.newestListed ?? learning.upTo);
	state.since = shift(start, -settings.lookbackMs);
}
