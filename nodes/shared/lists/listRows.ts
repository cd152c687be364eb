import type { IDataObject } from 'n8n-workflow';
import { ServiceFailure, type ReportedError } from '../errors/reportedError';
import { MAX_CONCURRENCY } from '../service/requestLimiter';
import type { Transport } from '../service/transport';
import { PAST_THE_END, readPage, type ListQuery, type Page } from './listPage';

/** n8n dies on more than about 125,000 items from one input item, after everything was fetched. */
export const MAX_ROWS = 100_000;
/** How often a list that changes while it is read is read from the start. */
const MAX_READINGS = 3;

interface ReadOptions {
	/** Infinity for all rows. */
	readonly limit: number;
	readonly pageSize: number;
	/** Which rows to keep, if not all: of any other, only the ID is held, so that a list of any length can be read. */
	readonly isKept?: ((row: IDataObject) => boolean) | undefined;
	/** The error when all rows are wanted and there are more to keep than n8n can hold. */
	readonly tooMany: (rows: number) => ReportedError;
}

/**
 * Reads rows over as many pages as it takes: page 1 first, then the others by number, several at a time, in
 * the order of the service and each row once. The size of page 1 is the page size, whatever was asked for.
 *
 * Rows may come and go while pages are read, which shifts the others across page borders. Whether a reading is
 * whole shows in the `count` of its pages, or, where there is none, in a second reading that gives the same; if
 * it is not, the list is read again.
 *
 * @returns with what the user is to read where the list could not be made whole
 * @throws {ReportedError} when all are wanted and there are more than n8n can hold
 */
export async function readRows(
	transport: Transport,
	query: ListQuery,
	options: ReadOptions,
): Promise<{ rows: IDataObject[]; warnings: string[] }> {
	const read = async (page: number): Promise<Page> =>
		await readPage(transport, query, page, options.pageSize);
	const { limit, isKept } = options;
	const seen: Reading['rows'] = new Map();
	let previous: Reading | undefined;
	for (let number = 1; number <= MAX_READINGS; number++) {
		const reading = await readOnce(read, options);
		const kept = keptIn(reading.rows).slice(0, limit);
		const isAsBefore = previous !== undefined && haveSameKept(previous, reading);
		const counts = new Set([previous ?? reading, reading].flatMap(countsOf));
		// While a long list is read, rows come in that are not to be kept, and its count changes.
		const isLong = !reading.isCutShort && reading.rows.size >= Math.min(...counts);
		const isKeptWhole = isKept !== undefined && isAsBefore && counts.size > 1 && isLong;
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

/** A page as it is held until the list is whole. */
interface HeldPage extends Omit<Page, 'rows'> {
	/** By what each row is known: its id, or a symbol where it has none. */
	readonly keys: readonly unknown[];
	/** Undefined for a row that is not kept. */
	readonly rows: ReadonlyArray<IDataObject | undefined>;
}

function held({ rows, ...facts }: Page, isKept?: ReadOptions['isKept']): HeldPage {
	const keys = rows.map(({ id }) => id ?? Symbol('row without id'));
	const kept = isKept ? rows.map((row) => (isKept(row) ? row : undefined)) : rows;
	return { ...facts, keys, rows: kept };
}

const keptIn = (rows: Reading['rows']): IDataObject[] =>
	[...rows.values()].filter((row) => row !== undefined);

interface Reading {
	readonly pages: HeldPage[];
	/** Each row once, in the order of the service, by its key; undefined for one that is not kept. */
	readonly rows: Map<unknown, IDataObject | undefined>;
	/** Whether a row stood on two pages. */
	hasRepeats: boolean;
	/** Whether more pages were said to follow, yet brought nothing new. */
	isCutShort: boolean;
}

async function readOnce(
	readWhole: (page: number) => Promise<Page>,
	{ limit, pageSize, isKept, tooMany }: ReadOptions,
): Promise<Reading> {
	const refuseTooMany = (rows: number): void => {
		if (limit === Infinity && rows > MAX_ROWS) throw tooMany(rows);
	};
	const kept = new Set<unknown>();
	const read = async (number: number): Promise<HeldPage> => {
		const page = held(await readWhole(number), isKept);
		if (isKept) page.keys.forEach((key, index) => page.rows[index] && kept.add(key));
		refuseTooMany(kept.size);
		return page;
	};
	const first = await read(1);
	const size = first.rows.length;
	if (size > 0 && isKept === undefined) refuseTooMany(first.count ?? 0);
	const expected = Math.min(first.count ?? size, limit);
	const pagesByCount = size === 0 ? 1 : Math.max(1, Math.ceil(expected / size));
	const reading: Reading = { pages: [], rows: new Map(), hasRepeats: false, isCutShort: false };
	addPage(first, reading);
	for (const page of await readOthers(read, pagesByCount, first)) addPage(page, reading);

	// Without a count, or with one that is too low, the pages themselves show where the list ends.
	let last = reading.pages.at(-1) ?? first;
	while (reading.rows.size < limit && mayFollow(last, reading, pageSize)) {
		const { hasNext: isSaid } = last;
		const page = await read(reading.pages.length + 1).catch((error: unknown) => {
			// The service has said itself that nothing is there.
			if (isSaid === false && error instanceof ServiceFailure) return held(PAST_THE_END);
			throw error;
		});
		if (isKnown(page, reading)) {
			reading.pages.push(page);
			// The service does not know `page`. Only a short page that counts just its rows, without a `next`, is all there is.
			const isAll = size < pageSize && page.count === size && page.hasNext === undefined;
			reading.isCutShort ||= !isAll && last.hasNext !== false;
			break;
		}
		addPage(page, reading);
		if (page.rows.length === 0) {
			reading.isCutShort ||= (page.hasNext ?? last.hasNext) === true;
			break;
		}
		if (isKept === undefined) refuseTooMany(reading.rows.size);
		last = page;
	}
	return reading;
}

/**
 * Reads pages 2 to `pages`; fewer when the list ends before, or the service gives a page again.
 *
 * @returns them in the order of the service. They are put together at the end: a table of rows that grows while pages
 *   come takes three times as long to fill
 */
async function readOthers(
	read: (page: number) => Promise<HeldPage>,
	pages: number,
	first: HeldPage,
): Promise<HeldPage[]> {
	const arrived: HeldPage[] = [];
	const firstKeys = new Set([first.keys[0]]);
	let next = 2;
	// The other workers finish what they are at and stop.
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
			// All pages of a service that does not know `page` are the first, and past the end one may come again and again.
			if (page.rows.length === 0 || firstKeys.has(page.keys[0])) stopAll();
			firstKeys.add(page.keys[0]);
		}
	};
	const workers = Math.max(0, Math.min(MAX_CONCURRENCY, pages - 1));
	await Promise.all(Array.from({ length: workers }, worker));
	return arrived;
}

