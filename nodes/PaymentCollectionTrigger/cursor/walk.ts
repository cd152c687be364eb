import type { Instant } from '../../shared/timestamps';

/** A reading of the list under way: as in the cursor, each field says what is true while it is set. */
export interface Walk {
	/** Rows below this coordinate are still to be read. */
	below: number;
	/** Pages that it has read; again after a pause, or to find its place, they count again. */
	pages: number;
	/**
	 * `first`: little is known of the list, so its order does not end it early. `window`: it ends behind the window, where the
	 * list is by date. `owed`: the same, or when nothing is owed.
	 */
	purpose: 'first' | 'window' | 'owed';
	/** It goes on to the old end, since what is owed was not in the window. */
	isWhole: boolean;
	/** So many rows were owed when it began that it has not found. */
	owedBefore: number;
	/** Polls in a row in which the page that holds the next row failed. */
	failures: number;
	/** A page failed, a row showed twice, or something else may have kept a row from showing: another walk is needed. */
	isUnsure: boolean;
	/** It has left out a page that failed. */
	hasLeftOut?: true;
	/** A whole page was older than the window. */
	sawOlderPage: boolean;
	/** Charges were seen that the list would not show there if it were by date. */
	sawDisorder: boolean;
	/** A hash of the rows of the page read last; absent before there was one. */
	pageContent?: string;
	/** Pages in a row, up to the last, that showed the same as the one before: several of them lie behind the end. */
	repeats: number;
	/** The newest charge of the last page with a usable date; absent before there was one. */
	pageNewest?: Instant;
	/** When the newest of the charges read were created, those ahead of the clock left out, the newest first: five at most. */
	newest: Instant[];
}

/** What walks are to tell, from the new end on. */
export interface Backlog {
	/** Charges created at or after it are told. */
	since: Instant;
	/** Those created after it were told before; absent while none was. */
	until?: Instant;
	/** Charges created after it wait until those of the backlog are told; absent where none do. */
	before?: Instant;
	/** A walk has told it but may have missed some of it: what was forgotten since is not told again. */
	isAgain?: true;
	/** Only charges in this currency; absent for all. */
	currency?: string;
}
