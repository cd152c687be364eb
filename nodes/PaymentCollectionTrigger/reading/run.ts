import { clock } from '../../shared/clock';
import type { Watcher } from '../changes/watcher';
import type { ChargeList } from '../list/chargeList';
import type { ChargePage, ChargeRow } from '../list/chargePages';
import type { PollSettings } from '../description/settings';
import type { TriggerState } from '../state/state';
import { EARLIEST, earliest, fromMs, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { Judge } from './judge';

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
	/** A round was complete. */
	hadCompleteRound: boolean;
	/** Something asks for a round besides: a page failed, or rows left the list. */
	hasUnrest: boolean;
}

/** Looks at all rows of a page. @returns for each of them whether it is new */
export function lookAt(run: Run, page: ChargePage): boolean[] {
	run.watcher?.meet(page);
	noteNewest(run, page);
	return page.rows.map((row) => row !== undefined && lookAtRow(run, row));
}

/** Keeps the newest date that is not ahead of the host's clock: it may be later than this poll began. */
export function noteNewest({ state }: Run, { rows }: ChargePage): void {
	const now = fromMs(clock.now());
	for (const { created } of rows.filter((row) => row !== undefined))
		if (created <= now) state.newest = latest(state.newest ?? created, created);
}

function lookAtRow({ judge, watcher }: Run, row: ChargeRow): boolean {
	const isNew = judge.look(row);
	// Of a charge that is still to be told, nothing else is told before.
	if (!judge.fresh.has(row.key)) watcher?.look(row, isNew);
	return isNew;
}

/**
 * No charge that is listed by now is newer: the earlier of the host's clock and the newest charge that was seen, so that
 * it holds unless both are wrong.
 */
export const newestListed = ({ state, nowMs }: Run): Instant =>
	state.newest === undefined ? EARLIEST : earliest(state.newest, fromMs(nowMs));

/** Of so many charges in the list, how many are not accounted for; negative where more were found than came in. */
export function missingOf({ state, list, judge }: Run, count = list.count): number {
	const { accounted } = state.list;
	return count === undefined || accounted === undefined ? 0 : count - accounted - judge.found;
}
