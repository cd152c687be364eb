import { DEFAULT_PAGE_SIZE } from '../../../contract/constants';
import type { Charge } from '../../shared/records/charge';
import { readEnvelope } from '../../shared/lists/listPage';
import type { Transport } from '../../shared/service/transport';
import type { Instant } from '../../shared/timestamps';
import type { PollSettings } from '../description/settings';
import { keyOf } from '../state/datedKeys';
import type { PageOutline } from '../state/state';

/** A charge as it was read, or a customer, whose changes don't count. */
export interface Row extends Charge {
	/** Replaces the ID in the stored state. */
	readonly key: string;
}

export interface Page extends PageOutline {
	/** Has the service's order, or the new end first after `RecordList.read`. Undefined stands for a row without ID or creation time. */
	readonly rows: ReadonlyArray<Row | undefined>;
}

/** `failed`: an error. A missing page is no error, but an empty page. `none`: not read in this poll, so that the next one continues. */
export type PageRead = Page | 'failed' | 'none';

export const outlineOf = (page: PageOutline | undefined): PageOutline | undefined =>
	page && { ...page, rows: page.rows.map((row) => row && { key: row.key }) };

/** True if a page has rows, and all of them were created before an instant. */
export const isOlderThan = ({ rows }: Page, instant: Instant): boolean =>
	rows.length > 0 && rows.every((row) => row !== undefined && row.created < instant);

export type FetchPage = (page: number) => Promise<Page>;

/** Reads pages, with any rows (docs/service.md, Lists): only a response that is no envelope is an error. */
export function pageFetcher(
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
