/** How the list is sorted. */
export type Order =
	| 'newest'
	| 'oldest'
	/** By when they came in, the last one first. */
	| 'inserted'
	| 'insertedOldest'
	| 'changed'
	| 'status'
	| 'amount'
	/** In no order, but always in the same. */
	| 'shuffled';

/** What the service makes of the page size that is asked for, with its own `size`. */
export type Sizing =
	| 'capped'
	/** It is ignored. */
	| 'fixed'
	/** Rounded down to tens. */
	| 'tens'
	/** One, three and five times its own size exist: the next smaller one is taken, or else the smallest. */
	| 'some'
	/** The whole list on one page. */
	| 'whole';

export type Count =
	| 'exact'
	/** Wrong by `countOff`. */
	| 'off'
	| 'absent'
	| 'null'
	/** The right number, as text. */
	| 'text'
	| 'negative'
	| 'garbage'
	/** Rows on the page instead of rows in the list. */
	| 'page'
	/** It goes no further than 20. */
	| 'most';

export const MOST_COUNTED = 20;

/** What a page past the end looks like: an error with that status, no rows, or those of the last page. */
export type End = 404 | 400 | 416 | 422 | 500 | 'empty' | 'lastAgain';

export type Timestamps = 'millis' | 'micros' | 'offset' | 'seconds' | 'noZone';

/** How a modelled service lists its charges: everything that its document leaves open. */
export interface Traits {
	readonly order: Order;
	/** Rows of one timestamp change places between requests. */
	readonly tiesMove: boolean;
	readonly sizing: Sizing;
	readonly size: number;
	readonly end: End;
	/** `always`: there is a next page even behind the last one; `never`: null even where there is one. */
	readonly next: 'present' | 'absent' | 'always' | 'never';
	readonly count: Count;
	readonly countOff: number;
	/** The envelope stands in a list of one element. */
	readonly isWrapped: boolean;
	readonly timestamps: Timestamps;
	readonly hasNumericIds: boolean;
	/** Milliseconds until an answer is there. */
	readonly latencyMs: number;
}

/** A service that does all as one would wish. */
export const PLAIN_TRAITS: Traits = {
	order: 'newest',
	tiesMove: false,
	sizing: 'capped',
	size: 10,
	end: 404,
	next: 'present',
	count: 'exact',
	countOff: 0,
	isWrapped: false,
	timestamps: 'millis',
	hasNumericIds: false,
	latencyMs: 0,
};

/** Whether the count grows as the list does. */
export const growsWithList = ({ count }: Traits): boolean =>
	count === 'exact' || count === 'off' || count === 'text';

/** Rows of a full page when so many are asked for. */
export function servedSize({ sizing, size }: Traits, asked: number): number {
	switch (sizing) {
		case 'capped':
			return Math.max(1, Math.min(asked, size));
		case 'fixed':
			return size;
		case 'tens':
			return Math.max(10, Math.floor(asked / 10) * 10);
		case 'some':
			return Math.max(size, ...[3 * size, 5 * size].filter((each) => each <= asked));
		case 'whole':
			return Number.MAX_SAFE_INTEGER;
	}
}
