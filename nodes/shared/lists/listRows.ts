import type { IDataObject } from 'n8n-workflow';
import { ReportedError } from '../errors/failures';
import { MAX_CONCURRENCY } from '../service/requestLimiter';
import type { Transport } from '../service/transport';
import { readPage, type ListQuery, type Page } from './listPage';

/** n8n dies on more than about 125,000 items from one input item, after everything was fetched. */
export const MAX_ROWS = 100_000;
/** How often a list that changes while it is read is read from the start. */
const MAX_READINGS = 3;

/** What is wanted of a list. */
interface Wanted {
	/** Rows at most; undefined for all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** The error when all rows are wanted and there are more than n8n can hold. */
	readonly tooMany?: (rows: number) => ReportedError;
}

export interface ListResult {
	readonly rows: IDataObject[];
	/** What to tell the user: that the list could not be made whole. */
	readonly warnings: readonly string[];
}

/**
 * Reads rows over as many pages as it takes: page 1 first, then the others by number, several at a time, in
 * the order of the service and each row once. The size of page 1 is the page size, whatever was asked for.
 *
 * Rows may come and go while pages are read, which shifts the others across page borders. Whether a reading is
 * whole shows in the `count` of its pages, or, where there is none, in a second reading that gives the same; if
 * it is not, the list is read again.
 *
 * @throws {ReportedError} when all are wanted and there are more than n8n can hold
 */
export async function readRows(
	transport: Transport,
	query: ListQuery,
	{ limit = Infinity, pageSize, tooMany = moreThanANodeTakes }: Wanted,
): Promise<ListResult> {
	const read: ReadPage = async (page) => await readPage(transport, query, page, pageSize);
	const seen = new Map<unknown, IDataObject>();
	let previous: Reading | undefined;
	for (let number = 1; number <= MAX_READINGS; number++) {
		const reading = await readOnce(read, { limit, pageSize, tooMany });
		const isAsBefore = previous !== undefined && haveSameRows(previous, reading);
		if (isWhole(reading, limit, isAsBefore)) {
			return { rows: reading.rows.slice(0, limit), warnings: [] };
		}
		let index = 0;
		for (const id of reading.ids) seen.set(id, reading.rows[index++] ?? {});
		previous = reading;
		if (isAsBefore) break;
	}
	return {
		rows: [...seen.values()].slice(0, limit),
		warnings: [incomplete(seen.size, previous?.counts.at(-1))],
	};
}

type ReadPage = (page: number) => Promise<Page>;

/** One reading of the list from page 1 on. */
interface Reading {
	/** Each row once, in the order of the service. */
	readonly rows: IDataObject[];
	/** The id of each; of a row without one, a symbol. */
	readonly ids: Set<unknown>;
	/** What the pages said of the length of the list, in their order. */
	counts: number[];
	/** Whether no count was more than the rows of its page: it may be of the page, and then says nothing of the list. */
	mayCountPages: boolean;
	/** Pages that were read, an empty one at the end too. */
	pages: number;
	/** Whether a row stood on two pages. */
	hasRepeats: boolean;
	/** Whether more pages were said to follow, yet brought nothing new. */
	isCutShort: boolean;
}

async function readOnce(
	read: ReadPage,
	{ limit, pageSize, tooMany }: Required<Wanted> & { readonly limit: number },
): Promise<Reading> {
	const refuseTooMany = (rows: number): void => {
		if (limit === Infinity && rows > MAX_ROWS) throw tooMany(rows);
	};
	const first = await read(1);
	const size = first.rows.length;
	if (size > 0) refuseTooMany(first.count ?? 0);
	const expected = Math.min(first.count ?? size, limit);
	const pagesByCount = size === 0 ? 1 : Math.max(1, Math.ceil(expected / size));
	const pages = [first, ...(await readOthers(read, pagesByCount, first))];
	const reading = emptyReading();
	for (const page of pages) addPage(page, reading);

	// Without a count, or with one that is too low, the pages themselves tell where the list ends.
	let last = pages.at(-1) ?? first;
	let number = pagesByCount;
	while (reading.rows.length < limit && mayFollow(last, reading)) {
		const page = await read(++number);
		if (isKnown(page, reading)) {
			reading.pages += 1;
			// The service does not know `page`. Only a short page that counts just its rows, without a `next`, is all there is.
			const isAll = size < pageSize && page.count === size && page.hasNext === undefined;
			reading.isCutShort = !isAll;
			break;
		}
		addPage(page, reading);
		if (page.rows.length === 0) {
			reading.isCutShort = (page.hasNext ?? last.hasNext) === true;
			break;
		}
		refuseTooMany(reading.rows.length);
		last = page;
	}
	if (reading.mayCountPages && reading.pages > 1) reading.counts = [];
	return reading;
}

