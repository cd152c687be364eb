import type { Cursor, LaterCharges, ListFilters } from '../cursor/cursor';
import type { Backlog } from '../cursor/walk';
import type { Watch } from '../cursor/watch';
import { EARLIEST, earliest, latest, shift } from '../../shared/timestamps';
import { firstCursor } from './begin';
import { newestKnown } from './knownCharges';

/**
 * The cursor for a list under other filters, and what of a backlog is to be told there: charges that the row itself
 * shows to have been in the list before.
 */
export function underFilters(
	before: Cursor,
	filters: ListFilters,
	nowMs: number,
): { cursor: Cursor; past: Backlog | undefined; later: LaterCharges | undefined } {
	const { walk, backlog, retriedUpTo, credit, ...kept } = before;
	const { account, polledAt, silence, watch } = kept;
	const { list, unread, owed, turn } = firstCursor(account, filters, 0);
	const { start } = kept.window;
	const window = { start, next: start, unsureWalks: 0 };
	const cursor: Cursor = { ...kept, filters, list, unread, owed, turn, window };
	// Where the first reading had not ended, what it was silent about stays so.
	if (silence !== undefined) {
		const upTo = latest(silence.upTo, polledAt);
		cursor.silence = { upTo, isUntilOwed: false, isByClock: false };
	}
	if (watch !== undefined) cursor.watch = watchUnder(watch, before, filters);
	return { cursor, past: pastOf(before), later: laterThan(before, nowMs) };
}

/** Once the former list was all seen, its newest charges are known. Few of them are dated ahead of time. */
function laterThan(cursor: Cursor, nowMs: number): LaterCharges | undefined {
	const { currency, isOtherwiseWhole } = cursor.filters;
	const since = newestKnown(cursor, nowMs).at(-1);
	if (cursor.silence !== undefined || !isOtherwiseWhole || since === undefined) return undefined;
	return { since, currency };
}

/** What was looked at stays so, as far as the rows show by themselves that the former list held them. */
function watchUnder(watch: Watch, { filters: former, polledAt }: Cursor, next: ListFilters): Watch {
	const { isOtherwiseWhole, currency } = former;
	const kept = { ...watch, pagesDone: 0, failures: 0 };
	delete kept.pageContent;
	// The list has got no others.
	if (isOtherwiseWhole && (currency ?? next.currency) === next.currency) return kept;
	delete kept.seenIn;
	const wasComplete = watch.isComplete && watch.leftOut === undefined;
	const wasSeen = isOtherwiseWhole && (wasComplete || watch.seenIn === currency);
	if (wasSeen && currency !== undefined) kept.seenIn = currency;
	return { ...kept, since: latest(watch.since ?? polledAt, polledAt), isComplete: false };
}

function pastOf(before: Cursor): Backlog | undefined {
	const { unread, walk, filters, list, knownSince, silence, backlog: past } = before;
	if (!filters.isOtherwiseWhole) return undefined;
	const silentUntil = silence === undefined ? EARLIEST : shift(silence.upTo, 1);
	const starts = unread.map(({ since, backlog }) =>
		backlog === undefined ? latest(since, silentUntil, knownSince) : since,
	);
	if (past !== undefined) starts.push(past.since);
	// While what was silent is being read under filters that were changed before, what is newer waits in no range.
	if (silence?.isUntilOwed === false) starts.push(silentUntil);
	const [first, ...others] = starts;
	if (first === undefined) return undefined;
	const pasts = [past, ...unread.map(({ backlog }) => backlog)];
	const currency = pasts.find((each) => each?.currency !== undefined)?.currency ?? filters.currency;
	const since = earliest(first, ...others);
	const told = currency === undefined ? { since } : { since, currency };
	if (list.order === 'none') return told;
	// In a list by date a walk tells the newest first, and what is unread is told from the oldest on: both are forgotten
	// from the oldest on.
	if (past === undefined || past.isAgain === true)
		return { ...told, since: latest(since, knownSince) };
	const until = unread.length > 0 ? undefined : (walk?.pageNewest ?? past.until);
	return until === undefined ? told : { ...told, until };
}
