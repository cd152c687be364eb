import { DEFAULT_PAGE_SIZE } from '../../../contract/constants';
import type { Charge } from '../../shared/records/charge';
import { readEnvelope } from '../../shared/lists/listPage';
import type { Transport } from '../../shared/service/transport';
import type { Instant } from '../../shared/timestamps';
import type { PollSettings } from '../description/settings';
import { budgets, keyOf } from '../state/datedKeys';
import type { ListFacts, PageOutline } from '../state/state';

/** A charge as it was read, or a customer, whose changes don't count. */
export interface Row extends Charge {
	/** Replaces the ID in the stored state. */
	readonly key: string;
}

/** One page at one moment. */
export interface Page extends PageOutline {
	/** Keeps the list's order; undefined for a row without an ID or a time of creation. */
	readonly rows: ReadonlyArray<Row | undefined>;
}

export const outlineOf = (page: PageOutline | undefined): PageOutline | undefined =>
	page && { ...page, rows: page.rows.map((row) => row && { key: row.key }) };

/** Whether a page has rows, and all of them were created before an instant. */
export const isOlderThan = ({ rows }: Page, instant: Instant): boolean =>
	rows.length > 0 && rows.every((row) => row !== undefined && row.created < instant);

/** Reads one page; the filters are the same for all of them. */
export type FetchPage = (page: number) => Promise<Page>;

/** Any rows are accepted (docs/service.md, Lists). Only a response that is no envelope is an error. */
export function listPages(
	transport: Transport,
	{ resource: { endpoint, read }, filters }: PollSettings,
	deadlineMs: number,
): FetchPage {
	const readRow = (record: unknown): Row | undefined => {
		const listed = read(record);
		return listed && { ...listed, key: keyOf(listed.id) };
	};
	const query = { endpoint, filters, pageSize: DEFAULT_PAGE_SIZE, deadlineMs };
	return async (number) => {
		const { rows, count, hasNext } = await readEnvelope(transport, query, number);
		return { number, rows: rows.map(readRow), count, hasNext };
	};
}

/**
 * Removes a count that is far from the list's length so far, unless two pages near the end that it claims confirm it: in a
 * longer list they exist, in a shorter one they don't. In a poll, no page is read twice for this.
 */
export function withBelievedCounts(fetchPage: FetchPage, facts: ListFacts): FetchPage {
	let there = 0;
	let gone = Infinity;
	return async (number) => {
		const page = await fetchPage(number);
		const { rows, count, hasNext } = page;
		if (count === undefined) return page;
		// Some services count the rows of the page alone.
		const others = hasNext === true || number > 1 ? 1 : 0;
		if (count < rows.length + others) return { ...page, count: undefined };
		const { lastPage, pageSize = 1 } = facts;
		const size = Math.max(pageSize, rows.length);
		const isMore = count > lastPage * size;
		// A list may double while n8n is stopped, and a slow service has no time to show it.
		const slack = Math.max(budgets.recentKeys, Math.min(count, lastPage * size));
		const near = Math.floor((isMore ? count - slack : count + slack) / size) + 1;
		if (isMore ? near <= lastPage : near >= lastPage) return page;
		if (near > there && near < gone) {
			// A failing page confirms no count.
			if ((await areThere(fetchPage, near)) ?? !isMore) there = near;
			else gone = near;
		}
		if (isMore === near <= there) return page;
		// If the response says that no page follows, the next page shows whether that or the count is wrong.
		return { ...page, count: undefined, hasNext: hasNext === true || undefined };
	};
}

/** Whether a page and the next one exist; undefined if one of them fails. */
async function areThere(fetchPage: FetchPage, number: number): Promise<boolean | undefined> {
	try {
		const [page, next] = [await fetchPage(number), await fetchPage(number + 1)];
		// Past the end, the last page may come again and again.
		return page.rows.length > 0 && page.rows[0]?.key !== next.rows[0]?.key;
	} catch {
		return undefined;
	}
}
