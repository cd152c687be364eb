import type { IDataObject } from 'n8n-workflow';
import type { ReportedError } from '../errors/reportedError';
import { MAX_CONCURRENCY } from '../service/requestLimiter';
import type { Transport } from '../service/transport';
import { isListEnd, type ListPage } from './listEnd';
import { readPage, type ListQuery } from './listPage';

/** n8n crashes on more than about 125,000 items from one node, after everything was fetched. */
export const MAX_ROWS = 100_000;
const MAX_READINGS = 3;

interface ReadOptions {
	/** Infinity for all rows. */
	readonly limit: number;
	/** True for a row to return. Only the ID of others stays in memory, so that a list of any length can be read. */
	readonly isKept?: ((row: IDataObject) => boolean) | undefined;
	/** The error when all rows are wanted and more are to be kept than n8n can handle. */
	readonly tooMany: (rows: number) => ReportedError;
}

/**
 * Reads page 1, then the others by number, several at a time, in the order of the service and each row once. The size of page
 * 1 is the page size, whatever was requested.
 *
 * Rows that come and go meanwhile shift the others across page borders. A reading is complete by the `count` of its pages or,
 * without one, if a second reading finds the same. If not, the list is read again.
 *
 * @returns warnings if the list might be incomplete @throws {ReportedError} if n8n can't handle so many rows
 */
export async function readRows(
	transport: Transport,
	query: ListQuery,
	options: ReadOptions,
): Promise<{ rows: IDataObject[]; warnings: string[] }> {
	const { limit, isKept } = options;
	const seen: Reading['rows'] = new Map();
	let previous: Reading | undefined;
	for (let number = 1; number <= MAX_READINGS; number++) {
		const reading = await readOnce(transport, query, options);
		const kept = keptIn(reading.rows).slice(0, limit);
		const isAsBefore = previous !== undefined && haveSameKept(previous, reading);
		const counts = new Set([previous ?? reading, reading].flatMap(countsOf));
		// If two readings keep the same rows, and this one has as many as the lower count, only rows that are not kept came or went.
		const hasEnough = !reading.isCutShort && reading.rows.size >= Math.min(...counts);
		const isKeptWhole = isKept !== undefined && isAsBefore && counts.size > 1 && hasEnough;
		if (isKeptWhole || isWhole(reading, limit, isAsBefore)) return { rows: kept, warnings: [] };
		for (const [id, row] of reading.rows) seen.set(id, row);
		previous = reading;
		if (isAsBefore) break;
	}
	return {
		rows: keptIn(seen).slice(0, limit),
		warnings: [incomplete(seen.size, previous && countsOf(previous).at(-1))],
	};
}

/** A page in which rows that are not kept are undefined. */
interface ThinnedPage extends ListPage<IDataObject | undefined> {
	/** The ID of each row, or a symbol if it has none. */
	readonly keys: readonly unknown[];
}

function thinned({ rows, ...facts }: ListPage<IDataObject>, isKept?: ReadOptions['isKept']) {
	const keys = rows.map(({ id }) => id ?? Symbol('row without id'));
	const kept = isKept ? rows.map((row) => (isKept(row) ? row : undefined)) : rows;
	return { ...facts, keys, rows: kept };
}

const keptIn = (rows: Reading['rows']): IDataObject[] =>
	[...rows.values()].filter((row) => row !== undefined);

interface Reading {
	readonly pages: ThinnedPage[];
	/** Each row once, in the order of the service, by its key; undefined for one that is not kept. */
	readonly rows: Map<unknown, IDataObject | undefined>;
	/** Rows of all pages; more than `rows` has if a row was on two pages. */
	rowsRead: number;
	/** True if rows seem lost: pages that `next` announced brought nothing new, or rows followed an empty page. */
	isCutShort: boolean;
}

async function readOnce(
	transport: Transport,
	query: ListQuery,
	{ limit, isKept, tooMany }: ReadOptions,
): Promise<Reading> {
	const refuseTooMany = (rows: number): void => {
		if (limit === Infinity && rows > MAX_ROWS) throw tooMany(rows);
	};
	const kept = new Set<unknown>();
	const read = async (number: number, meansEnd = query.meansEnd): Promise<ThinnedPage> => {
		const page = thinned(await readPage(transport, { ...query, meansEnd }, number), isKept);
		if (isKept) page.keys.forEach((key, index) => page.rows[index] && kept.add(key));
		refuseTooMany(kept.size);
		return page;
	};
	const first = await read(1);
	const size = first.rows.length;
	if (size > 0 && isKept === undefined) refuseTooMany(first.count ?? 0);
	const expected = Math.min(first.count ?? size, limit);
	const pagesByCount = size === 0 ? 1 : Math.max(1, Math.ceil(expected / size));
	const reading: Reading = { pages: [], rows: new Map(), rowsRead: 0, isCutShort: false };
	addPage(first, reading);
	for (const page of await readOthers(read, pagesByCount, first)) addPage(page, reading);

	// Without a count, or with one that is too low, only the pages show where the list ends.
	let last = reading.pages.at(-1) ?? first;
	while (reading.rows.size < limit && mayFollow(last, reading, query)) {
		// After a page whose `next` names none, any error counts as the end.
		const meansEnd = last.hasNext === false ? () => true : query.meansEnd;
		const page = await read(reading.pages.length + 1, meansEnd);
		if (isKnown(page, reading)) {
			reading.pages.push(page);
			// The service repeats pages. Only a short first page that counts its own rows, without any `next`, is the whole list.
			const isOnlyPage = size < query.pageSize && page.count === size && page.hasNext === undefined;
			reading.isCutShort ||= !isOnlyPage && last.hasNext !== false;
			break;
		}
		addPage(page, reading);
		if (isKept === undefined) refuseTooMany(reading.rows.size);
		last = page;
	}
	return reading;
}

