import { clock } from '../../shared/clock';
import { EARLIEST, earliest, fromMs, latest, shift, type Instant } from '../../shared/timestamps';
import type { PageRead } from '../list/recordList';
import { isOlderThan, type Page } from '../list/pages';
import type { ListFacts, Walk, Round } from '../state/state';
import { beginBacklogIfDue } from './backlog';
import { failsTooLong, missingOf, newestListed, type Poll } from './judge';

/** Reads the page at which charges come in, and on while the row at the far edge is new, or more came in by the count. */
export async function readNewEnd(poll: Poll): Promise<void> {
	const { state, list, judge } = poll;
	if (state.list.pageSize === undefined) await meetList(poll);
	const { newEnd: formerNewEnd } = list;
	if (!(await list.findNewEnd())) {
		// Page after page from the first one on, each poll gets further.
		list.facts.order = 'unsorted';
		delete state.round;
		delete state.watch?.place;
	}
	// Charges that have to be known may have moved to a page that the round has passed.
	const isInWindow = state.beginning !== undefined && state.round?.olderPages === 0;
	if (isInWindow && list.newEnd !== formerNewEnd) delete state.round;
	const place: Walk = { nextPage: list.newEnd };
	let rowsRead = 0;
	await list.walk(place, (page) => {
		judge.meet(page);
		if (beginBacklogIfDue(poll)) return true;
		const isEmpty = page.rows.length === 0;
		if (page.number === list.newEnd && (!isEmpty || list.isOldEnd(page))) seeNewEnd(poll, page);
		const isFarEdgeNew = judge.lookAt(page).at(-1) === true;
		rowsRead += page.rows.length;
		const mayBeMore = isFarEdgeNew || rowsRead < missingOf(poll) + judge.unknown;
		return !isEmpty && !(mayBeMore && state.beginning === undefined);
	});
	if (place.hasFailed) state.unrest = true;
}

/** The first page that is ever read shows how the list seems to be ordered. */
async function meetList({ list, state: { beginning } }: Poll): Promise<void> {
	await list.walk({ nextPage: 1 }, ({ rows }) => {
		// What comes in from now on is told, however long it takes to find the new end.
		if (beginning?.firstRound === 'ofBeginning') beginning.upTo = fromMs(clock.now());
		const neighbours = { newer: 0, older: 0 };
		for (const row of rows) if (row !== undefined) compareWithLast(neighbours, row.created);
		const order = orderBy(neighbours, list.step) ?? 'newestFirst';
		// Without a count, only a reading of the whole list shows where its last page is.
		list.facts.order = order === 'oldestFirst' && list.count === undefined ? 'unsorted' : order;
		return true;
	});
}

/** While the trigger begins: up to when charges count as there, and since when they have to be known. */
function seeNewEnd(poll: Poll, { rows }: Page): void {
	const { state, list, settings } = poll;
	const { beginning } = state;
	if (beginning === undefined || beginning.hasSeenNewEnd) return;
	beginning.hasSeenNewEnd = true;
	// The former list's `since` goes on, and charges that were in it are told.
	if (beginning.formerFilter !== undefined) return;
	if (beginning.firstRound === 'ofBeginning') {
		// Whatever the host's clock says, in a list by date all that stands below is older.
		const [oldest = EARLIEST] = rows.flatMap((row) => row?.created ?? []).sort();
		beginning.upTo = latest(beginning.upTo, list.isByDate ? oldest : EARLIEST);
	}
	const start = earliest(newestListed(poll), beginning.upTo);
	state.since = shift(start, -settings.lookbackMs);
}

/** Rounds of one poll: while the trigger begins, one follows the other until one meets nothing unknown. */
const MAX_ROUNDS = 8;
/** Pages of older charges that are read to believe that a list is by date. */
const EVIDENCE_PAGES = 200;
/** How often the whole list is searched for charges that only its count speaks of. */
const SEARCH_EVERY_MS = 6 * 3_600_000;

/** Goes on with the round that is under way, or begins one that is due. */
export async function readRounds(poll: Poll): Promise<void> {
	const { state, list } = poll;
	for (let rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
		// Without time to read, too: the next poll may not see why it is due.
		const round = (state.round ??= dueRound(poll));
		if (round === undefined) return;
		const keys = new Set<string>();
		const last = await list.walk(round, (page) => {
			look(poll, round, page, keys);
			return isFarEnough(poll, round, page);
		});
		if (last === 'none') return;
		endRound(poll, round, last);
		// What failed in this poll would fail again.
		if (state.beginning === undefined || round.hasFailed) return;
		// Another round sees the list as it is then.
		list.forget();
	}
}

/** @returns the round that is due now, if one is */
function dueRound(poll: Poll): Round | undefined {
	const { state, list, judge, settings, nowMs } = poll;
	const { beginning, lastRound, unrest = false } = state;
	const isLate =
		lastRound === undefined || Math.abs(nowMs - lastRound.startedAtMs) >= settings.lookbackMs / 2;
	const hasCount = (list.count ?? state.list.accounted) !== undefined;
	const isAsked = unrest || missingOf(poll) > 0 || !hasCount;
	if (beginning === undefined && !isLate && !isAsked) return undefined;
	// While the trigger begins, what came in so far is there for this round to be read.
	if (beginning !== undefined) state.list.accounted = list.count && list.count - judge.unknown;
	return {
		newestAtStart: newestListed(poll),
		startedAtMs: nowMs,
		olderPagesWanted: lastRound === undefined || (isLate && !hasCount) ? EVIDENCE_PAGES : 1,
		nextPage: list.newEnd,
		olderPages: 0,
		newer: 0,
		older: 0,
	};
}

