import { latest, shift } from '../../shared/timestamps';
import { compareWithLast, orderBy } from '../list/order';
import { walk } from '../list/walk';
import { isOlderThan } from '../list/chargePages';
import type { ChargePage } from '../list/chargePages';
import type { Round } from '../state/state';
import { lookAt, missingOf, newestListed } from './run';
import type { Run } from './run';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rounds of one poll: while the trigger begins, one follows the other. */
const MAX_ROUNDS = 3;
/** Pages that are read of a list to believe that it is by date. */
const EVIDENCE_PAGES = 200;
/** How often the whole list is searched for charges that only its count speaks of. */
const SEARCH_EVERY_MS = 6 * HOUR_MS;
/** A reason that lasts gets a round in so many polls, and in every second one from then on. */
const POLLS_AT_ONCE = 3;

/** Goes on with the round that is under way, or begins one that is due. */
export async function readRounds(run: Run): Promise<void> {
	const { state, list } = run;
	for (let rounds = 1; rounds <= MAX_ROUNDS && list.mayRead; rounds++) {
		const round = (state.round ??= dueRound(run));
		if (round === undefined || !(await readRound(run, round))) return;
		// What failed in this poll would fail again.
		if (state.beginning === undefined || run.hasUnrest) return;
		// Another round sees the list as it is then.
		list.forget();
	}
}

/** @returns whether it is over */
async function readRound(run: Run, round: Round): Promise<boolean> {
	const { list } = run;
	let isWhole = false;
	const keys = new Set<string>();
	const isOver = await walk(list, round, (page) => {
		look(run, round, page);
		if (hasRepeated(page, keys)) round.hasMoved = true;
		isWhole = list.isOldEnd(page);
		return isFarEnough(run, round, page);
	});
	if (round.hasFailed) run.hasUnrest = true;
	if (!isOver && !mayEnd(run)) return false;
	endRound(run, round, isWhole);
	return true;
}

/** @returns the round that is due now, if one is */
function dueRound(run: Run): Round | undefined {
	const { state, settings, nowMs, hasUnrest } = run;
	const { beginning, lastRound, unrest = 0 } = state;
	if (unrest >= POLLS_AT_ONCE && unrest % 2 === 1) return undefined;
	const isCounted = run.list.count !== undefined;
	const isLate =
		lastRound === undefined || Math.abs(nowMs - lastRound.endedAtMs) >= settings.lookbackMs / 2;
	const isAsked = missingOf(run) > 0 || hasUnrest || unrest > 0 || !isCounted;
	if (beginning === undefined && !isLate && !isAsked) return undefined;
	const { isByDate, facts } = run.list;
	const isEvident =
		beginning === undefined
			? !isLate || (lastRound !== undefined && isCounted)
			: isByDate && facts.wasRead === true;
	return beginRound(run, isEvident ? 0 : EVIDENCE_PAGES);
}

function beginRound(run: Run, leastPages: number): Round {
	const { state, list, judge } = run;
	// While the trigger begins, what came in so far is there for this round to be read.
	if (state.beginning !== undefined) state.list.accounted = list.count && list.count - judge.found;
	return {
		startedAt: newestListed(run),
		leastPages,
		nextPage: list.newEnd,
		pagesRead: 0,
		newer: 0,
		older: 0,
	};
}

/** Adds the keys of a page. @returns whether one of them was there */
function hasRepeated({ rows }: ChargePage, keys: Set<string>): boolean {
	const before = keys.size;
	const readable = rows.filter((row) => row !== undefined);
	for (const { key } of readable) keys.add(key);
	return keys.size < before + readable.length;
}

function look(run: Run, round: Round, page: ChargePage): void {
	const { state, judge } = run;
	for (const row of page.rows) {
		if (row === undefined) continue;
		compareWithLast(round, row.created);
		if (!round.hasPassedOlder || row.created < state.since) continue;
		round.isRefuted = true;
		// No round before has read what is down here, so it counts as there up to the last poll.
		if (run.list.isByDate && !state.list.wasRead && state.lastRound !== undefined)
			state.beginning ??= { upTo: state.polledAt, hasSeenNewEnd: true };
	}
	round.count ??= run.list.firstCount;
	const foundBefore = judge.foundThere;
	lookAt(run, page);
	if (judge.foundThere > foundBefore) round.hasMetUnknown = true;
	round.pagesRead += 1;
	if (isOlderThan(page, state.since)) round.hasPassedOlder = true;
}

