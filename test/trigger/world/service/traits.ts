import type { TimestampFormat } from '../../../../sandbox/timestamps';

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

/** What the service makes of the page size that is asked for, with its own `size`: `whole` is all on one page. */
export type Sizing = 'capped' | 'fixed' | 'whole';

export type Count =
	| 'exact'
	/** Wrong by `countOff`. */
	| 'off'
	| 'absent'
	| 'null'
	/** The right number, as text. */
	| 'text'
	/** Rows on the page instead of rows in the list. */
	| 'page'
	/** It goes no further than 20. */
	| 'most';

const MOST_COUNTED = 20;

/** What a page past the end looks like: an error with that status, no rows, or those of the last page. */
export type End = 404 | 400 | 416 | 422 | 500 | 'empty' | 'lastAgain';

export type Timestamps = TimestampFormat | 'noZone';

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
	timestamps: 'z-millis',
	hasNumericIds: false,
	latencyMs: 0,
};

/** Whether the count grows as the list does. Where the only page names a next one, it may be the count of that page. */
export const growsWithList = ({ count, sizing, next }: Traits): boolean =>
	(count === 'exact' || count === 'off' || count === 'text') &&
	!(sizing === 'whole' && next === 'always');

export const isByDate = ({ order }: Traits): boolean => /newest|oldest|inserted/i.test(order);

export const isOldestFirst = ({ order }: Traits): boolean => /oldest/i.test(order);

/** What a page says of the list's length. */
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

/** Rows of a full page when so many are asked for. */
export function servedSize({ sizing, size }: Traits, asked: number): number {
	if (sizing === 'whole') return Number.MAX_SAFE_INTEGER;
	return sizing === 'fixed' ? size : Math.max(1, Math.min(asked, size));
}
