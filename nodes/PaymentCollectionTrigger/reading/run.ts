import { clock } from '../../shared/clock';
import type { Watcher } from '../changes/watcher';
import type { ChargeList } from '../list/chargeList';
import type { ChargePage, ChargeRow } from '../list/chargePages';
import type { PollSettings } from '../description/settings';
import type { TriggerState } from '../state/state';
import { EARLIEST, earliest, fromMs, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { Judge, Verdict } from './judge';

/** What the parts of one poll share. */
export interface Run {
	/** Changed as the poll goes on; stored once nothing can fail any more. */
	readonly state: TriggerState;
	readonly settings: PollSettings;
	readonly list: ChargeList;
	readonly judge: Judge;
	/** Absent where nothing but new charges is asked for. */
	readonly watcher: Watcher | undefined;
	/** The host's clock. */
	readonly nowMs: number;
	/** So many charges came in, by the count, that no poll before has found. */
	cameIn: number;
	/** The count of this poll was compared with that of the last one. */
	isCounted: boolean;
	/** Rounds that ended in this poll, */
	rounds: number;
	/** and whether one of them was complete. */
	hadCompleteRound: boolean;
	/** Something asks for a round besides: a page failed, or rows left the list. */
	hasUnrest: boolean;
	/** The first part that there was no time for. */
	starved: TriggerState['turn'];
}

/** Looks at all rows of a page. @returns what each of them is, in the page's order; undefined for one that can't be read */
export function lookAt(run: Run, page: ChargePage): Array<Verdict | undefined> {
	run.watcher?.meet(page);
	noteNewest(run, page);
	return page.rows.map((row) => row && lookAtRow(run, row));
}

/** Keeps the newest date that is not ahead of the host's clock: it may be later than this poll began. */
export function noteNewest({ state }: Run, { rows }: ChargePage): void {
	const now = fromMs(clock.now());
	for (const { created } of rows.filter((row) => row !== undefined))
		if (created <= now) state.newest = latest(state.newest ?? created, created);
}

function lookAtRow({ judge, watcher }: Run, row: ChargeRow): Verdict {
	const verdict = judge.look(row);
	// Of a charge that is still to be told, nothing else is told before.
	if (!judge.fresh.has(row.key)) watcher?.look(row, verdict === 'new');
	return verdict;
}

/**
 * No charge that is listed by now is newer: the earlier of the host's clock and the newest charge that was seen, so that
 * it holds unless both are wrong.
 */
export const newestListed = ({ state, nowMs }: Run): Instant =>
	state.newest === undefined ? EARLIEST : earliest(state.newest, fromMs(nowMs));

/** So many charges came in, by the count, that were not found yet; negative where more were found than came in. */
export const missingOf = ({ cameIn, judge }: Run): number => cameIn - judge.found;
