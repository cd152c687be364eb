import type { IDataObject } from 'n8n-workflow';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { ServiceFailure } from '../errors/reportedError';
import { isNoSuchPage, type Failure } from '../errors/failure';
import { isRecord, plainText } from '../values';
import { rowsOf } from '../service/answers';
import { factsOf, type ReadEndpoint } from '../service/request';
import type { Transport } from '../service/transport';

/** GET /v1/charges or GET /v1/customers, with filters by their service names. */
export interface ListQuery {
	readonly endpoint: ReadEndpoint;
	readonly filters: Readonly<Record<string, string>>;
	/** Converts the rows of each page as it arrives, so that a long list need not be kept whole. Keeps each `id`. */
	readonly convert?: (rows: readonly IDataObject[]) => IDataObject[];
	/** When the last attempt must have ended, in milliseconds of clock.elapsed(). */
	readonly deadlineMs?: number;
	/** Which failures past page 1 mean that the list has ended. */
	readonly isEnd?: (failure: Failure) => boolean;
	/** Warns of rows that don't match a filter. */
	readonly warn?: (message: string) => void;
}

export interface Page {
	readonly rows: IDataObject[];
	/** All rows that the filters match; the service may omit it for charges. */
	readonly count: number | undefined;
	readonly hasNext: boolean | undefined;
}

export const PAST_THE_END: Page = { rows: [], count: undefined, hasNext: undefined };

/** Filters whose value a row repeats unchanged. How the others compare is not documented. */
const SHOWN_FILTERS = ['currency', 'id', 'status'] satisfies Array<keyof ChargeFilters>;

/**
 * Reads one page with its envelope (docs/service.md, Lists). `next` is never followed as a URL: it can name any host. How
 * a page past the end is answered is not documented: past page 1, a 400, 404, 416 or 422 means no rows, like an empty page.
 *
 * @param page from 1
 * @param pageSize the service may return fewer rows
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

/** @throws {ServiceFailure} also when rows or count are not as documented */
export async function readPage(
	transport: Transport,
	query: ListQuery,
	page: number,
	pageSize: number,
): Promise<Page> {
	const { endpoint, filters, convert, warn } = query;
	const envelope = await readEnvelope(transport, query, page, pageSize);
	/** @param detail names no contents, which can be anything */
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

/** The service may write `count` as text. Undefined if it is missing or can't be right. */
export function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Whether `next` names a page; undefined if the envelope has no `next`. */
export const isNamed = (address: unknown): boolean | undefined =>
	address === undefined ? undefined : address !== null && address !== '' && address !== false;
