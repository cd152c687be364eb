import { DAY_MS, EARLIEST, latest, shift, type Instant } from '../../shared/timestamps';
import { isOlderThan, type Page, type PageRead } from '../list/pages';
import type { ListFacts, Round } from '../state/state';
import { missingOf, newestUpToNow, givesUpAfterFailure, type Poll } from './judge';

/** A poll repeats rounds until it has sent two requests for each page and this many more. */
const MAX_EXTRA_REQUESTS = 8;
/** Pages of older charges to read before a list is believed to be by date. */
const EVIDENCE_PAGES = 200;
/** How often the whole list is searched for charges that only its count shows. */
const SEARCH_EVERY_MS = 6 * 3_600_000;
/** Pages per poll until all watched charges were checked once. */
const FIRST_PAGES = 50;

/** Continues the current round, or begins one that is due. While the trigger learns, rounds follow until one learns nothing. */
export async function readRounds(poll: Poll): Promise<void> {
	const { state, list } = poll;
	do {
		// The round begins even without time to read: the next poll may not see why it is due.
		const round = (state.round ??= beginRoundIfDue(poll));
		if (round === undefined) return;
		const keys = new Set<string>();
		const last = await list.walk(round, (page) => {
			readForRound(poll, round, page, keys);
			return isFarEnough(poll, round, page);
		});
		if (last === 'none') return;
		endRound(poll, round, last);
		// Another round follows only while the trigger learns, and after the new end is read. A failed page would fail again.
		if (state.learning?.hasSeenNewEnd !== true || round.hasFailed) return;
		// The next round reads all pages anew.
		list.forget();
		const { upTo, newestListed = upTo } = state.learning;
		// Charges newer than `newestListed`, in a list by date, came in after the trigger started: the next round emits them on any page.
		if (list.isByDate) Object.assign(state.learning, { upTo: newestListed, isFirst: undefined });
	} while (list.requests < 2 * list.facts.lastPage + MAX_EXTRA_REQUESTS);
}

function beginRoundIfDue(poll: Poll): Round | undefined {
	const { state, list, judge, settings, nowMs } = poll;
	const { learning, lastRound, roundOwed = false } = state;
	const { accounted } = state.listFacts;
	const isOverdue =
		lastRound === undefined || Math.abs(nowMs - lastRound.startedAtMs) >= settings.lookbackMs / 2;
	// Without a count, nothing shows whether charges came in. Then an overdue round is long, and so is the first one with a count.
	const isUncounted = accounted === undefined || (list.hasAnswered && list.count === undefined);
	const isOwed = roundOwed || missingOf(poll) > 0 || isUncounted;
	const needsLongRound = isUncounted && (isOverdue || list.count !== undefined);
	if (learning === undefined && !isOverdue && !isOwed) return undefined;
	// Only charges that come in later are missing from here on: this round looks for all that are counted now.
	if (learning !== undefined || accounted === undefined)
		state.listFacts.accounted = list.count && list.count - judge.unknownCount;
	return {
		newestAtStart: newestUpToNow(poll),
		startedAtMs: nowMs,
		olderPagesWanted: learning || !lastRound || needsLongRound ? EVIDENCE_PAGES : 1,
		nextPage: list.newEnd,
		olderPages: 0,
		newer: 0,
		older: 0,
	};
}

/** @param keys those of the pages that this poll has read for the round */
function readForRound(poll: Poll, round: Round, page: Page, keys: Set<string>): void {
	const { state, list, judge } = poll;
	for (const row of page.rows) {
		if (row === undefined) continue;
		compareWithLast(round, row.created);
		if (keys.has(row.key)) round.hasMoved = true;
		keys.add(row.key);
		if (round.olderPages > 0 && row.created >= state.since) round.isRefuted = true;
	}
	round.count ??= list.firstCount;
	const before = judge.learnedCount;
	judge.lookAt(page, page.number === list.newEnd);
	if (judge.learnedCount > before) round.hasLearned = true;
	if (isOlderThan(page, state.since)) round.olderPages += 1;
}

function isFarEnough(poll: Poll, round: Round, page: Page): boolean {
	const { state, list, judge, nowMs } = poll;
	if (!list.isByDate || round.isRefuted || !isOlderThan(page, state.since)) return false;
	if (round.olderPages < round.olderPagesWanted) return false;
	if (missingFrom(poll, round) === 0) return true;
	// Charges are missing. One more page is enough if something explains that, or if a search was in vain less than six hours ago.
	const isExplained = round.hasFailed === true || round.hasMoved === true || judge.room < 0;
	const { searchedInVainAtMs: at } = state;
	const maySearch = at === undefined || Math.abs(nowMs - at) >= SEARCH_EVERY_MS;
	return round.olderPages > 1 && (isExplained || !maySearch);
}

/** Number of charges that the count showed when the round began, and that no poll has found. */
const missingFrom = (poll: Poll, { count = 0 }: Round): number =>
	Math.max(0, missingOf(poll, Math.min(count, poll.list.count ?? count)));

