import { createdEvent, inOrder } from '../shared/charges/chargeEvents';
import type { ChargeEvent } from '../shared/charges/chargeEvents';
import { resumeWatch, watchCharges } from './changes/watchCharges';
import type { Cursor, ListFilters } from './cursor/cursor';
import type { KnownAccount } from './cursor/stored';
import { ChargeList } from './list/chargeList';
import type { FetchPage } from './list/chargePages';
import { datesOf } from './list/chargeRow';
import type { ChargeRow } from './list/chargeRow';
import type { PollSettings } from './pollSettings';
import { firstCursor } from './reading/begin';
import { underFilters } from './reading/changedFilters';
import { Novelty } from './reading/novelty';
import { Run } from './reading/run';
import type { Beginning } from './reading/run';
import { hasToRead } from './reading/unreadRanges';
import { warningsOfFirst } from '../shared/lists/listPage';
import { fromMs, latest } from '../shared/timestamps';
import { newestOf } from './dates';
import { PARTS, nextTurn, partsFrom } from './turns';
import { warningsOf } from './warnings';

export interface PollInput {
	/** Fingerprint of base URL and key. */
	readonly account: string;
	readonly filters: ListFilters;
	/** What the last poll left behind, of this account, in a copy of its own; absent where nothing of it can be used. */
	readonly stored: Cursor | undefined;
	/** When the account was seen last, or asked for first; absent where neither. */
	readonly former?: KnownAccount | undefined;
	readonly settings: PollSettings;
	readonly fetchPage: FetchPage;
	/** The host's clock: it may be wrong. */
	readonly nowMs: number;
	/** When the last request must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs: number;
}

export interface PollResult {
	/** Oldest first; at most as many as the user chose. */
	readonly events: readonly ChargeEvent[];
	/** To be stored once nothing can fail any more. */
	readonly cursor: Cursor;
	/** For n8n's log. */
	readonly warnings: readonly string[];
}

/**
 * One poll: reads, then decides. It changes nothing that was stored.
 *
 * @throws {ServiceFailure} when nothing at all could be learned of the list
 */
export async function pollCharges(input: PollInput): Promise<PollResult> {
	const { settings, nowMs } = input;
	const { cursor, beginning } = beginningOf(input);
	const list = new ChargeList(input.fetchPage, cursor, input.deadlineMs);
	const novelty = new Novelty(cursor, settings.maxCharges, isWanted(settings));
	const run = new Run(cursor, list, novelty, settings, beginning, nowMs);
	const watchBefore = resumeWatch(cursor, settings);
	const starved: Array<Cursor['turn']> = [];
	for (const part of partsFrom(cursor.turn)) {
		// While the trigger begins, what the new end shows has to come first.
		const mayWait = cursor.silence === undefined || list.requests.sent === 1;
		if (list.requests.isOutOfTime && mayWait) starved.push(part);
		await PARTS[part](run);
	}
	if (!list.hasLearned && list.error !== undefined) {
		if (cursor.turn === 'newEnd' || list.requests.isRefused) throw list.error;
		// What was asked for first may fail for good: the next poll begins with the new end.
		cursor.turn = 'newEnd';
		return { events: [], cursor, warnings: warningsOf(list) };
	}
	cursor.turn = nextTurn(cursor, starved);
	if (cursor.credit === 0 || !hasToRead(cursor)) delete cursor.credit;

	const watched = cursor.watch && watchCharges(run, cursor.watch, watchBefore);
	const events = [...novelty.fresh.map(createdEvent), ...(watched?.events ?? [])];
	const forgottenBefore = novelty.known.save();
	const newest = newestOf(datesOf([...run.seen.values()]), nowMs);
	cursor.polledAt = latest(cursor.polledAt, fromMs(nowMs), ...newest);
	const warnings = [
		...(beginning.isFirst ? warningsOfFirst(list) : []),
		...warningsOf(list, forgottenBefore, watched),
	];
	return { events: inOrder(events), cursor, warnings };
}

const isWanted =
	({ events, statuses }: PollSettings) =>
	(row: ChargeRow): boolean =>
		events.has('charge.created') && statuses.matches(row);

function beginningOf({ account, filters, stored, former, nowMs }: PollInput): {
	cursor: Cursor;
	beginning: Beginning;
} {
	if (stored === undefined) {
		const cursor = firstCursor(account, filters, nowMs);
		if (former === undefined) return { cursor, beginning: { isFirst: true } };
		const { seenUpTo, polledAt = seenUpTo, windowStart: start } = former;
		const upTo = former.filters === filters.fingerprint ? seenUpTo : polledAt;
		const window = { start, next: start, unsureWalks: 0 };
		return { cursor: { ...cursor, polledAt, window }, beginning: { isFirst: false, upTo } };
	}
	if (stored.filters.fingerprint === filters.fingerprint) {
		return { cursor: stored, beginning: { isFirst: false } };
	}
	const { cursor, past, later } = underFilters(stored, filters, nowMs);
	return { cursor, beginning: { isFirst: false, past, later } };
}
