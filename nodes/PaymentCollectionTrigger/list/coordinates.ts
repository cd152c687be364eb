import type { ListFacts } from '../cursor/cursor';

/**
 * Coordinates number the rows from the list's old end, so that rows that come in at the new end change none. Where
 * the new end is the first page that takes the length of the list. Without a count it is taken to be so long that
 * no index gets there: then a row has another coordinate once others have come in, and is read once more.
 */
const UNCOUNTED_LENGTH = 1e12;

/** Rows of the list, for the purpose of coordinates. */
export function lengthOf({ length, newEnd }: ListFacts): number {
	if (length.kind === 'counted') return length.count;
	return newEnd === 'lastPage' && length.kind === 'uncounted' ? length.seen : UNCOUNTED_LENGTH;
}

/** Coordinate of the row at an index of the list, from 0 in the order of its pages; and the other way round. */
export const coordinateAt = (index: number, list: ListFacts): number =>
	list.newEnd === 'firstPage' ? lengthOf(list) - 1 - index : index;

/** Number of the page that holds a coordinate, from 1. */
export function pageHolding(coordinate: number, list: ListFacts): number {
	return Math.floor(Math.max(0, coordinateAt(coordinate, list)) / list.pageSize) + 1;
}

/** Whether rows may stand beyond what is known of the list. */
export const isOpen = ({ length, newEnd }: ListFacts): boolean =>
	newEnd === 'lastPage' && length.kind === 'uncounted' && length.isOpen;

/** Number of the page that is the `offset`-th from the new end, from 0; undefined when there is none. */
export function pageFromNewEnd(offset: number, list: ListFacts): number | undefined {
	if (list.newEnd === 'firstPage') return offset + 1;
	const known = Math.max(1, Math.ceil(lengthOf(list) / list.pageSize));
	const last = isOpen(list) ? known + 1 : known;
	return last - offset >= 1 ? last - offset : undefined;
}
