import type { IDataObject } from 'n8n-workflow';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { ServiceFailure } from '../errors/reportedError';
import { isNotFound } from '../errors/failure';
import { isRecord, plainText } from '../values';
import { rowsOf } from '../service/answers';
import { factsOf, type Endpoint, type ServiceRequest } from '../service/request';
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
 * Reads one page (docs/service.md, Lists). The filters go out with every page. The
 * envelope's `next` is never followed as a URL, since it may name any host.
 *
 * How a page past the end is answered is not documented: an empty page and a 404 both mean no rows, past page 1.
 *
 * @param page number of the page, from 1
 * @param pageSize rows asked for; the service may give fewer
 * @throws {ServiceFailure} also when the answer is no list
 */
export async function readPage(
	transport: Transport,
	query: ListQuery,
	page: number,
	pageSize: number,
): Promise<Page> {
	const { endpoint, filters, deadlineMs } = query;
	const request = { endpoint, qs: { ...filters, page, page_size: pageSize } };
	const answer = transport.send(request, { deadlineMs });
	const asked = answer.then((envelope) => pageOf(envelope, request, query));
	return await asked.catch((error: unknown) => {
		const isNoPage = error instanceof ServiceFailure && isNotFound(error.failure);
		if (isNoPage && page > 1) return PAST_THE_END;
		throw error;
	});
}

/** A list whose rows or count are not as documented. @param detail without contents: they may be anything */
const malformed = (request: ServiceRequest, detail: string): ServiceFailure =>
	new ServiceFailure({ ...factsOf(request), kind: 'malformed', detail, attempts: 1 });

function pageOf(
	envelope: IDataObject,
	request: ServiceRequest,
	{ filters, convert, warn }: ListQuery,
): Page {
	const { count, next } = envelope;
	const results = rowsOf(envelope);
	if (!results.every(isRecord)) throw malformed(request, 'results that are not all records');
	const total = countOf(count);
	if (total === undefined && count !== undefined && count !== null)
		throw malformed(request, 'a count that is not a whole number');
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
