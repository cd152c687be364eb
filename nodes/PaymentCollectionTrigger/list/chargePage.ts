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
	/** The answer to the page before held the same rows: it lies behind the end, or rows have moved on by a whole page. */
	readonly isAgain: boolean;
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