/** Ends a round: it is owed again after failures, waits for room, is repeated if it was the first or learned, or is complete. */
function endRound(poll: Poll, round: Round, last: PageRead): void {
	const { state, list, judge } = poll;
	delete state.round;
	const isWhole = typeof last === 'object' && list.isOldEnd(last);
	learnOrder(poll, round, isWhole);
	const missing = missingFrom(poll, round);
	// A charge on two pages has hidden another.
	const mayHaveMissed = round.hasFailed === true || (round.hasMoved === true && missing > 0);
	if (mayHaveMissed && !givesUpAfterFailure(poll)) {
		state.roundOwed = true;
		return;
	}
	delete state.failingSinceMs;
	// A first round is repeated, since charges may have moved behind it, unless its failed pages were just given up.
	const isFirstRound = state.lastRound === undefined && round.hasFailed !== true;
	const isRepeated = isFirstRound || (state.learning !== undefined && round.hasLearned === true);
	if (!isRepeated) delete state.learning;
	// Another round finds the charges that wait.
	if (judge.room < 0) return;
	// Without a count, only a longer round finds charges below older ones.
	if (round.olderPagesWanted > 1 || list.count !== undefined) moveSince(poll, round);
	state.roundOwed = isRepeated || undefined;
	if (isRepeated) return;
	// The missing charges are given up. Rows that can't be read may be these charges: then the search was not in vain.
	if (missing > 0 && isWhole && list.unreadable === 0) state.searchedInVainAtMs = poll.nowMs;
	if (state.listFacts.accounted !== undefined) state.listFacts.accounted += missing;
}

/**
 * A charge that moved and was missed by this round was found by the last round, or appeared after the last round began. So
 * `since` becomes a Lookback before the beginning of the last round.
 */
function moveSince({ state, judge, settings, nowMs }: Poll, round: Round): void {
	const { newestAtStart, startedAtMs } = round;
	const { lastRound } = state;
	if (lastRound !== undefined) {
		// The last round's newest charge may have been hours old. Then this round's newest, less the time since that round, is later.
		const byElapsed = shift(newestAtStart, -Math.abs(nowMs - lastRound.startedAtMs));
		const since = shift(latest(lastRound.newestAtStart, byElapsed), -settings.lookbackMs);
		state.since = latest(state.since, since);
		judge.known.forgetBefore(state.since);
	}
	state.lastRound = { newestAtStart, startedAtMs };
}

/** Only a reading of the whole list can prove that it is by date; any reading can disprove it. */
function learnOrder({ list, state }: Poll, round: Round, isWhole: boolean): void {
	const { facts } = list;
	const { order } = facts;
	if (isWhole && !round.hasFailed) facts.order = orderBy(round, list.step) ?? order;
	if (round.isRefuted && order !== 'unsorted') facts.order = 'unsorted';
	// The sweep starts over, since its place is about the former order.
	if (facts.order !== order) delete state.watch?.place;
}

/** The smallest share of neighbors in order in a list by date: a few charges come in late. */
const SHARE_BY_DATE = 0.9;

type Neighbors = Pick<Round, 'newer' | 'older' | 'lastCreated' | 'isRefuted'>;

export function compareWithLast(neighbors: Neighbors, created: Instant): void {
	const { lastCreated = created } = neighbors;
	if (created > lastCreated) neighbors.newer += 1;
	else if (created !== lastCreated) neighbors.older += 1;
	neighbors.lastCreated = created;
}

/** @param step direction of the reading @returns undefined if no two neighbors differ */
export function orderBy(
	{ newer, older, isRefuted }: Neighbors,
	step: number,
): ListFacts['order'] | undefined {
	const enough = SHARE_BY_DATE * (newer + older);
	if (enough === 0) return undefined;
	// `isRefuted` excludes only that the newest come first in the direction of the reading.
	if (older >= enough && !isRefuted) return step === 1 ? 'newestFirst' : 'oldestFirst';
	if (newer >= enough) return step === 1 ? 'oldestFirst' : 'newestFirst';
	return 'unsorted';
}

/** Reads the next pages of the watched days, and after their old end or an outage starts over. Pages already read cost nothing. */
export async function sweep(poll: Poll): Promise<void> {
	const { state, list, settings, nowMs } = poll;
	const { watch } = state;
	if (watch === undefined) return;
	const from = latest(shift(newestUpToNow(poll), -settings.watchMs), watch.createdFrom ?? EARLIEST);
	watch.createdFrom = from;
	// Until a round is complete, the order is a guess from the first page.
	const isByDate = list.isByDate && state.lastRound !== undefined;
	const isEnd = (page: Page) => list.isOldEnd(page) || (isByDate && isOlderThan(page, from));
	const pages = watch.isComplete ? settings.sweepPages : Math.max(FIRST_PAGES, settings.sweepPages);
	const most = list.requests + pages;
	const place = (watch.place ??= { nextPage: list.newEnd });
	const last = await list.walk(place, (page) => {
		poll.judge.lookAt(page);
		return isEnd(page) || list.requests >= most;
	});
	if (last === 'none' || (last !== 'failed' && !isEnd(last))) return;
	// After a day without a complete sweep, one with a failed page counts as complete.
	const isLate = Math.abs(nowMs - watch.sweptSinceMs) > DAY_MS;
	// While the trigger learns, charges may have moved to pages that were passed.
	if (state.learning === undefined && (!place.hasFailed || isLate))
		Object.assign(watch, { isComplete: true, sweptSinceMs: nowMs });
	delete watch.place;
}