/**
 * Reads pages 2 to `pages`; fewer if the list ends earlier, or the service repeats a page. They are merged at the end:
 * a table of rows that grows while pages arrive takes three times as long to fill.
 */
async function readOthers(
	read: (page: number) => Promise<ThinnedPage>,
	pages: number,
	first: ThinnedPage,
): Promise<ThinnedPage[]> {
	const arrived: ThinnedPage[] = [];
	const firstKeys = new Set([first.keys[0]]);
	let next = 2;
	// The other workers finish their current page.
	const stopAll = (): void => {
		next = Infinity;
	};
	const worker = async (): Promise<void> => {
		while (next <= pages) {
			const number = next++;
			const page = await read(number).catch((error: unknown) => {
				stopAll();
				throw error;
			});
			arrived[number - 2] = page;
			// A service that ignores `page` always returns the first, and past the end a page may be repeated forever.
			if (page.rows.length === 0 || firstKeys.has(page.keys[0])) stopAll();
			firstKeys.add(page.keys[0]);
		}
	};
	const workers = Math.max(0, Math.min(MAX_CONCURRENCY, pages - 1));
	await Promise.all(Array.from({ length: workers }, worker));
	return arrived;
}

function addPage(page: ThinnedPage, reading: Reading): void {
	const before = reading.pages.at(-1);
	const isEmpty = page.rows.length === 0;
	const isAnnounced = (page.hasNext ?? before?.hasNext) === true;
	reading.isCutShort ||= isEmpty ? isAnnounced : before?.rows.length === 0;
	reading.pages.push(page);
	reading.rowsRead += page.rows.length;
	for (const [index, key] of page.keys.entries())
		if (!reading.rows.has(key)) reading.rows.set(key, page.rows[index]);
}

const isKnown = (page: ThinnedPage, reading: Reading): boolean =>
	page.rows.length > 0 && page.keys.every((key) => reading.rows.has(key));

function mayFollow(page: ThinnedPage, { rowsRead }: Reading, { pageSize }: ListQuery): boolean {
	// A count that is not above the page's own rows may count only those.
	const count = (page.count ?? 0) > page.rows.length ? page.count : undefined;
	return !isListEnd({ ...page, count }, rowsRead, pageSize);
}

/** The counts to believe. If none is above its page's own rows, they may count only those, and are believed only of a single page. */
function countsOf({ pages, rows: found, isCutShort }: Reading): number[] {
	const [first, ...others] = pages;
	if (pages.some(({ rows, count }) => rows.length > 0 && count === undefined)) return [];
	// The first page has all rows, and its `next` says that it is the last.
	const isAll = first?.hasNext === false && first.rows.length === found.size;
	const mayBeOfPages = pages.every(({ rows, count = 0 }) => count <= rows.length);
	const isOnly = others.length === 0 && !isCutShort;
	const counted = !mayBeOfPages ? pages : isAll || isOnly ? [first] : [];
	return counted.flatMap((page) => page?.count ?? []);
}

/**
 * True if a reading has the whole list: at least `count` distinct rows, while the count never fell. An added row moves others
 * to later pages, which are still to be read. A removed row moves one to a page that was read: with pages `a b` and `c d`, if
 * `a` is removed after page 1, page 2 is `d`, and `c` is missed. The first `limit` rows are whole if none was read twice.
 *
 * @param isAsBefore whether the previous reading kept the same rows: without a count, the evidence for several pages
 */
function isWhole(reading: Reading, limit: number, isAsBefore: boolean): boolean {
	const { rows, pages, rowsRead, isCutShort } = reading;
	const hasRepeats = rowsRead > rows.size;
	const counts = countsOf(reading);
	const count = counts.at(-1);
	if (isCutShort && rows.size !== count) return false;
	if (count === undefined) return pages.length === 1 || (isAsBefore && !hasRepeats);
	const hasShrunk = counts.some((one, index) => one < (counts[index - 1] ?? 0));
	return !hasShrunk && (rows.size >= count || (rows.size >= limit && !hasRepeats));
}

function haveSameKept(one: Reading, other: Reading): boolean {
	const others = keptIn(other.rows);
	const isSame = ({ id }: IDataObject, index: number): boolean =>
		(id ?? undefined) !== undefined && id === others[index]?.['id'];
	return keptIn(one.rows).length === others.length && keptIn(one.rows).every(isSame);
}

function incomplete(rows: number, count: number | undefined): string {
	const facts =
		count === undefined
			? `${rows} different rows were read, and no count shows whether these are all`
			: `the service counts ${count} rows, but ${rows} different ones were read`;
	return `The list might be incomplete: ${facts}. It might have changed while it was read, or the service’s count or paging is unreliable. Run again to compare.`;
}
