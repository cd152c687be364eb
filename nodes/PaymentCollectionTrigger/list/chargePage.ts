import type { ListFacts } from '../cursor/cursor';
import type { ChargeRow } from './chargeRow';

/** A place of the list and what stands there: undefined for a row that can't be read. */
export interface Slot {
	readonly coordinate: number;
	readonly row: ChargeRow | undefined;
	/** Of a row that can't be read but has an id. */
	readonly unreadableKey?: string;
}

/** One page as it was in one moment. */
export interface ChargePage {
	readonly number: number;
	/** The lowest coordinate first. */
	readonly slots: readonly Slot[];
	/** Whether no page follows: the answer says so, or has no rows; its count makes it so; or neither. */
	readonly end: 'said' | 'byCount' | 'open';
	/** A hash of its rows, the same for pages that hold the same rows. */
	readonly content: string;
	/** It has no rows, since the answer gave those of another page again, in a list without a count. */
	readonly isAgain: boolean;
	/** Whether the answer says that a page follows; undefined where it does not say, or is known to be wrong. */
	readonly saysNext: boolean | undefined;
}

/** @param isByCount whether the page reaches the end that the count tells, if there is one */
export function endOf(
	rows: number,
	hasNext: boolean | undefined,
	isByCount: boolean | undefined,
): ChargePage['end'] {
	if (rows === 0 || (hasNext === false && isByCount !== false)) return 'said';
	return isByCount === true ? 'byCount' : 'open';
}

/** Whether no page follows, as far as the page itself tells: that it says so is proven by one that once said otherwise. */
export function isLast(
	{ slots, end, saysNext }: ChargePage,
	{ next, pageSize }: ListFacts,
): boolean {
	if (end !== 'open') return true;
	return saysNext !== true && (slots.length < pageSize || (saysNext === false && next === 'right'));
}

/** How much speaks for it that no page follows, where the one behind it fails: two are enough. */
export function signsOfEnd(page: ChargePage, list: ListFacts): number {
	const { number, slots, end, saysNext } = page;
	const { length, next, pageSize } = list;
	if (end !== 'open') return 2;
	if (saysNext === true) return 0;
	if (length.kind !== 'counted') return isLast(page, list) ? 2 : 1;
	const isShort = slots.length < pageSize;
	// By the count the two pages that fail may be the last ones, or one of them, and the other behind the end in any case.
	const isBelieved = next === 'right' || (number + 2) * pageSize < length.count;
	return isShort || (saysNext === false && isBelieved) ? 1 : 0;
}
