import type { IDataObject } from 'n8n-workflow';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { ServiceFailure } from '../errors/reportedError';
import { isNoSuchPage, type Failure } from '../errors/failure';
import { isRecord, plainText } from '../values';
import { rowsOf } from '../service/answers';
import { factsOf, type Endpoint } from '../service/request';
import type { Transport } from '../service/transport';

/** What to list: GET /v1/charges or GET /v1/customers with filters by their service names. */
export interface ListQuery {
	readonly endpoint: Endpoint;
	readonly filters: Readonly<Record<string, string>>;
	/**
	 * What is wanted of the rows of a page, if not the rows themselves: one for each, with its `id`. Made as each page
	 * comes: while others are under way, and so that the rows of a long list are not all held.
	 */
	readonly convert?: (rows: readonly IDataObject[]) => IDataObject[];
	/** When its last attempt must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs?: number;
	/** Which failures mean that the list has ended, for a page past the first one. The usual ones if missing. */
	readonly isEnd?: (failure: Failure) => boolean;
	/** Warns the user of rows that were not asked for. */
	readonly warn?: (message: string) => void;
}

export interface Page {
	readonly rows: IDataObject[];
	/** All rows that the filters match, as the service says; it need not say it for charges. */
	readonly count: number | undefined;
	readonly hasNext: boolean | undefined;
}

export const PAST_THE_END: Page = { rows: [], count: undefined, hasNext: undefined };

/** Filters whose value a row has as it was given. What the others compare is not documented. */
const SHOWN_FILTERS = ['currency', 'id', 'status'] satisfies Array<keyof ChargeFilters>;

/**
 * The envelope of one page (docs/service.md, Lists). The filters go out with every page. Its `next` is never followed as a
 * URL, since it may name any host.
 *
 * How a page past the end is answered is not documented: past page 1, a 400, 404, 416 or 422 means no rows, like an empty page.
 *
 * @param page number of the page, from 1
 * @param pageSize rows asked for; the service may give fewer
 * @throws {ServiceFailure} also when the answer is no list
 */
export async function readEnvelope(
	transport: Transport,
	{ endpoint, filters, deadlineMs, isEnd = isNoSuchPage }: ListQuery,
	page: number,
	pageSize: number,
): Promise<IDataObject> {
	const qs = { ...filters, page, page_size: pageSize };
	return await transport.send({ endpoint, qs }, { deadlineMs }).catch((error: unknown) => {
		const isNoPage = error instanceof ServiceFailure && isEnd(error.failure);
		if (isNoPage && page > 1) return { results: [] };
		throw error;
	});
}

/** Reads one page, as {@link readEnvelope} does. @throws {ServiceFailure} also when its rows or count are not as documented */
export async function readPage(
	transport: Transport,
	query: ListQuery,
	page: number,
	pageSize: number,
): Promise<Page> {
	const { endpoint, filters, convert, warn } = query;
	const envelope = await readEnvelope(transport, query, page, pageSize);
	/** @param detail without contents: they may be anything */
	const malformed = (detail: string): ServiceFailure =>
		new ServiceFailure({
			...factsOf({ endpoint, qs: filters }),
			kind: 'malformed',
			detail,
			attempts: 1,
		});
	const { count, next } = envelope;
	const results = rowsOf(envelope);
	if (!results.every(isRecord)) throw malformed('results that are not all records');
	const total = countOf(count);
	if (total === undefined && count !== undefined && count !== null)
		throw malformed('a count that is not a whole number');
	const rows = results as IDataObject[];
	const ignored = ignoredFilter(rows, filters);
	if (ignored !== undefined) {
		warn?.(`The service seems to ignore a filter (${ignored}): it returned rows with other values`);
	}
	return {
		rows: convert === undefined ? rows : convert(rows),
		count: total,
		hasNext: isNamed(next),
	};
}

function ignoredFilter(
	rows: readonly IDataObject[],
	filters: ListQuery['filters'],
): string | undefined {
	const asText = (value: unknown): string => plainText(value).toLowerCase();
	return SHOWN_FILTERS.find(
		(one) =>
			one in filters && rows.some((row) => row[one] && asText(row[one]) !== asText(filters[one])),
	);
}

/** The `count` of an envelope, which may be written as text; undefined where it has none that can be right. */
export function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Whether `next` names a page; undefined where the envelope has none of it. */
export const isNamed = (address: unknown): boolean | undefined =>
	address === undefined ? undefined : address !== null && address !== '' && address !== false;
