import type { Watch } from '../cursor/watch';
import type { Run } from '../reading/run';
import { EARLIEST, fromMs, latest } from '../../shared/timestamps';
import { MOST_AHEAD_MS, newestAgreed } from '../dates';
import { asksForStatuses } from '../pollSettings';
import type { Instant } from '../../shared/timestamps';

/**
 * Up to when refunds and changes of status are history: the last poll; where there was none, the newest date that is seen,
 * or the clock's.
 */
export function firstWatch(run: Run, watchedFrom: Instant): Watch {
	const rows = [...run.seen.values()];
	const dates = rows
		.flatMap(({ created, refundedAt, statusSince }) => [created, refundedAt, statusSince])
		.filter((at) => at !== undefined);
	const since = sinceOf(run) ?? beginningOf(run, dates);
	return {
		from: watchedFrom,
		...(since === undefined ? {} : { since }),
		isComplete: false,
		...(asksForStatuses(run.settings) ? { statusesSince: EARLIEST } : {}),
		statusSets: [],
		facts: {},
		pagesDone: 0,
		repeats: 0,
		failures: 0,
		nextFrom: watchedFrom,
	};
}

/** A slow clock must not make history news; what is dated later than a day from now is wrong. */
function beginningOf(
	{ cursor, nowMs, beginning }: Run,
	dates: readonly Instant[],
): Instant | undefined {
	// What stands at the new end may be newer than all that was seen, and than what a slow clock tells.
	if (cursor.silence?.isByClock === true) return undefined;
	// Up to then it was seen, also where all else that was known of it is lost by now.
	if (!beginning.isFirst) return cursor.polledAt;
	// What was not looked at yet may be newer than all that was.
	return latest(newestAgreed(dates, nowMs + MOST_AHEAD_MS), fromMs(nowMs));
}

function sinceOf({ settings: { startFrom }, beginning }: Run): Instant | undefined {
	if (!beginning.isFirst || startFrom.kind === 'now') return undefined;
	return startFrom.kind === 'date' ? startFrom.date : EARLIEST;
}
