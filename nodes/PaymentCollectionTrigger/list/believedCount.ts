import { budgets } from '../state/datedKeys';
import type { ListFacts } from '../state/state';
import type { Page } from './pages';

/** A list, as far as its pages have confirmed a count. */
interface ConfirmingList {
	readonly facts: ListFacts;
	readonly fetch: (page: number) => Promise<Page | 'failed'>;
	/** The highest page that is known to exist, and the lowest one that is known not to, by the two requests below. */
	confirmed: number;
	refuted: number;
}

/** Removes a count that is far from the list's length so far, unless two pages near its end agree with it. */
export async function withBelievedCount(list: ConfirmingList, page: Page): Promise<Page> {
	const { number, rows, count, hasNext } = page;
	if (count === undefined) return page;
	// Some services count the rows of the page alone.
	const others = hasNext === true || number > 1 ? 1 : 0;
	if (count < rows.length + others) return { ...page, count: undefined };
	const { lastPage, pageSize = 1 } = list.facts;
	const size = Math.max(pageSize, rows.length);
	const isMore = count > lastPage * size;
	// A list may double while n8n is stopped. Such a count is believed without a request.
	const slack = Math.max(budgets.recentKeys, Math.min(count, lastPage * size));
	// If 1,000 rows become 5,000, pages 41 and 42 must exist. If 5,000 become 1,000, pages 21 and 22 must not.
	const near = Math.floor((isMore ? count - slack : count + slack) / size) + 1;
	if (isMore ? near <= lastPage : near >= lastPage) return page;
	// If one of them fails, the count is not believed.
	if ((number === 1 || rows.length > 0) && near > list.confirmed && near < list.refuted) {
		if ((await areThere(list, near)) ?? !isMore) list.confirmed = near;
		else list.refuted = near;
	}
	const exists = near <= list.confirmed;
	if (isMore ? exists : !exists) return page;
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
