import type { IDataObject } from 'n8n-workflow';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { ServiceFailure } from '../errors/reportedError';
import type { Failure } from '../errors/failure';
import { isRecord, plainText } from '../values';
import { rowsOf } from '../service/answers';
import { aboutRequest, type ReadEndpoint } from '../service/request';
import type { Transport } from '../service/transport';
import { isNoSuchPage } from './listEnd';

/** GET /v1/charges or GET /v1/customers, with filters by their service names. */
export interface ListQuery {
	readonly endpoint: ReadEndpoint;
	readonly filters: Readonly<Record<string, string>>;
	/** Rows to request; the service may return fewer. */
	readonly pageSize: number;
	/** Converts the rows of each page as it arrives, so that a long list need not be kept whole. Keeps each `id`. */
	readonly convert?: (rows: readonly IDataObject[]) => IDataObject[];
	/** When the last attempt must have ended, in milliseconds of clock.elapsed(). */
	readonly deadlineMs?: number;
	/** True for failures past page 1 that mean the list has ended. */
	readonly meansEnd?: ((failure: Failure) => boolean) | undefined;
	/** Warns of rows that don't match a filter. */
	readonly warn?: (message: string) => void;
}

/** Filters whose value a row repeats unchanged. How the others compare is not documented. */
const SHOWN_FILTERS = ['currency', 'id', 'status'] satisfies Array<keyof ChargeFilters>;

/**
 * Reads one page (docs/service.md, Lists). `next` is never followed as a URL: it can name any host.
 *
 * @param page from 1 @returns rows of any kind; `flaw` says what is not as documented
 * @throws {ServiceFailure} also when the answer is no list
 */
export async function readEnvelope(
	transport: Transport,
	{ endpoint, filters, pageSize, deadlineMs, meansEnd = isNoSuchPage }: ListQuery,
	page: number,
) {
	const qs = { ...filters, page, page_size: pageSize };
	const envelope = await transport
		.send({ endpoint, qs }, { deadlineMs })
		.catch((error: unknown) => {
			const isNoPage = error instanceof ServiceFailure && meansEnd(error.failure);
			if (isNoPage && page > 1) return { results: [] };
			throw error;
		});
	const { next, count: counted = null }: IDataObject = envelope;
	const rows = rowsOf(envelope);
	const count = countOf(counted);
	const isNamed = next !== null && next !== '' && next !== false;
	const flaws = [
		!rows.every(isRecord) && 'results that are not all records',
		count === undefined && counted !== null && 'a count that is not a whole number',
	];
	const hasNext = next === undefined ? undefined : isNamed;
	return { rows, count, hasNext, flaw: flaws.find((flaw) => flaw !== false) };
}

/** Reads one page as {@link readEnvelope} does, and converts its rows. @throws {ServiceFailure} also when rows or count are not as documented */
export async function readPage(transport: Transport, query: ListQuery, page: number) {
	const { endpoint, filters, convert, warn } = query;
	const { flaw, ...facts } = await readEnvelope(transport, query, page);
	if (flaw !== undefined) {
		const request = aboutRequest({ endpoint, qs: filters });
		throw new ServiceFailure({ ...request, kind: 'malformed', detail: flaw, tries: 1 });
	}
	const rows = facts.rows as IDataObject[];
	const ignored = ignoredFilter(rows, filters);
	if (ignored !== undefined) {
		warn?.(`The service seems to ignore a filter (${ignored}): it returned rows with other values`);
	}
	return { ...facts, rows: convert === undefined ? rows : convert(rows) };
}

function ignoredFilter(rows: readonly IDataObject[], filters: ListQuery['filters']) {
	const asText = (value: unknown): string => plainText(value).toLowerCase();
	return SHOWN_FILTERS.find(
		(one) =>
			one in filters && rows.some((row) => row[one] && asText(row[one]) !== asText(filters[one])),
	);
}

/** The service may write `count` as text. Undefined if it can't be right. */
function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