function isFarEnough(run: Run, round: Round, page: ChargePage): boolean {
	const { pagesRead, leastPages, isRefuted } = round;
	if (!run.list.isByDate || isRefuted || !isOlderThan(page, run.state.since)) return false;
	return pagesRead > leastPages && !isSearching(run, round);
}

/** Whether what is missing is looked for in the rest of the list too, since nothing else explains it. */
function isSearching(run: Run, round: Round): boolean {
	const { hasFailed, hasMoved, hadToWait } = round;
	const isExplained = hasFailed || hasMoved || hadToWait || run.judge.waiting > 0;
	if (isExplained || unexplainedBy(run, round) === 0) return false;
	const { searchedInVainAtMs: at } = run.state;
	return at === undefined || Math.abs(run.nowMs - at) >= SEARCH_EVERY_MS;
}

/** So many were in the list when the round began, by its count, and no poll has found them. */
const unexplainedBy = (run: Run, { count = 0 }: Round): number =>
	Math.max(0, missingOf(run, Math.min(count, run.list.count ?? count)));

/** Whether pages have failed for so long that what stands on them is given up. */
const isGivenUp = ({ state, settings, nowMs }: Run): boolean =>
	state.failingSinceMs !== undefined &&
	Math.abs(nowMs - state.failingSinceMs) > Math.max(settings.lookbackMs, DAY_MS);

/** Whether a round that can't be read to its end is over all the same. */
function mayEnd(run: Run): boolean {
	const { state, list, nowMs } = run;
	if (!list.mayRead) return false;
	// Pages in a row fail, and one far from them too, though others have answered: it may be an end that nothing speaks of.
	run.hasUnrest = true;
	state.failingSinceMs ??= nowMs;
	return isGivenUp(run);
}

function endRound(run: Run, round: Round, isWhole: boolean): void {
	const { state, list, judge, nowMs } = run;
	delete state.round;
	learnOrder(run, round, isWhole);
	const unexplained = unexplainedBy(run, round);
	// A charge that stands on two pages has hidden another.
	const isHiding = round.hasFailed || (round.hasMoved && unexplained > 0);
	if (isHiding && !isGivenUp(run)) {
		state.failingSinceMs ??= nowMs;
		run.hasUnrest = true;
		return;
	}
	delete state.failingSinceMs;
	if (state.beginning !== undefined) {
		if (!round.hasMetUnknown) endBeginning(run, round);
		return;
	}
	if (round.hadToWait || judge.waiting > 0) {
		run.hasUnrest = true;
		return;
	}
	// What came in may be a charge that can't be read.
	if (unexplained > 0 && isWhole && list.unreadable === 0) state.searchedInVainAtMs = nowMs;
	if (state.list.accounted !== undefined) state.list.accounted += unexplained;
	run.hadCompleteRound = true;
	// Without a count, nothing but a longer reading tells of a charge that stands below older ones.
	if (round.leastPages > 0 || list.count !== undefined) moveSince(run, round);
}

function endBeginning(run: Run, { startedAt }: Round): void {
	delete run.state.beginning;
	run.state.lastRound = { startedAt, endedAtMs: run.nowMs };
	run.hadCompleteRound = true;
}

/**
 * All that was listed when a round began has been seen by its end, so what was not seen shows later and was created no
 * earlier than a lookback before. One round may miss a charge that changes its page, so the round before counts.
 */
function moveSince(run: Run, { startedAt }: Round): void {
	const { state, judge, settings, nowMs } = run;
	if (state.lastRound !== undefined) {
		const since = shift(state.lastRound.startedAt, -settings.lookbackMs);
		state.since = latest(state.since, since);
		judge.known.forgetBefore(state.since);
	}
	state.lastRound = { startedAt, endedAtMs: nowMs };
}

/** Only a reading of the whole list shows that it is by date, and any that it is not. */
function learnOrder({ list, state }: Run, round: Round, isWhole: boolean): void {
	const { order } = list.facts;
	if (isWhole && !round.hasFailed) {
		list.facts.wasRead = true;
		list.facts.order = orderBy(round, list.step) ?? order;
	}
	if (round.isRefuted && order !== 'none') list.facts.order = 'none';
	// It would go on in the other direction.
	if (list.facts.order !== order) delete state.watch?.place;
}
