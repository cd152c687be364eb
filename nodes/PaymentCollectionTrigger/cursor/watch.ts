import type { Instant } from '../../shared/timestamps';
import type { KeyBuckets } from './keySet';

/** What is remembered of the charges that are watched: as in {@link Cursor}, each field says what is true while it is set. */
export interface Watch {
	/** Charges created before it are not looked at again. */
	from: Instant;
	/**
	 * What happened up to here had happened before the watch began, and is not told. Absent where page 1 failed when it
	 * began: then all that the first round finds is taken for such.
	 */
	since?: Instant;
	/** One round over all of them has ended since the watch began. */
	isComplete: boolean;
	/** A page that failed was left out before every charge was looked at: in this round, or in the one before. */
	leftOut?: 'thisRound' | 'lastRound';
	/** The filters were changed: of charges in this currency, each had been looked at under the former ones. */
	seenIn?: string;
	/** Statuses are watched; what they were up to then is not told. Absent while nobody asks for them. */
	statusesSince?: Instant;
	/** They were asked for while refunds were watched, and no round over all charges has ended since. */
	areStatusesNew?: true;
	/** The only status that a charge had of which nothing is remembered; absent before one was seen. */
	usualStatus?: string;
	/** What other charges had: each set of statuses, under its number. */
	statusSets: string[][];
	/**
	 * Keys of what is out of the ordinary of a charge: each refund total, its set of statuses or, where the table is full,
	 * each status, and that it was looked at when its dates could not tell.
	 */
	facts: KeyBuckets;
	/** Pages of this round that were looked at, counted from the list's new end. */
	pagesDone: number;
	/** A hash of the rows of the page looked at last; absent before this round has looked at one. */
	pageContent?: string;
	/** Pages in a row, up to the last, that showed the same as the one before. */
	repeats: number;
	/** Polls in a row in which the next page failed. Until every charge was looked at once, it is waited for. */
	failures: number;
	/** What `from` becomes after this round. */
	nextFrom: Instant;
	/** When the last round began, and this one, by the dates of charges; absent in the first. */
	rounds?: [Instant, Instant];
}

/** How far the watch was before the poll. */
export interface WatchBefore {
	/** Every charge was looked at. */
	readonly wasComplete: boolean;
	/** But for those of a page that failed. */
	readonly hadLeftOut: boolean;
	/** Besides, in this currency each was. */
	readonly seenIn: string | undefined;
	/** None was for its status. */
	readonly wereStatusesNew: boolean;
}
