import type { Cursor } from '../cursor/cursor';
import type { Watch, WatchBefore } from '../cursor/watch';
import type { ChargeRow } from '../list/chargeRow';
import type { Run } from '../reading/run';
import { fromMs } from '../../shared/timestamps';
import { MOST_AHEAD_MS } from '../dates';
import { asksForStatuses } from '../pollSettings';
import type { PollSettings } from '../pollSettings';
import type { ChargeEvent, EventName } from '../../shared/charges/chargeEvents';
import { hasReadableTotal } from '../../shared/charges/refundTotal';
import { sameCase } from '../../shared/charges/statusFilter';
import { Watcher } from './watcher';

/** What a poll has to say of the charges that are watched. */
export interface Watched {
	readonly events: readonly ChargeEvent[];
	/** Fewer days are watched than the user chose, for want of room. */
	readonly wasShortened: boolean;
	/** Charges of which it can't decide what is asked for: told once it can be, until then somebody has to know of it. */
	readonly unreadable: { readonly refunds: number; readonly statuses: number };
}

/**
 * Begins to watch statuses where nobody asked for them before, with a round over all charges, and stops where nobody
 * does any more. What they were up to the last poll is history; refunds go on being told.
 *
 * @returns how far the watch was before this poll
 */
export function resumeWatch({ watch, polledAt }: Cursor, settings: PollSettings): WatchBefore {
	if (watch === undefined) return watchBefore();
	if (!asksForStatuses(settings)) {
		delete watch.statusesSince;
		delete watch.areStatusesNew;
		delete watch.usualStatus;
		watch.statusSets = [];
	} else if (watch.statusesSince === undefined) {
		watch.since ??= polledAt;
		Object.assign(watch, { statusesSince: polledAt, areStatusesNew: true, pagesDone: 0 });
		delete watch.pageContent;
	}
	return watchBefore(watch);
}

const watchBefore = (watch?: Watch): WatchBefore => ({
	wasComplete: watch?.isComplete === true,
	hadLeftOut: watch?.leftOut !== undefined,
	seenIn: watch?.seenIn,
	wereStatusesNew: watch?.areStatusesNew === true,
});

/** Tells what happened to the charges that this poll has read. */
export function watchCharges(run: Run, watch: Watch, before: WatchBefore): Watched {
	const { novelty, seen, settings, nowMs } = run;
	const { room } = novelty;
	const latestDate = fromMs(nowMs + MOST_AHEAD_MS);
	const statuses = [...seen.values()].flatMap(({ status }) => status ?? []);
	const usualStatus = mostFrequent(statuses.map(sameCase));
	if (watch.statusesSince !== undefined && usualStatus !== undefined)
		watch.usualStatus ??= usualStatus;
	const watcher = new Watcher(watch, { ...settings, ...before, room, latestDate });
	for (const row of [...novelty.fresh, ...novelty.leftOut]) watcher.lookAtNew(row);
	for (const row of seen.values()) {
		// Nothing else is told of a charge before it is told as new.
		if (novelty.taken.has(row.key) || novelty.waiting.has(row.key)) continue;
		watcher.lookAgain(row, novelty.silenced.has(row.key));
	}
	const unreadable = countUnreadable(seen.values(), watch, settings.events);
	return { events: watcher.events, wasShortened: watcher.save(), unreadable };
}

function mostFrequent(texts: readonly string[]): string | undefined {
	const times = new Map<string, number>();
	for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
	return [...times].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function countUnreadable(
	rows: Iterable<ChargeRow>,
	{ from, statusesSince }: Watch,
	events: ReadonlySet<EventName>,
): Watched['unreadable'] {
	let [refunds, statuses] = [0, 0];
	for (const { created, record, refundTotal, status } of rows) {
		if (created < from) continue;
		if (events.has('charge.refunded') && refundTotal === undefined && !hasReadableTotal(record))
			refunds += 1;
		if (statusesSince !== undefined && status === undefined) statuses += 1;
	}
	return { refunds, statuses };
}
