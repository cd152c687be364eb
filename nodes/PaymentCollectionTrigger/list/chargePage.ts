import type { ListFacts } from '../cursor/cursor';
import { keyOf } from '../cursor/keySet';
import type { RawPage } from './chargePages';
import { keyOfUnreadable } from './chargeRow';
import type { ChargeRow, Rows } from './chargeRow';
import { coordinateAt, lengthOf } from './coordinates';

/** A place of the list and what stands there: undefined for a row that can't be read. */
export interface Slot {
	readonly coordinate: number;
	readonly row: ChargeRow | undefined;
	/** Of a row that can't be read but has an id. */
	readonly unreadableKey?: string | undefined;
}

/** One page as it was in one moment. */
export interface ChargePage {
	readonly number: number;
	/** The lowest coordinate first. */
	readonly slots: readonly Slot[];
	/** Those of its rows that can be read, in the same order. */
	readonly rows: readonly ChargeRow[];
	/** Whether no page follows: the answer says so, or has no rows; its count makes it so; or neither. */
	readonly end: 'said' | 'byCount' | 'open';
	/** A hash of its rows, the same for pages that hold the same rows. */
	readonly content: string;
	/** It has no rows, since the answer gave those of another page again, in a list without a count. */
	readonly isAgain: boolean;
	/** Whether the answer says that a page follows; undefined where it does not say, or is known to be wrong. */
	readonly saysNext: boolean | undefined;
}

/**
 * The page that an answer shows.
 *
 * @param rows those of the answer, or none if they are another page's
 * @param content what {@link contentOf} gives for them
 */
export function pageOf(
	number: number,
	rows: Rows,
	content: string,
	{ records, count, hasNext }: RawPage,
	list: ListFacts,
): ChargePage {
	const first = (number - 1) * list.pageSize;
	const slots = rows.map((row, index): Slot => {
		const coordinate = coordinateAt(first + index, list);
		const unreadableKey = row === undefined ? keyOfUnreadable(records[index]) : undefined;
		return { coordinate, row, unreadableKey };
	});
	if (list.newEnd === 'firstPage') slots.reverse();
	// A count that this answer does not have may be an old one.
	const isCounted = list.length.kind === 'counted' && count !== undefined;
	const isByCount = isCounted ? first + rows.length >= lengthOf(list) : undefined;
	const isBelieved = list.next === 'right' || (list.next === 'unproven' && isByCount === true);
	const isSaid = rows.length === 0 || (isBelieved && hasNext === false && isByCount !== false);
	const endByCount = isByCount === true ? 'byCount' : 'open';
	return {
		number,
		slots,
		rows: slots.flatMap(({ row }) => row ?? []),
		end: isSaid ? 'said' : endByCount,
		content: keyOf(content),
		isAgain: list.length.kind === 'uncounted' && rows.length < records.length,
		saysNext: list.next === 'wrong' ? undefined : hasNext,
	};
}

/** The same for pages that hold the same rows, in whatever order. */
export const contentOf = (rows: Rows, records: readonly unknown[]): string =>
	rows
		.map((row, index) => row?.key ?? keyOf('unreadable', textOf(records[index])))
		.sort()
		.join();

function textOf(record: unknown): string {
	try {
		return JSON.stringify(record);
	} catch {
		return 'nested too deep';
	}
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
