import type { IDataObject } from 'n8n-workflow';
import type { Page } from './listPage';

/**
 * Empty pages in a row behind which nothing is looked for, whatever `next` and `count` say: a service may promise pages,
 * or count rows, that never come.
 */
export const MAX_EMPTY_PAGES = 5;

/** Rows by id, in the order of the service; a row without an id stands under a symbol of its own. */
export type Rows = ReadonlyMap<unknown, IDataObject>;

/** One reading of the list from page 1 on. */
export interface Pass {
	/** Each row once, and the id of each, both in the order of the service. */
	readonly rows: IDataObject[];
	readonly ids: Set<unknown>;
	/** Every count that the pages named, in the order of the pages. */
	counts: number[];
	/** Whether no count was more than the rows of its page: it may be of the page, and then says nothing of the list. */
	mayCountPages: boolean;
	pages: number;
	/** What there is to tell of page 1. */
	warnings: string[];
	/** Whether a row stood on two pages. */
	hasRepeats: boolean;
	/** Empty pages in a row at the end of those that were read. */
	emptyPages: number;
	/** Whether `next` says that more rows stand behind those that were read. */
	isMorePromised: boolean;
	/** Whether more pages were said to follow, yet brought nothing new. */
	isStuck: boolean;
}

export const emptyPass = (): Pass => ({
	rows: [],
	ids: new Set(),
	counts: [],
	mayCountPages: true,
	pages: 0,
	warnings: [],
	hasRepeats: false,
	emptyPages: 0,
	isMorePromised: false,
	isStuck: false,
});

export function addPage({ rows, ids, count, hasNext }: Page, pass: Pass): void {
	pass.pages += 1;
	pass.emptyPages = rows.length === 0 ? pass.emptyPages + 1 : 0;
	// An empty page that does not say what follows keeps no promise, and takes none back.
	if (rows.length > 0 || hasNext !== undefined) pass.isMorePromised = hasNext === true;
	for (let index = 0; index < rows.length; index++) {
		const row = rows[index];
		const known = pass.ids.size;
		pass.ids.add(ids[index] ?? Symbol('row without id'));
		if (pass.ids.size === known) pass.hasRepeats = true;
		else if (row !== undefined) pass.rows.push(row);
	}
	if (count === undefined) return;
	if (count > rows.length) pass.mayCountPages = false;
	pass.counts.push(count);
}

/** Whether rows may stand behind those of the last page that was read. */
export function mayFollow({ rows, count, hasNext }: Page, pass: Pass): boolean {
	const isCounted = !pass.mayCountPages && pass.rows.length === pass.counts.at(-1);
	if (rows.length === 0) return hasNext === true && !isCounted && pass.emptyPages < MAX_EMPTY_PAGES;
	if (hasNext === false) return false;
	const mayCountPage = count !== undefined && count <= rows.length;
	return hasNext === true || mayCountPage || pass.rows.length !== pass.counts.at(-1);
}

/**
 * Whether a page that brought nothing new is the first one again, promises no other, and counts just the rows that were
 * read: a service that does not know `page` gives a short list so. Rows that arrive meanwhile can look like it, too.
 */
export const isAllAgain = ({ rows, count, hasNext }: Page, pass: Pass): boolean =>
	hasNext === undefined && count === rows.length && count === pass.rows.length;

/**
 * Whether a reading holds the whole list, or the first `wanted` rows of it.
 *
 * The list is complete when the reading holds at least `count` distinct rows and the count never fell meanwhile. A row
 * that comes in only pushes others to later pages, where they are met again; one that leaves pulls a row to a page that
 * is read already, where it is missed. Of the first rows alone, none may have been met twice either: where one was
 * pushed down, another may have been pulled up unseen.
 *
 * @param isAsBefore whether the reading before this one saw the same rows, which is all there is to go by without a count
 */
export function isWhole(pass: Pass, wanted: number, isAsBefore: boolean): boolean {
	const { rows, counts, pages, hasRepeats, isStuck } = pass;
	const last = counts.at(-1);
	if (isStuck && rows.length !== last) return false;
	if (last === undefined) return pages === 1 || (isAsBefore && !hasRepeats);
	return neverShrank(counts) && (rows.length >= last || (rows.length >= wanted && !hasRepeats));
}

/** A list that grows faster than it can be read: what several readings saw together. */
export function hasAllDespiteGrowth({ counts }: Pass, seen: number, wanted: number): boolean {
	const last = counts.at(-1);
	if (last === undefined || last === counts[0]) return false;
	return neverShrank(counts) && seen >= last && wanted >= last;
}

const neverShrank = (counts: readonly number[]): boolean =>
	counts.every((count, index) => count >= (counts[index - 1] ?? 0));

export function sameRows(one: Pass, other: Pass): boolean {
	const ids = [...other.ids];
	return one.ids.size === other.ids.size && [...one.ids].every((id, index) => id === ids[index]);
}

/** In the order of the later reading; what only the earlier ones saw stands behind the row that it stood behind. */
export function merge(earlier: Rows, pass: Pass): Rows {
	const later: Rows = new Map([...pass.ids].map((id, index) => [id, pass.rows[index] ?? {}]));
	const top = Symbol('top of the list');
	const onlyEarlier = new Map<unknown, unknown[]>();
	let above: unknown = top;
	for (const id of earlier.keys()) {
		const group = onlyEarlier.get(above);
		if (later.has(id)) above = id;
		else if (group === undefined) onlyEarlier.set(above, [id]);
		else group.push(id);
	}
	const ids = [top, ...later.keys()].flatMap((id) => [id, ...(onlyEarlier.get(id) ?? [])]);
	return new Map(
		ids.flatMap((id) => {
			const row = later.get(id) ?? earlier.get(id);
			return row === undefined ? [] : [[id, row] as const];
		}),
	);
}
