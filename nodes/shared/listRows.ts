import type { IDataObject } from 'n8n-workflow';
import { MAX_CONCURRENCY } from './executionScope';
import { ReportedError } from './failures';
import { readPage } from './listPage';
import type { ListQuery, Page } from './listPage';
import type { Transport } from './transport';

/** n8n dies on more than about 125,000 items from one input item, after everything was fetched. */
export const MAX_ROWS_AT_ONCE = 100_000;
/** How often a list that changes while it is read is read again from the start. */
const MAX_PASSES = 3;

export interface ListResult {
	readonly rows: IDataObject[];
	/** Set when the list could not be made whole: what to tell the user. */
	readonly warning?: string;
}

/** One reading of the list from page 1 on. */
interface Pass {
	/** By id, in the order of the service; a row without an id stands under a symbol of its own. */
	readonly rows: Map<unknown, IDataObject>;
	/** Every count that the pages named, in the order of the pages. */
	readonly counts: number[];
}

/**
 * Reads rows over as many pages as it takes: page 1 first, then the others by number, several at a time, in
 * the order of the service and each row once. The size of page 1 is the page size, whatever was asked for.
 *
 * Rows may come and go while pages are read, which shifts the others across page borders. A reading counts as
 * whole when its pages agree on `count` and that many different rows were seen; if not, the list is read again.
 *
 * @param limit rows wanted at most; undefined for all
 * @throws {ReportedError} when all are wanted and there are more than n8n can hold
 */
export async function readRows(
	transport: Transport,
	query: ListQuery,
	{ limit, pageSize }: { limit: number | undefined; pageSize: number },
): Promise<ListResult> {
	const wanted = limit ?? Number.POSITIVE_INFINITY;
	const seen = new Map<unknown, IDataObject>();
	let previous: Pass | undefined;
	for (let attempt = 1; attempt <= MAX_PASSES; attempt++) {
		const pass = await readOnce(transport, query, wanted, pageSize);
		if (isWhole(pass, wanted)) return { rows: firstOf(pass.rows, wanted) };
		for (const [id, row] of pass.rows) seen.set(id, row);
		if (hasAllDespiteGrowth(pass, seen.size, wanted)) return { rows: firstOf(seen, wanted) };
		if (previous !== undefined && sameRows(previous, pass)) break;
		previous = pass;
	}
	const count = previous?.counts.at(-1);
	return {
		rows: firstOf(seen, wanted),
		warning: `The list may not be complete: the service counts ${count} rows, and ${seen.size} different ones could be read. It changed while it was read, or its count is off. Run again to compare.`,
	};
}

async function readOnce(
	transport: Transport,
	query: ListQuery,
	wanted: number,
	pageSize: number,
): Promise<Pass> {
	const pass: Pass = { rows: new Map(), counts: [] };
	const first = await readPage(transport, query, 1, pageSize);
	add(first, pass);
	const size = first.rows.length;
	if (size === 0) return pass;
	if (wanted === Number.POSITIVE_INFINITY) refuseTooMany(first.count ?? 0);

	const pages = Math.ceil(Math.min(first.count ?? size, wanted) / size);
	let last = first;
	for (const page of await readPages(transport, query, pages, pageSize)) {
		add(page, pass);
		last = page;
	}
	// Without a count, or with one that is too low, the pages themselves tell where the list ends.
	for (let number = pages + 1; pass.rows.size < wanted && mayFollow(last, pass); number++) {
		const before = pass.rows.size;
		last = await readPage(transport, query, number, pageSize);
		add(last, pass);
		// A service that does not know `page` would send the same rows for ever.
		if (pass.rows.size === before) break;
		if (wanted === Number.POSITIVE_INFINITY) refuseTooMany(pass.rows.size);
	}
	return pass;
}

/** Pages 2 to `pages`, in order. */
async function readPages(
	transport: Transport,
	query: ListQuery,
	pages: number,
	pageSize: number,
): Promise<Page[]> {
	const read: Page[] = [];
	let next = 2;
	// The list has failed: the other workers finish what they are at and stop.
	const stopAll = (error: unknown): never => {
		next = Number.POSITIVE_INFINITY;
		throw error;
	};
	const worker = async (): Promise<void> => {
		while (next <= pages) {
			const number = next++;
			read[number - 2] = await readPage(transport, query, number, pageSize).catch(stopAll);
		}
	};
	const workers = Math.min(MAX_CONCURRENCY, pages - 1);
	await Promise.all(Array.from({ length: Math.max(0, workers) }, worker));
	return read;
}

function add({ rows, count }: Page, pass: Pass): void {
	for (const row of rows) {
		const id = row.id ?? Symbol('row without id');
		if (!pass.rows.has(id)) pass.rows.set(id, row);
	}
	if (count !== undefined) pass.counts.push(count);
}

function mayFollow(last: Page, { rows, counts }: Pass): boolean {
	if (last.rows.length === 0 || last.hasNext === false) return false;
	return last.hasNext === true || rows.size < (counts.at(-1) ?? Number.POSITIVE_INFINITY);
}

function isWhole({ rows, counts }: Pass, wanted: number): boolean {
	const [count, ...others] = counts;
	if (count === undefined) return true;
	return others.every((other) => other === count) && rows.size >= Math.min(count, wanted);
}

/** Rows that were only added can't have hidden others: enough different rows are all rows. */
function hasAllDespiteGrowth({ counts }: Pass, seen: number, wanted: number): boolean {
	const last = counts.at(-1) ?? 0;
	const grew = counts.every((count, index) => count >= (counts[index - 1] ?? 0));
	return grew && last !== counts[0] && seen >= Math.min(last, wanted);
}

function sameRows(one: Pass, other: Pass): boolean {
	return (
		one.rows.size === other.rows.size && [...one.rows.keys()].every((id) => other.rows.has(id))
	);
}

const firstOf = (rows: Map<unknown, IDataObject>, wanted: number): IDataObject[] =>
	wanted < rows.size ? [...rows.values()].slice(0, wanted) : [...rows.values()];

function refuseTooMany(rows: number): void {
	if (rows <= MAX_ROWS_AT_ONCE) return;
	throw new ReportedError(
		`There are ${rows} rows: more than the ${MAX_ROWS_AT_ONCE} that n8n can take from one node at once`,
		'Narrow the list with filters, or read it page by page: Options → Page, in a loop, as the example workflow “Export contacts in batches” does.',
	);
}
