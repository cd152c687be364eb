import type { IDataObject } from 'n8n-workflow';
import { MAX_CONCURRENCY } from '../service/requestLimiter';
import { ReportedError } from '../errors/failures';
import { isSamePage, readPage, warningsOfFirst, type ListQuery, type Page } from './listPage';
import {
	MAX_EMPTY_PAGES,
	addPage,
	emptyPass,
	hasAllDespiteGrowth,
	isAllAgain,
	isWhole,
	mayFollow,
	merge,
	sameRows,
	type Pass,
	type Rows,
} from './listPass';
import type { Transport } from '../service/transport';

/** n8n dies on more than about 125,000 items from one input item, after everything was fetched. */
export const MAX_ROWS = 100_000;
/** How often a list that changes while it is read is read again from the start. */
const MAX_PASSES = 3;

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
	/** What to tell the user, such as that the list could not be made whole. */
	readonly warnings: readonly string[];
}

/**
 * Reads rows over as many pages as it takes: page 1 first, then the others by number, several at a time, in
 * the order of the service and each row once. The size of page 1 is the page size, whatever was asked for.
 *
 * The document does not show what `count` counts. One that is no more than the rows of its page may be of the page
 * alone: then only `next`, or a page that brings nothing new, says where the list ends.
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
	{ limit, pageSize, tooMany = moreThanANodeTakes }: Wanted,
): Promise<ListResult> {
	const wanted = limit ?? Number.POSITIVE_INFINITY;
	let seen: Rows = new Map();
	let previous: Pass | undefined;
	let warnings: readonly string[] = [];
	for (let attempt = 1; attempt <= MAX_PASSES; attempt++) {
		const pass = await readOnce(transport, query, { wanted, pageSize, tooMany });
		warnings = pass.warnings;
		const isAsBefore = previous !== undefined && sameRows(previous, pass);
		if (isWhole(pass, wanted, isAsBefore)) return { rows: pass.rows.slice(0, wanted), warnings };
		seen = merge(seen, pass);
		if (hasAllDespiteGrowth(pass, seen.size, wanted)) return { rows: [...seen.values()], warnings };
		previous = pass;
		if (isAsBefore) break;
	}
	const count = previous?.counts.at(-1);
	const facts =
		count === undefined
			? `${seen.size} different rows could be read, and no count shows whether these are all`
			: `the service counts ${count} rows, and ${seen.size} different ones could be read`;
	return {
		rows: [...seen.values()].slice(0, wanted),
		warnings: [
			...warnings,
			`The list may not be complete: ${facts}. It changed while it was read, or the service counts or pages in another way. Run again to compare.`,
		],
	};
}

async function readOnce(
	transport: Transport,
	query: ListQuery,
	{ wanted, pageSize, tooMany }: { wanted: number } & Required<Omit<Wanted, 'limit'>>,
): Promise<Pass> {
	const read = async (page: number): Promise<Page> =>
		await readPage(transport, query, page, pageSize);
	const pass = emptyPass();
	const first = await read(1);
	addPage(first, pass);
	pass.warnings = warningsOfFirst(first);
	const size = first.rows.length;
	const canBeTooMany = wanted === Number.POSITIVE_INFINITY;
	if (canBeTooMany && (await hasTooMany(first, read))) throw tooMany(first.count ?? 0);

	const expected = Math.min(first.count ?? size, wanted);
	const pages = size === 0 ? 1 : Math.max(1, Math.ceil(expected / size));
	let last = first;
	for (const page of await readPages(read, pages, first)) {
		addPage(page, pass);
		last = page;
	}
	// Without a count, or with one that is too low, the pages themselves tell where the list ends.
	for (let number = pages + 1; pass.rows.length < wanted && mayFollow(last, pass); number++) {
		const before = pass.rows.length;
		last = await read(number);
		addPage(last, pass);
		// A service that does not know `page` would send the same rows for ever.
		if (last.rows.length > 0 && pass.rows.length === before) {
			if (size < pageSize && isAllAgain(last, pass)) pass.hasRepeats = false;
			else pass.isStuck = mayFollow(last, pass);
			break;
		}
		if (canBeTooMany && pass.rows.length > MAX_ROWS) throw tooMany(pass.rows.length);
	}
	if (last.rows.length === 0 && pass.isMorePromised) pass.isStuck = true;
	if (pass.mayCountPages && pass.pages > 1) pass.counts = [];
	return pass;
}

/**
 * Whether there are more rows than n8n can take. `count` may be of more than the filters match, so the page that would
 * hold the first row beyond is looked at; where it can't be had, the count is believed.
 */
async function hasTooMany(
	{ rows, count = 0 }: Page,
	read: (page: number) => Promise<Page>,
): Promise<boolean> {
	if (rows.length === 0 || count <= MAX_ROWS) return false;
	const beyond = await read(Math.floor(MAX_ROWS / rows.length) + 1).catch(() => undefined);
	return beyond === undefined || beyond.rows.length > 0;
}

/**
 * Reads pages 2 to `pages`; fewer when the service gives page 1 again and again, or empty pages in a row.
 *
 * @returns them in the order of the service. They are put together at the end: a table of rows that grows while pages
 *   come takes three times as long to fill
 */
async function readPages(
	read: (page: number) => Promise<Page>,
	pages: number,
	first: Page,
): Promise<Page[]> {
	const arrived: Page[] = [];
	let next = 2;
	// In a row as they arrive: one that is late must not have a thousand others asked for.
	let empty = 0;
	// The list has failed: the other workers finish what they are at and stop.
	const stopAll = (error: unknown): never => {
		next = Number.POSITIVE_INFINITY;
		throw error;
	};
	const worker = async (): Promise<void> => {
		while (next <= pages) {
			const number = next++;
			const page = await read(number).catch(stopAll);
			arrived[number - 2] = page;
			empty = page.rows.length === 0 ? empty + 1 : 0;
			// A thousand pages of a service that does not know `page` would be a thousand times the first.
			if (empty === MAX_EMPTY_PAGES || isSamePage(page, first)) next = Number.POSITIVE_INFINITY;
		}
	};
	const workers = Math.min(MAX_CONCURRENCY, pages - 1);
	await Promise.all(Array.from({ length: Math.max(0, workers) }, worker));
	return arrived;
}

const moreThanANodeTakes = (rows: number): ReportedError =>
	new ReportedError(
		`There are ${rows} rows: more than the ${MAX_ROWS} that n8n can take from one node at once`,
		'Narrow the list with filters, or read it page by page: Options → Page, in a loop, as the example workflow “Export contacts in batches” does.',
	);
