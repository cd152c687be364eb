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
	/** The round that was to look at every charge has left out a page that failed: this one has, or the last one. */
	leftOut?: 'thisRound' | 'lastRound';
	/** Statuses are watched; what they were up to then is not told. Absent while nobody asks for them. */
	statusesSince?: Instant;
	/** The only status that a charge had of which nothing is remembered; absent before one was seen. */
	usualStatus?: string;
	/** What other charges had: each set of statuses, under its number. */
	statusSets: string[][];
	/** Of charges that are out of the ordinary: each refund total, and the set of statuses, that they were seen with. */
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
}

/** How far the watch was before the poll. */
export interface WatchBefore {
	/** Every charge was looked at. */
	readonly wasComplete: boolean;
	/** But for those of a page that failed. */
	readonly hadLeftOut: boolean;
}
