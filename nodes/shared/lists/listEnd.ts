import { isServiceStatus } from '../errors/failure';

export interface ListPage<Row = unknown> {
	readonly rows: readonly Row[];
	/** All rows that the filters match; undefined if it is missing or not believed. */
	readonly count?: number | undefined;
	/** True if `next` names a page; undefined if `next` is missing. */
	readonly hasNext: boolean | undefined;
}

/** The usual errors for a page past the end, which count as an empty page. The service's own is not documented. */
export const isNoSuchPage = isServiceStatus(400, 404, 416, 422);

/**
 * True if a page is the last one. The first of these decides: an empty page, a `next` that names a page, a `count` that can be
 * right, a `next` that names none. If none does, another page is read: that costs a request, while stopping could lose rows.
 *
 * @param through rows up to and including this page
 * @param pageSize rows requested: after a full page, a `next` that names none proves nothing
 */
export function isListEnd(
	{ rows, count, hasNext }: ListPage,
	through: number,
	pageSize: number,
): boolean {
	if (rows.length === 0) return true;
	if (hasNext === true) return false;
	// A count of fewer rows than were read is wrong.
	if (count !== undefined && count >= through) return count === through;
	return hasNext === false && rows.length < pageSize;
}
