import type { Cursor, UnreadRange } from '../cursor/cursor';
import type { Slot } from '../list/chargePage';
import type { ChargeRow } from '../list/chargeRow';
import type { PageOrder } from '../list/newEnd';
import { fromMs } from '../../shared/timestamps';
import { KnownCharges } from './knownCharges';
import { isBeforeStartDate, isIn, isInBacklog, rememberedSince, standingOf } from './standing';
import type { Place } from './standing';

/**
 * What a row is. `new`: met for the first time, and told now unless it is not asked for as created (`isWanted`, which
 * poll.ts decides). `past`: the same, but of a backlog, so that it does not explain what the count grew by. `waiting`: to
 * be told, but the poll has told as many as it may, or unread ranges have to be read first. `later`: to be told after a backlog. `known`: it was looked at
 * before. `old`: it was there before the trigger began, is older than the window, or a later walk tells it.
 */
export type Verdict = 'new' | 'past' | 'waiting' | 'later' | 'known' | 'old';

/** Decides which charges are new. All that it learns is in the cursor once {@link KnownCharges.save} was called. */
export class Novelty {
	/** Charges to tell. */
	readonly fresh: ChargeRow[] = [];
	/** New charges that are not told as created: that event was not asked for, or the Status filter leaves them out. */
	readonly leftOut: ChargeRow[] = [];
	readonly known: KnownCharges;
	/** Keys of the rows that turned out new in this poll. */
	readonly taken = new Set<string>();
	/** Of those that a later poll may tell as new. */
	readonly waiting = new Set<string>();
	/** Of those that were met for the first time in this poll and are not told. */
	readonly silenced = new Set<string>();

	/**
	 * @param most charges to tell at most
	 * @param isWanted whether a new charge is to be told as created, by what was asked for and its status
	 */
	constructor(
		private readonly cursor: Cursor,
		private readonly most: number,
		private readonly isWanted: (row: ChargeRow) => boolean,
	) {
		this.known = new KnownCharges(cursor);
	}

	get room(): number {
		return this.most - this.fresh.length;
	}

	/** A row at a coordinate that was unread, on a page in this order: new by its place, unless known or too old. */
	judgeUnread(row: ChargeRow, range: UnreadRange, order: PageOrder): Verdict {
		const { since, backlog, knownSince } = range;
		if (this.isKnown(row)) return 'known';
		this.waiting.delete(row.key);
		// Late rows may have moved it there, and no key of it is remembered.
		const mayBeKnown = row.created < knownSince;
		if (row.created < since || mayBeKnown || isBeforeStartDate(row, this.cursor))
			return this.silence(row);
		const { silence, list } = this.cursor;
		if (backlog !== undefined && row.created <= backlog.upTo)
			return isIn(row, backlog.currency) ? this.take(row, true) : this.silence(row);
		if (silence === undefined || row.created > silence.upTo) return this.take(row);
		// Others that came in below have moved it here, perhaps past the walk that would tell of it.
		if (isInBacklog(row, this.cursor)) return this.take(row, true);
		// In a list by date it is new by its place, if nothing unseen can have stood there before.
		const { seenAfter } = silence;
		const isTrusted = order === 'byDate' && list.order === 'byDate';
		const isNew = isTrusted && seenAfter !== undefined && row.created > seenAfter;
		return isNew ? this.take(row) : this.silence(row);
	}

	/** A row anywhere else. */
	judgeElsewhere(row: ChargeRow, place: Place): Verdict {
		if (this.isKnown(row)) return 'known';
		this.waiting.delete(row.key);
		switch (standingOf(row, this.cursor, place)) {
			case 'new':
				return this.take(row);
			case 'wasThere':
			case 'beforeStartDate':
				return this.silence(row);
			case 'undecided':
				this.waiting.add(row.key);
				return 'waiting';
			case 'afterBacklog':
				this.waiting.add(row.key);
				return 'later';
			default:
				if (isInBacklog(row, this.cursor)) this.waiting.add(row.key);
				return 'old';
		}
	}

	/** A row that a walk over a backlog comes to. */
	judgeBacklog(row: ChargeRow, place: Place): Verdict {
		if (!isInBacklog(row, this.cursor)) return this.judgeElsewhere(row, place);
		return this.isKnown(row) ? 'known' : this.take(row, true);
	}

	/** Takes what stands in these places for known. */
	silencePlaces(slots: readonly Slot[], nowMs: number): void {
		for (const { row, unreadableKey } of slots) {
			if (row !== undefined) this.silence(row);
			else if (unreadableKey !== undefined) this.known.add(unreadableKey, fromMs(nowMs));
		}
	}

	private isKnown(row: ChargeRow): boolean {
		if (!this.known.has(row.key)) return false;
		// Its date may have moved on: it is to be forgotten by the later one.
		this.known.add(row.key, row.created);
		return true;
	}

	private silence(row: ChargeRow): Verdict {
		this.known.add(row.key, row.created);
		if (row.created >= rememberedSince(this.cursor)) this.silenced.add(row.key);
		return 'old';
	}

	/** @param isPast whether it is of a backlog */
	private take(row: ChargeRow, isPast = false): Verdict {
		const isWanted = this.isWanted(row);
		if (isWanted && this.room <= 0) {
			this.waiting.add(row.key);
			return 'waiting';
		}
		this.known.addTaken(row.key, row.created);
		this.taken.add(row.key);
		(isWanted ? this.fresh : this.leftOut).push(row);
		return isPast ? 'past' : 'new';
	}
}
