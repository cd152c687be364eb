import { budgets } from '../state/datedKeys';
import type { ListFacts } from '../state/state';
import type { Page } from './pages';

/** The part of a list that is needed to check a count, with the pages that were found for that. */
export interface ConfirmingList {
	readonly facts: ListFacts;
	readonly fetch: (page: number) => Promise<Page | 'failed'>;
	/** The highest page that requests of {@link exists} have found, and the lowest one that they have not. */
	confirmedPage: number;
	refutedPage: number;
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
	// If 1,000 rows become 5,000, page 41 must exist. If 5,000 become 1,000, page 21 must not.
	const near = Math.floor((isMore ? count - slack : count + slack) / size) + 1;
	if (isMore ? near <= lastPage : near >= lastPage) return page;
	// If one of them fails, the count is not believed.
	if ((number === 1 || rows.length > 0) && near > list.confirmedPage && near < list.refutedPage) {
		if ((await exists(list, near)) ?? !isMore) list.confirmedPage = near;
		else list.refutedPage = near;
	}
	const isThere = near <= list.confirmedPage;
	if (isThere === isMore) return page;
	// A response that says that no page follows contradicts its count: the next page shows which of both is wrong.
	return { ...page, count: undefined, hasNext: hasNext === true || undefined };
}

/** True if a page has rows, and the next one doesn't repeat it; undefined if one of them fails. */
async function exists(list: ConfirmingList, number: number): Promise<boolean | undefined> {
	const [page, next] = [await list.fetch(number), await list.fetch(number + 1)];
	if (page === 'failed' || next === 'failed') return undefined;
	return page.rows.length > 0 && page.rows[0]?.key !== next.rows[0]?.key;
}
