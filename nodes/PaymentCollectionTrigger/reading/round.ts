import { latest, shift } from '../../shared/timestamps';
import { orderByNeighbours, compareWithLast } from '../list/order';
import { walk } from '../list/walk';
import { isOlderThan } from '../list/chargePages';
import type { ChargePage } from '../list/chargePages';
import type { Reach, Round, TriggerState } from '../state/state';
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
	while (run.rounds < MAX_ROUNDS) {
		const reach = state.round === undefined ? dueReach(run) : state.round.reach;
		if (reach === undefined) return;
		if (!list.mayRead) {
			run.starved ??= 'round';
			return;
		}
		// Another round sees the list as it is then.
		if (state.round === undefined && run.rounds > 0) list.forget();
		const round = (state.round ??= beginRound(run, reach));
		let isWhole = false;
		const keys = new Set<string>();
		const isOver = await walk(list, round, (page) => {
			const hasPassedOlder = round.hasPassedOlder === true;
			look(run, round, page);
			if (hasRepeated(page, keys)) round.hasMoved = true;
			isWhole = round.step === 1 ? list.isLast(page) : page.number === 1;
			// What is missing may stand behind a page of charges that came in late: then one page more is read.
			const isSure = hasPassedOlder || missingOf(run) <= 0;
			return isWhole || (isSure && isFarEnough(round, page, state)) ? 'end' : 'goOn';
		});
		if (round.hasFailed) run.hasUnrest = true;
		if (!isOver && !mayEnd(run)) return;
		endRound(run, round, isWhole);
		run.rounds += 1;
	}
}

/** How far a round has to reach that is due now; undefined where none is. */
function dueReach(run: Run): Reach | undefined {
	const { state, settings, nowMs, hasUnrest, rounds } = run;
	const { beginning, lastRound, unrest = 0 } = state;
	const { count, isByDate, wasRead } = state.list;
	const isAsked = missingOf(run) > 0 || hasUnrest || unrest > 0;
	if (unrest >= POLLS_AT_ONCE && unrest % 2 === 1) return undefined;
	// What failed in this poll would fail again.
	if (rounds > 0 && (beginning === undefined || hasUnrest)) return undefined;
	if (beginning !== undefined) return isByDate && wasRead ? 'window' : 'evidence';
	const isLate =
		lastRound === undefined || Math.abs(nowMs - lastRound.endedAtMs) >= settings.lookbackMs / 2;
	if (isLate) return lastRound !== undefined && count !== undefined ? 'window' : 'evidence';
	return isAsked || count === undefined ? 'window' : undefined;
}

function beginRound(run: Run, reach: Reach): Round {
	// While the trigger begins nothing is missing: what came in so far is there for this round to be read.
	if (run.state.beginning !== undefined) run.cameIn = run.judge.found;
	const { newEnd, isByDate, lastPage, pageSize = 1 } = run.state.list;
	const count = run.list.count ?? run.state.list.count ?? 0;
	const isDownwards = newEnd === 'last' && isByDate;
	return {
		startedAt: newestListed(run),
		reach,
		nextPage: isDownwards ? Math.max(lastPage, Math.ceil(count / pageSize)) : 1,
		step: isDownwards ? -1 : 1,
		pagesRead: 0,
		missing: run.cameIn,
		falling: 0,
		rising: 0,
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
	for (const row of round.step === 1 ? page.rows : page.rows.toReversed()) {
		if (row === undefined) continue;
		compareWithLast(round, row.created, round.step);
		if (!round.hasPassedOlder || row.created < state.since) continue;
		round.isRefuted = true;
		// No round before has read what is down here, so it counts as there up to the last poll.
		if (state.list.isByDate && !state.list.wasRead && state.lastRound !== undefined)
			state.beginning ??= { upTo: state.polledAt, hasSeenNewEnd: true };
	}
	const foundBefore = judge.foundThere;
	lookAt(run, page);
	if (judge.foundThere > foundBefore) round.hasMetUnknown = true;
	round.pagesRead += 1;
	if (isOlderThan(page, state.since)) round.hasPassedOlder = true;
}

function isFarEnough(
	{ reach, pagesRead, isRefuted }: Round,
	page: ChargePage,
	state: TriggerState,
) {
	if (!state.list.isByDate || isRefuted || !isOlderThan(page, state.since)) return false;
	return reach === 'window' || (reach === 'evidence' && pagesRead > EVIDENCE_PAGES);
}

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
	learnOrder(state, round, isWhole);
	const hasFailed = round.hasFailed === true && !isGivenUp(run);
	if (hasFailed) state.failingSinceMs ??= nowMs;
	else delete state.failingSinceMs;
	if (state.beginning !== undefined) {
		if (hasFailed || round.hasMetUnknown) return;
		delete state.beginning;
		state.lastRound = { startedAt: round.startedAt, endedAtMs: nowMs };
		run.hadCompleteRound = true;
		return;
	}
	const unexplained = Math.max(0, Math.min(run.cameIn, round.missing) - judge.found);
	// A charge that stands on two pages has hidden another.
	const isHiding = round.hasMoved === true && unexplained > 0 && !isGivenUp(run);
	if (isHiding) state.failingSinceMs ??= nowMs;
	if (hasFailed || isHiding || round.hadToWait || judge.waiting > 0) {
		run.hasUnrest = true;
		return;
	}
	const isSearched = isWhole || round.reach === 'list';
	if (unexplained > 0 && !isSearched && maySearch(run)) {
		state.round = { ...beginRound(run, 'list'), missing: unexplained + judge.found };
		return;
	}
	// What came in may be a charge that can't be read.
	if (unexplained > 0 && isSearched && list.unreadable === 0) state.searchedInVainAtMs = nowMs;
	run.cameIn -= unexplained;
	run.hadCompleteRound = true;
	// Without a count, nothing but a longer reading tells of a charge that stands below older ones.
	if (round.reach !== 'window' || list.count !== undefined) moveSince(run, round);
}

const maySearch = ({ state: { searchedInVainAtMs: at }, nowMs }: Run): boolean =>
	at === undefined || Math.abs(nowMs - at) >= SEARCH_EVERY_MS;

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
function learnOrder({ list }: TriggerState, round: Round, isWhole: boolean): void {
	if (isWhole && !round.hasFailed) {
		list.wasRead = true;
		Object.assign(list, orderByNeighbours(round));
	}
	if (round.isRefuted && list.isByDate) Object.assign(list, { isByDate: false, newEnd: 'first' });
}
