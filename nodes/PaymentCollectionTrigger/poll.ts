import { ChargeList } from './chargeList';
import type { FetchPage } from './chargeList';
import { KNOWN_STRETCH_SECONDS } from './cursor';
import type { Cursor } from './cursor';
import { createdEvent, inOrder } from './events';
import type { ChargeEvent } from './events';
import { KeySet } from './keySet';
import type { ChargeRow } from './chargeRow';
import { policyAt } from './policy';
import type { Policy } from './policy';
import { readCharges } from './readCharges';
import { newestOf } from './reading';
import type { Reading } from './reading';
import { selectNew } from './selectNew';
import type { Settings } from './settings';
import { firstCursor, underFilters } from './startFrom';
import type { Identity } from './startFrom';
import { sweep } from './sweep';
import { BEGINNING, earliest, latest, shift } from './timestamps';
import type { Instant } from './timestamps';
import { Watcher, firstWatch } from './watch';

export interface PollInput extends Identity {
	/** What the last poll left behind, of this account. */
	readonly cursor: Cursor | undefined;
	readonly settings: Settings;
	readonly fetchPage: FetchPage;
	/** The host's clock: it may be wrong. */
	readonly nowMs: number;
	/** Whether there is time for another request. */
	readonly hasTime: () => boolean;
}

export interface PollResult {
	/** Oldest first. */
	readonly events: readonly ChargeEvent[];
	/** To be stored once nothing can fail any more. */
	readonly cursor: Cursor;
	/** So much happens that fewer days can be watched than was chosen. */
	readonly wasShortened: boolean;
}

/** Pages that the first look at the watched days takes at once. */
const BASELINE_PAGES = 50;

/** One poll: reads, then decides. It changes nothing; where a request fails, there is no new cursor. */
export async function pollCharges(input: PollInput): Promise<PollResult> {
	const { settings, account, filters } = input;
	const policy = policyAt(input.nowMs, settings);
	const identity = { account, filters };
	const cursor = underFilters(input.cursor ?? firstCursor(identity, settings.startFrom), filters);
	const known = new KeySet(cursor.known, KNOWN_STRETCH_SECONDS);
	const list = new ChargeList(input.fetchPage, input.hasTime);
	const reading = await readCharges(list, cursor, known, policy);
	if (!isWatching(settings)) {
		const { fresh, cursor: next } = selectNew(reading, cursor, known, policy);
		return { events: inOrder(fresh.map(createdEvent)), cursor: next, wasShortened: false };
	}
	return await pollWatched(input, list, reading, cursor, known, policy);
}

const isWatching = ({ events }: Settings): boolean =>
	events.has('charge.refunded') || events.has('charge.statusChanged');

/** The same with a look at the charges of the last days, some pages of them in each poll. */
async function pollWatched(
	{ settings, cursor: stored }: PollInput,
	list: ChargeList,
	reading: Reading,
	cursor: Cursor,
	known: KeySet,
	policy: Policy,
): Promise<PollResult> {
	const seen = [...list.rows.values()];
	const newest = latest(cursor.newest, newestOf(seen, policy.present));
	const horizon = shift(earliest(newest, policy.past), -settings.watchMs);
	const watch =
		cursor.watch ?? firstWatch(seen, horizon, startOfWatch(stored, settings, seen, newest, policy));
	// The first round is done at once as far as possible: what is published gets saved, what a null poll finds may not.
	const pages = watch.isComplete
		? settings.sweepPages
		: Math.max(settings.sweepPages, BASELINE_PAGES);
	const { rows, round } = await sweep(list, watch, reading, pages, horizon);
	const extended =
		cursor.isBehind || reading.isBehind
			? reading
			: { ...reading, rows: [...reading.rows, ...rows] };
	const { fresh, silent, cursor: next } = selectNew(extended, cursor, known, policy);

	const watcher = new Watcher(watch);
	const isFresh = new Set(fresh.map(({ key }) => key));
	const isUndecided = (row: ChargeRow) => row.created >= cursor.from && !known.has(row.key);
	const events = fresh.flatMap((row) => [createdEvent(row), ...watcher.lookAtNew(row)]);
	for (const row of silent) isFresh.add(row.key);
	events.push(...silent.flatMap((row) => watcher.lookAgain(row)));
	for (const row of list.rows.values()) {
		if (!isFresh.has(row.key) && !isUndecided(row)) events.push(...watcher.lookAgain(row));
	}
	const watched = watcher.toWatch(round);
	return {
		events: inOrder(events.filter(({ name }) => settings.events.has(name))),
		cursor: { ...next, watch: watched.watch },
		wasShortened: watched.wasShortened,
	};
}

/** Up to when refunds and changes of status are history: the newest date that the charges of the first poll bear. */
function startOfWatch(
	stored: Cursor | undefined,
	{ startFrom }: Settings,
	seen: readonly ChargeRow[],
	newest: Instant,
	policy: Policy,
): Instant {
	if (stored === undefined && startFrom.kind === 'beginning') return BEGINNING;
	if (stored === undefined && startFrom.kind === 'date') return startFrom.date;
	return seen
		.flatMap(({ refundedAt, statusSince }) => [refundedAt, statusSince])
		.filter((at): at is Instant => at !== undefined && at <= policy.present)
		.reduce((most, at) => latest(most, at), newest);
}