/**
 * Reads pages 2 to `pages`; fewer when the list ends before, or the service gives page 1 again and again.
 *
 * @returns them in the order of the service. They are put together at the end: a table of rows that grows while pages
 *   come takes three times as long to fill
 */
async function readOthers(read: ReadPage, pages: number, first: Page): Promise<Page[]> {
	const arrived: Page[] = [];
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
			// A thousand pages of a service that does not know `page` would be a thousand times the first.
			const isFirstAgain = page.ids[0] === first.ids[0] && first.ids[0] != null;
			if (page.rows.length === 0 || isFirstAgain) stopAll();
		}
	};
	const workers = Math.max(0, Math.min(MAX_CONCURRENCY, pages - 1));
	await Promise.all(Array.from({ length: workers }, worker));
	return arrived;
}

const emptyReading = (): Reading => ({
	rows: [],
	ids: new Set(),
	counts: [],
	mayCountPages: true,
	pages: 0,
	hasRepeats: false,
	isCutShort: false,
});

function addPage({ rows, ids, count }: Page, reading: Reading): void {
	reading.pages += 1;
	for (let index = 0; index < rows.length; index++) {
		const row = rows[index];
		const known = reading.ids.size;
		reading.ids.add(ids[index] ?? Symbol('row without id'));
		if (reading.ids.size === known) reading.hasRepeats = true;
		else if (row !== undefined) reading.rows.push(row);
	}
	if (count === undefined) return;
	if (count > rows.length) reading.mayCountPages = false;
	reading.counts.push(count);
}

const isKnown = ({ ids }: Page, reading: Reading): boolean =>
	ids.length > 0 && ids.every((id) => reading.ids.has(id));

/** Whether rows may stand behind those of the last page that was read. */
function mayFollow({ rows, count, hasNext }: Page, reading: Reading): boolean {
	if (hasNext !== undefined || rows.length === 0) return hasNext === true;
	const mayCountPage = count !== undefined && count <= rows.length;
	return mayCountPage || reading.rows.length !== reading.counts.at(-1);
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
	const { rows, counts, pages, hasRepeats, isCutShort } = reading;
	const count = counts.at(-1);
	if (isCutShort && rows.length !== count) return false;
	if (count === undefined) return pages === 1 || (isAsBefore && !hasRepeats);
	const hasShrunk = counts.some((one, index) => one < (counts[index - 1] ?? 0));
	return !hasShrunk && (rows.length >= count || (rows.length >= limit && !hasRepeats));
}

function haveSameRows({ ids: one }: Reading, { ids: other }: Reading): boolean {
	const others = [...other];
	return one.size === other.size && [...one].every((id, index) => id === others[index]);
}

function incomplete(rows: number, count: number | undefined): string {
	const facts =
		count === undefined
			? `${rows} different rows could be read, and no count shows whether these are all`
			: `the service counts ${count} rows, and ${rows} different ones could be read`;
	return `The list may not be complete: ${facts}. It changed while it was read, or the service counts or pages in another way. Run again to compare.`;
}

const moreThanANodeTakes = (rows: number): ReportedError =>
	new ReportedError(
		`There are ${rows} rows: more than the ${MAX_ROWS} that n8n can take from one node at once`,
		'Narrow the list with filters, or read it page by page: Options → Page, in a loop, as the example workflow “Export contacts in batches” does.',
	);
