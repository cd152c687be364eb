import type { PollSettings } from '../description/settings';
import type { ChargeList } from '../list/chargeList';
import type { TriggerState } from '../state/state';
import { EARLIEST, earliest, fromMs } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { Judge } from './judge';

const DAY_MS = 86_400_000;

/** What the parts of one poll share. */
export interface Run {
	/** Changed as the poll goes on; stored once nothing can fail any more. */
	readonly state: TriggerState;
	readonly settings: PollSettings;
	readonly list: ChargeList;
	readonly judge: Judge;
	/** The host's clock. */
	readonly nowMs: number;
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

/** Whether pages have failed for so long that what stands on them is given up. */
export function isGivenUp({ state, settings, nowMs }: Run): boolean {
	state.failingSinceMs ??= nowMs;
	return Math.abs(nowMs - state.failingSinceMs) > Math.max(settings.lookbackMs, DAY_MS);
}
