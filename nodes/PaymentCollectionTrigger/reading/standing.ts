import type { Cursor, LaterCharges } from '../cursor/cursor';
import type { ChargeRow } from '../list/chargeRow';
import { EARLIEST, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { plainText } from '../../shared/plainText';
import { hasToRead } from './unreadRanges';

/**
 * What a charge is that was never looked at and lies in no unread range, by its date and what is known of the list:
 * `new`; `beforeStartDate` or `beforeWindow`, and too old to be told; `inBacklog`: the walk that is under way tells it;
 * `afterBacklog`: the next one does; `wasThere` when the trigger began, or its filters changed; `undecided` until the
 * unread ranges were read.
 */
export type Standing =
	| 'new'
	| 'beforeStartDate'
	| 'beforeWindow'
	| 'inBacklog'
	| 'afterBacklog'
	| 'wasThere'
	| 'undecided';

/** Charges of one second may change their places, and be dated more or less exactly. */
const SAME_MS = 1_000;

/** Where a row stands: on the page at the new end, below one there that is not older, or nobody knows. */
export type Place = 'newEnd' | 'belowNewer' | 'anywhere';

export function standingOf(row: ChargeRow, cursor: Cursor, place: Place): Standing {
	const { silence, owed, list, unread } = cursor;
	if (isBeforeStartDate(row, cursor)) return 'beforeStartDate';
	if (row.created < rememberedSince(cursor)) return 'beforeWindow';
	if (isAfterBacklog(row, cursor)) return 'afterBacklog';
	if (silence === undefined) return 'new';
	if (isInBacklog(row, cursor)) return 'inBacklog';
	const isSilent = row.created <= silence.upTo && !isUnseen(row, cursor, place);
	if (isSilent && !isLaterThanFormer(row, silence.later)) return 'wasThere';
	if (!silence.isUntilOwed || list.length.kind !== 'counted' || owed > 0) return 'new';
	// Nothing that was there and not seen is dated later, so that the count is wrong, or as many have left.
	const isBelow = place === 'belowNewer' && silence.seenAfter !== undefined;
	const isSeen = isBelow || (place === 'newEnd' && !silence.isByClock);
	const isLater = row.created > shift(latest(silence.upTo, silence.seenUpTo ?? EARLIEST), SAME_MS);
	if (isSeen && isLater && list.order === 'byDate') return 'new';
	if (unread.length === 0) return 'wasThere';
	// What can't be read for long may be what was there, and this one what came in. Otherwise the unread ranges show
	// whether one is owed.
	return hasToRead(cursor) ? 'undecided' : 'new';
}

const isLaterThanFormer = (row: ChargeRow, later: LaterCharges | undefined): boolean =>
	later !== undefined && row.created >= later.since && isIn(row, later.currency);

/** Whether a row came in that all at the new end that were there are older than, or were seen. */
function isUnseen({ created }: ChargeRow, { silence, owed, list, unread }: Cursor, place: Place) {
	const { seenAfter, isUntilOwed } = silence ?? {};
	const isLater = isUntilOwed === true && seenAfter !== undefined && created > seenAfter;
	const isOwed = owed > 0 || unread.length > 0;
	return isLater && isOwed && place === 'newEnd' && list.order === 'byDate';
}

/** Of the charges created since then, each that was looked at is remembered. */
export const rememberedSince = ({ window, knownSince }: Cursor): Instant =>
	latest(window.start, knownSince);

export const isBeforeStartDate = ({ created }: ChargeRow, { notBefore }: Cursor): boolean =>
	notBefore !== undefined && created < notBefore;

/** Whether it came in while older ones wait in a list without a count: told first, they would be taken for told. */
function isAfterBacklog({ created }: ChargeRow, { backlog }: Cursor): boolean {
	const before = backlog?.before;
	return before !== undefined && created > before;
}

/** Whether it belongs to the past that walks tell. */
export function isInBacklog(row: ChargeRow, cursor: Cursor): boolean {
	const { backlog, knownSince } = cursor;
	if (backlog === undefined || row.created < backlog.since || isBeforeStartDate(row, cursor))
		return false;
	// What was told of it may be forgotten.
	if (backlog.isAgain === true && row.created < knownSince) return false;
	if (backlog.until !== undefined && row.created > backlog.until) return false;
	return isIn(row, backlog.currency);
}

/** Whether a charge is in a currency, in letters of either case; absent stands for all. */
export const isIn = ({ record }: ChargeRow, currency: string | undefined): boolean =>
	currency === undefined || plainText(record['currency']).toUpperCase() === currency.toUpperCase();
