import type { Cursor } from '../cursor/cursor';
import type { Watch, WatchBefore } from '../cursor/watch';
import type { Beginning } from '../reading/begin';
import type { Run } from '../reading/run';
import { EARLIEST, fromMs, latest, shift } from '../../shared/timestamps';
import { MOST_AHEAD_MS, newestOf } from '../dates';
import type { Instant } from '../../shared/timestamps';
import type { ChargeEvent, EventName } from '../../shared/charges/chargeEvents';
import { sameCase } from '../../shared/charges/statusFilter';
import type { StatusFilter } from '../../shared/charges/statusFilter';
import { firstWatch } from './firstWatch';
import { sweep } from './sweep';
import { countUnreadable } from './unreadable';
import type { Unreadable } from './unreadable';
import { Watcher } from './watcher';

/** What to watch for, and how far. */
export interface WatchSettings {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	readonly watchMs: number;
	/** Pages that a poll reads at most to look for refunds and changes of status, beside those it reads anyway. */
	readonly sweepPages: number;
}

/** What a poll has to say of the charges that are watched. */
export interface Watched {
	readonly events: readonly ChargeEvent[];
	/** Fewer days are watched than the user chose, for want of room. */
	readonly wasShortened: boolean;
	readonly unreadable: Unreadable;
}

/** Pages that the first look at the watched days takes at once. */
const FIRST_PAGES = 50;

const asksForStatuses = ({ events, statuses }: WatchSettings): boolean =>
	events.has('charge.statusChanged') || statuses.isSet;

/** Whether charges have to be looked at after they were new. */
export const isWatching = (settings: WatchSettings): boolean =>
	settings.events.has('charge.refunded') || asksForStatuses(settings);

const isUndated = ({ since, isComplete }: Watch): boolean => since === undefined && !isComplete;

/**
 * Begins to watch statuses where nobody asked for them before, and stops where nobody does any more. What they were
 * up to the last poll is history.
 *
 * @returns how far the watch was before this poll
 */
export function resumeWatch({ watch, polledAt }: Cursor, settings: WatchSettings): WatchBefore {
	if (watch === undefined) return { wasComplete: false, hadLeftOut: false };
	if (!asksForStatuses(settings)) {
		delete watch.statusesSince;
		delete watch.usualStatus;
		watch.statusSets = [];
	} else if (watch.statusesSince === undefined) {
		watch.since ??= polledAt;
		Object.assign(watch, { statusesSince: polledAt, isComplete: false, pagesDone: 0 });
		delete watch.pageContent;
	}
	return { wasComplete: watch.isComplete, hadLeftOut: watch.leftOut !== undefined };
}

/** Reads on in the watched days; begins to watch where that is new. */
export async function sweepWatched(
	run: Run,
	settings: WatchSettings,
	beginning: Beginning,
): Promise<void> {
	const { cursor } = run;
	const watchedFrom = watchedFromOf(run, settings.watchMs);
	// As long as nobody can say what is news, nothing is told.
	const isFirstLook = cursor.watch === undefined || isUndated(cursor.watch);
	const startFrom = beginning.kind === 'first' ? beginning.startFrom : undefined;
	cursor.watch ??= firstWatch(run, asksForStatuses(settings), watchedFrom, startFrom);
	const pages = isFirstLook ? Math.max(settings.sweepPages, FIRST_PAGES) : settings.sweepPages;
	const roundBefore = shift(cursor.watch.from, settings.watchMs);
	await sweep(run, cursor.watch, pages, watchedFrom, roundBefore);
}

/**
 * Tells what happened to the charges that this poll has read.
 */
export function watchCharges(
	run: Run,
	watch: Watch,
	before: WatchBefore,
	settings: WatchSettings,
): Watched {
	const { novelty, seen, nowMs } = run;
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
		if (!novelty.isNew(row) && !novelty.isWaiting(row))
			watcher.lookAgain(row, novelty.silenced.has(row.key));
	}
	const unreadable = countUnreadable(seen.values(), watch, settings.events);
	return { events: watcher.events, wasShortened: watcher.save(), unreadable };
}

function watchedFromOf({ seen, nowMs, cursor }: Run, watchMs: number): Instant {
	const dates = [...seen.values()].map(({ created }) => created);
	const late = newestOf(dates, nowMs).at(-1);
	const watchedFrom = late === undefined ? EARLIEST : shift(late, -watchMs);
	return latest(watchedFrom, cursor.watch?.from ?? EARLIEST);
}

function mostFrequent(texts: readonly string[]): string | undefined {
	const times = new Map<string, number>();
	for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
	return [...times].sort(([, one], [, other]) => other - one)[0]?.[0];
}
