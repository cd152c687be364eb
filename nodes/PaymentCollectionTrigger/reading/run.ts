import type { Cursor, LaterCharges } from '../cursor/cursor';
import type { Backlog } from '../cursor/walk';
import type { ChargeList } from '../list/chargeList';
import type { ChargePage } from '../list/chargePage';
import { pageFromNewEnd } from '../list/coordinates';
import { datesOf } from '../list/chargeRow';
import type { ChargeRow } from '../list/chargeRow';
import { payBack } from './ledger';
import type { Novelty } from './novelty';
import type { Place } from './standing';
import { countUnread, isUnread, setAsideAt } from './unreadRanges';
import { fromMs, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { MOST_AHEAD_MS, newestOf } from '../dates';
import type { PollSettings } from '../pollSettings';

/** What is new while no answer of the list was read yet. */
export interface Beginning {
	/** Nothing is known of the account. Where false, what was created up to the last poll is not new. */
	readonly isFirst: boolean;
	/** Up to when, if not up to the last poll. */
	readonly upTo?: Instant;
	/** What is told all the same, since it waited under other filters, */
	readonly past?: Backlog | undefined;
	/** or came in since the last poll under them, for certain. */
	readonly later?: LaterCharges | undefined;
}

/** One poll's reading of the list: what every part of it works on. */
export class Run {
	/** The list's count after the poll before; undefined where none was believed. */
	readonly countBefore: number | undefined;
	/** Every charge that was read and does not wait in an unread range. */
	readonly seen = new Map<string, ChargeRow>();
	/** Pages whose rows were judged already. */
	readonly judged = new Set<ChargePage>();
	/** Of the page at the new end, once it was judged: when its newest charge was created. */
	newestAtNewEnd: Instant | undefined;
	/** How often this poll has asked for the rows at these coordinates. */
	readonly tries = new Map<number, number>();
	/** Coordinates whose page has failed in this poll: however often it is asked for, it counts once. */
	readonly failed = new Set<number>();
	/** A new charge was found that had to wait, and that no unread range holds. */
	leftBehind = false;

	/**
	 * @param cursor the poll's own copy, changed as answers come
	 * @param nowMs the host's clock at the beginning: it may be wrong
	 */
	constructor(
		readonly cursor: Cursor,
		readonly list: ChargeList,
		readonly novelty: Novelty,
		readonly settings: PollSettings,
		readonly beginning: Beginning,
		readonly nowMs: number,
	) {
		const { length } = cursor.list;
		this.countBefore = length.kind === 'counted' ? length.count : undefined;
	}
}

/** Judges the rows of a page that are in no unread range. */
export function judgePage(run: Run, page: ChargePage): void {
	if (run.judged.has(page)) return;
	run.judged.add(page);
	const { cursor, novelty, seen } = run;
	dateSilence(run, page);
	if (isAtNewEnd(run, page))
		run.newestAtNewEnd = newestOf(datesOf(page.rows), run.nowMs + MOST_AHEAD_MS)[0];
	for (const { coordinate, row, unreadableKey } of page.slots) {
		if (isUnread(cursor, coordinate)) continue;
		// Without a count nobody can say whether it was there when the trigger began.
		const isSilent = cursor.silence !== undefined && cursor.list.length.kind === 'counted';
		if (unreadableKey !== undefined) {
			if (isSilent) novelty.known.add(unreadableKey, fromMs(run.nowMs));
			else if (!novelty.known.has(unreadableKey)) setAsideAt(cursor, coordinate);
		}
		if (row === undefined) continue;
		seen.set(row.key, row);
		const verdict = novelty.judgeElsewhere(row, placeOf(run, page, row));
		if (verdict === 'new') payBack(cursor, coordinate);
		if (verdict === 'waiting' || verdict === 'later') run.leftBehind = true;
	}
}

/** Where a row of a page stands. */
export function placeOf(run: Run, page: ChargePage, { created }: ChargeRow): Place {
	if (isAtNewEnd(run, page)) return 'newEnd';
	const { newestAtNewEnd } = run;
	return newestAtNewEnd !== undefined && created <= newestAtNewEnd ? 'belowNewer' : 'anywhere';
}

const isAtNewEnd = ({ cursor }: Run, { number }: ChargePage): boolean =>
	number === pageFromNewEnd(0, cursor.list);

/**
 * The rows that came in since the first answer, as many as the count grew by, are the newest ones: the others on the
 * page were there when the trigger began, at whatever end of it they stand.
 */
function dateSilence(run: Run, page: ChargePage): void {
	const { cursor, novelty, nowMs } = run;
	const { silence, list } = cursor;
	if (silence?.isByClock !== true || list.length.kind !== 'counted') return;
	// Those that were told already are none of either.
	const slots = page.slots.filter(({ row }) => row === undefined || !novelty.known.has(row.key));
	const old = datesOf(slots.map(({ row }) => row))
		.sort()
		.slice(0, Math.max(0, slots.length - countUnread(cursor)));
	silence.upTo = latest(silence.upTo, ...newestOf(old, nowMs + MOST_AHEAD_MS));
	silence.isByClock = !isAtNewEnd(run, page);
}