/** @param keys those of the pages that this poll has read for the round */
function look(poll: Poll, round: Round, page: Page, keys: Set<string>): void {
	const { state, list, judge } = poll;
	for (const row of page.rows) {
		if (row === undefined) continue;
		compareWithLast(round, row.created);
		if (keys.has(row.key)) round.hasMoved = true;
		keys.add(row.key);
		if (round.olderPages > 0 && row.created >= state.since) round.isRefuted = true;
	}
	round.count ??= list.firstCount;
	const before = judge.unknownThere;
	judge.lookAt(page);
	if (judge.unknownThere > before) round.hasLearned = true;
	if (isOlderThan(page, state.since)) round.olderPages += 1;
}

function isFarEnough(poll: Poll, round: Round, page: Page): boolean {
	const { state, list, judge, nowMs } = poll;
	if (!list.isByDate || round.isRefuted || !isOlderThan(page, state.since)) return false;
	if (round.olderPages < round.olderPagesWanted) return false;
	if (unexplainedBy(poll, round) === 0) return true;
	// What is missing may stand behind a page of charges that came in late, or anywhere if nothing else explains it.
	const isExplained = round.hasFailed === true || round.hasMoved === true || judge.room < 0;
	const { searchedInVainAtMs: at } = state;
	const maySearch = at === undefined || Math.abs(nowMs - at) >= SEARCH_EVERY_MS;
	return round.olderPages > 1 && (isExplained || !maySearch);
}

/** So many were in the list when the round began, by its count, and no poll has found them. */
const unexplainedBy = (poll: Poll, { count = 0 }: Round): number =>
	Math.max(0, missingOf(poll, Math.min(count, poll.list.count ?? count)));

function endRound(poll: Poll, round: Round, last: PageRead): void {
	const { state, list, judge } = poll;
	delete state.round;
	const isWhole = typeof last === 'object' && list.isOldEnd(last);
	learnOrder(poll, round, isWhole);
	delete state.beginning?.firstRound;
	const unexplained = unexplainedBy(poll, round);
	// A charge that stands on two pages has hidden another.
	const isHiding = round.hasFailed === true || (round.hasMoved === true && unexplained > 0);
	if (isHiding && !failsTooLong(poll)) {
		state.unrest = true;
		return;
	}
	delete state.failingSinceMs;
	if (state.beginning !== undefined && round.hasLearned) return;
	delete state.beginning;
	// What waits is met again by another round.
	if (judge.room < 0) return;
	delete state.unrest;
	// What came in may be a charge that can't be read.
	if (unexplained > 0 && isWhole && list.unreadable === 0) state.searchedInVainAtMs = poll.nowMs;
	if (state.list.accounted !== undefined) state.list.accounted += unexplained;
	// Without a count, nothing but a longer reading tells of a charge that stands below older ones.
	if (round.olderPagesWanted > 1 || list.count !== undefined) moveSince(poll, round);
}

/** What a round has not seen shows later. It may have missed a charge that changed its page, so the round before counts. */
function moveSince({ state, judge, settings, nowMs }: Poll, round: Round): void {
	const { newestAtStart, startedAtMs } = round;
	const { lastRound } = state;
	if (lastRound !== undefined) {
		// Where nothing had come in for hours by then, what came in since shows how late it was.
		const byElapsed = shift(newestAtStart, -Math.abs(nowMs - lastRound.startedAtMs));
		const since = shift(latest(lastRound.newestAtStart, byElapsed), -settings.lookbackMs);
		state.since = latest(state.since, since);
		judge.known.forgetBefore(state.since);
	}
	state.lastRound = { newestAtStart, startedAtMs };
}

/** Only a reading of the whole list shows that it is by date, and any that it is not. */
function learnOrder({ list, state }: Poll, round: Round, isWhole: boolean): void {
	const { facts } = list;
	const { order } = facts;
	if (isWhole && !round.hasFailed) facts.order = orderBy(round, list.step) ?? order;
	if (round.isRefuted && order !== 'unsorted') facts.order = 'unsorted';
	// It would go on in the other direction.
	if (facts.order !== order) delete state.watch?.place;
}

/** A list is by date where so many of its neighbours are: a few charges come in late. */
const SHARE_BY_DATE = 0.9;

type Neighbours = Pick<Round, 'newer' | 'older' | 'lastCreated' | 'isRefuted'>;

function compareWithLast(neighbours: Neighbours, created: Instant): void {
	const { lastCreated = created } = neighbours;
	if (created > lastCreated) neighbours.newer += 1;
	else if (created !== lastCreated) neighbours.older += 1;
	neighbours.lastCreated = created;
}

/** @param step in which they were read @returns undefined where no two neighbours differ */
function orderBy(
	{ newer, older, isRefuted }: Neighbours,
	step: number,
): ListFacts['order'] | undefined {
	const enough = SHARE_BY_DATE * (newer + older);
	if (enough === 0) return undefined;
	if (older >= enough && !isRefuted) return step === 1 ? 'newestFirst' : 'oldestFirst';
	if (newer >= enough) return step === 1 ? 'oldestFirst' : 'newestFirst';
	return 'unsorted';
}
