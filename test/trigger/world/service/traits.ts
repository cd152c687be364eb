import type { TimestampFormat } from '../../../../sandbox/timestamps';

/** How the list is sorted. */
export type Order =
	| 'newest'
	| 'oldest'
	/** Sorted by time of insertion, the last one first. */
	| 'inserted'
	| 'insertedOldest'
	| 'changed'
	| 'status'
	| 'amount'
	/** A random order that stays the same. */
	| 'shuffled';

/** How the service combines the requested page size with its own `size`. `whole` returns all on one page. */
export type Sizing = 'capped' | 'fixed' | 'whole';

export type Count =
	| 'exact'
	/** Wrong by `countOff`. */
	| 'off'
	| 'absent'
	| 'null'
	/** The right number, as text. */
	| 'text'
	/** The number of rows on the page instead of in the list. */
	| 'page'
	/** The right number up to 20. */
	| 'most';

const MOST_COUNTED = 20;

/** The response for a page past the end: an error with this status, no rows, or the last page again. */
export type End = 404 | 400 | 416 | 422 | 500 | 'empty' | 'lastAgain';

export type Timestamps = TimestampFormat | 'noZone';

/** How the modeled service lists its charges: all that its documentation leaves open. */
export interface Traits {
	readonly order: Order;
	/** Rows of one timestamp change places between requests. */
	readonly tiesMove: boolean;
	readonly sizing: Sizing;
	readonly size: number;
	readonly end: End;
	/** `always`: a URL even on the last page. `never`: null on all pages. */
	readonly next: 'present' | 'absent' | 'always' | 'never';
	readonly count: Count;
	readonly countOff: number;
	/** Wraps the response in a list of one element. */
	readonly isWrapped: boolean;
	readonly timestamps: Timestamps;
	readonly hasNumericIds: boolean;
	/** Milliseconds until the response. */
	readonly latencyMs: number;
}

/** A service as one would expect it. */
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
	timestamps: 'z-millis',
	hasNumericIds: false,
	latencyMs: 0,
};

/** True if the count grows with the list. If the only page names a next page, the count may be that of the page alone. */
export const growsWithList = ({ count, sizing, next }: Traits): boolean =>
	(count === 'exact' || count === 'off' || count === 'text') &&
	!(sizing === 'whole' && next === 'always');

export const isByDate = ({ order }: Traits): boolean => /newest|oldest|inserted/i.test(order);

export const isOldestFirst = ({ order }: Traits): boolean => /oldest/i.test(order);

/** The count on a page. */
export const shownCount = ({ count, countOff }: Traits, total: number, onPage: number): unknown =>
	({
		exact: total,
		off: Math.max(0, total + countOff),
		absent: undefined,
		null: null,
		text: String(total),
		page: onPage,
		most: Math.min(total, MOST_COUNTED),
	})[count];

/** Rows on a full page for a requested page size. */
export function servedSize({ sizing, size }: Traits, asked: number): number {
	if (sizing === 'whole') return Number.MAX_SAFE_INTEGER;
	return sizing === 'fixed' ? size : Math.max(1, Math.min(asked, size));
}
