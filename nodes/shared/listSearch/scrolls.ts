import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../lists/listPage';

/** What one scroll of a From List field has loaded, and what the next one begins with. */
interface Scroll {
	readonly rows: IDataObject[];
	/** Undefined at the end of the list. */
	readonly next: string | undefined;
}

type ReadPage = (page: number) => Promise<Page>;

/**
 * Pages in the service's order, or from its last page on where the oldest rows come first: nobody scrolls through years
 * to reach the charge of today. A token is the number of a page, negative for one that is read on the way back.
 */
export async function readScroll(
	read: ReadPage,
	token: string | undefined,
	moment: ((row: IDataObject) => number) | undefined,
): Promise<Scroll> {
	const number = Number(token ?? 1);
	if (number < 0) return backwards([await read(-number)], before(-number));
	const page = await read(number);
	const isOldestFirst = token === undefined && moment !== undefined && isAscending(page, moment);
	const scroll = isOldestFirst ? await readLastPages(read, page) : undefined;
	if (scroll !== undefined) return scroll;
	const isMore = page.hasNext !== false && page.rows.length > 0;
	return { rows: page.rows, next: isMore ? String(number + 1) : undefined };
}

const before = (page: number): string | undefined => (page > 1 ? String(1 - page) : undefined);

function isAscending({ rows }: Page, moment: (row: IDataObject) => number): boolean {
	const moments = rows.map(moment);
	const isSorted = moments.every((ms, index) => index === 0 || ms >= (moments[index - 1] ?? NaN));
	return isSorted && (moments.at(-1) ?? NaN) > (moments[0] ?? NaN);
}

/** Two of them, since n8n asks for more only when there is enough to scroll; undefined where page 1 is all there is. */
async function readLastPages(read: ReadPage, first: Page): Promise<Scroll | undefined> {
	const { rows, count = 0, hasNext } = first;
	const last = Math.ceil(count / rows.length);
	if (hasNext === false || last < 2) return undefined;
	const pages = await Promise.all([read(last), last > 2 ? read(last - 1) : first]);
	// The count was of something else, or the list has shrunk.
	if (pages[0].rows.length === 0) return undefined;
	return backwards(pages, before(last - 1));
}

/** Rows of the same moment too in the opposite of the service's order. */
const backwards = (pages: readonly Page[], next: string | undefined): Scroll => ({
	rows: pages.flatMap(({ rows }) => [...rows].reverse()),
	next,
});