function addPage(page: HeldPage, reading: Reading): void {
	const before = reading.pages.at(-1);
	// The empty page has lost rows.
	if (before?.rows.length === 0 && page.rows.length > 0) reading.isCutShort = true;
	reading.pages.push(page);
	for (const [index, key] of page.keys.entries()) {
		if (reading.rows.has(key)) reading.hasRepeats = true;
		else reading.rows.set(key, page.rows[index]);
	}
}

const isKnown = (page: HeldPage, reading: Reading): boolean =>
	page.rows.length > 0 && page.keys.every((key) => reading.rows.has(key));

/** Whether rows may stand after those of the last page that was read. Its count may be of the page alone. */
function mayFollow(
	{ rows, count = 0, hasNext }: HeldPage,
	reading: Reading,
	pageSize: number,
): boolean {
	const isOfPage = count <= rows.length;
	if (hasNext === undefined) return rows.length > 0 && (isOfPage || count !== reading.rows.size);
	// A service that never names a page says so at the end of a full page, too.
	return hasNext || (isOfPage && rows.length >= pageSize);
}

/** What the pages say of the length of the list: nothing, where one says none, or each may have counted its own rows. */
function countsOf({ pages, rows: found }: Reading): number[] {
	const [first, ...others] = pages;
	if (pages.some(({ rows, count }) => rows.length > 0 && count === undefined)) return [];
	// Count and `next` of the only page with rows say the same: that it is all.
	const isAll = first?.hasNext === false && first.rows.length === found.size;
	const mayBeOfPages = pages.every(({ rows, count = 0 }) => count <= rows.length);
	const counted = !mayBeOfPages ? pages : isAll || others.length === 0 ? [first] : [];
	return counted.flatMap((page) => page?.count ?? []);
}

/**
 * Whether a reading holds the whole list, or the first `limit` rows of it.
 *
 * The list is complete when the reading holds at least `count` distinct rows and the count never fell meanwhile. A row
 * that comes in only pushes others to later pages, where they are met again; one that leaves pulls a row to a page that
 * is read already, where it is missed. Of the first rows alone, none may have been met twice either: where one was
 * pushed down, another may have been pulled up unseen.
 *
 * @param isAsBefore whether the reading before this one saw the same rows, which is all there is to go by without a count
 */
function isWhole(reading: Reading, limit: number, isAsBefore: boolean): boolean {
	const { rows, pages, hasRepeats, isCutShort } = reading;
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
