import { budgets } from '../state/datedKeys';
import type { ListFacts } from '../state/state';
import type { Page } from './pages';

/** A list, as far as its pages have confirmed a count. */
interface ConfirmingList {
	readonly facts: ListFacts;
	readonly fetch: (page: number) => Promise<Page | 'failed'>;
	/** The last page that confirmed a count, and the first one that refuted one. */
	confirmed: number;
	refuted: number;
}

/** Removes a count that is far from the list's length so far, unless two pages near the end that it claims confirm it. */
export async function withBelievedCount(list: ConfirmingList, page: Page): Promise<Page> {
	const { number, rows, count, hasNext } = page;
	if (count === undefined) return page;
	// Some services count the rows of the page alone.
	const others = hasNext === true || number > 1 ? 1 : 0;
	if (count < rows.length + others) return { ...page, count: undefined };
	const { lastPage, pageSize = 1 } = list.facts;
	const size = Math.max(pageSize, rows.length);
	const isMore = count > lastPage * size;
	// A list may double while n8n is stopped, and a slow service has no time to show it.
	const slack = Math.max(budgets.recentKeys, Math.min(count, lastPage * size));
	const near = Math.floor((isMore ? count - slack : count + slack) / size) + 1;
	if (isMore ? near <= lastPage : near >= lastPage) return page;
	// These pages exist in a longer list, and not in a shorter one. A failing page confirms no count.
	if ((number === 1 || rows.length > 0) && near > list.confirmed && near < list.refuted) {
		if ((await areThere(list, near)) ?? !isMore) list.confirmed = near;
		else list.refuted = near;
	}
	if (isMore === near <= list.confirmed) return page;
	// If the response says that no page follows, the next page shows whether that or the count is wrong.
	return { ...page, count: undefined, hasNext: hasNext === true || undefined };
}

/** True if a page and the next one exist; undefined if one of them fails. */
async function areThere(list: ConfirmingList, number: number): Promise<boolean | undefined> {
	const [page, next] = [await list.fetch(number), await list.fetch(number + 1)];
	if (page === 'failed' || next === 'failed') return undefined;
	// Past the end, the last page may come again and again.
	return page.rows.length > 0 && page.rows[0]?.key !== next.rows[0]?.key;
}
