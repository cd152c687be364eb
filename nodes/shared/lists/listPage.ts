import type { IDataObject } from 'n8n-workflow';
import { ServiceFailure } from '../errors/failures';
import { isNotFound } from '../errors/failureTable';
import { isRecord } from '../isRecord';
import { envelopeOf, malformed } from '../service/answers';
import type { Endpoint, ServiceRequest } from '../service/request';
import type { Transport } from '../service/transport';

/** What to list: GET /v1/charges or GET /v1/customers with filters by their service names. */
export interface ListQuery {
	readonly endpoint: Endpoint;
	readonly filters: Readonly<Record<string, string>>;
	/**
	 * What is wanted of the rows of a page, one for each, if not the rows themselves. Made as each page comes: while others
	 * are under way, and so that the rows of a long list are not all held.
	 */
	readonly convert?: (rows: readonly IDataObject[]) => IDataObject[];
}

/** One page of a list. */
export interface Page {
	readonly rows: IDataObject[];
	/** The `id` of each row, as the service gave it. */
	readonly ids: readonly unknown[];
	/** All rows that the filters match, as the service says; it need not say it for charges. */
	readonly count: number | undefined;
	/** Whether the service says that another page follows; undefined when it does not say. */
	readonly hasNext: boolean | undefined;
	/** Whether the service says that another page stands before it; undefined when it does not say. */
	readonly hasPrevious: boolean | undefined;
}

const PAST_THE_END: Page = {
	rows: [],
	ids: [],
	count: undefined,
	hasNext: undefined,
	hasPrevious: undefined,
};

const PRECEDED = {
	warning:
		'The first rows may be missing: the service says that a page stands before page 1. Its pages may be numbered from 0, and are asked for from 1 on.',
};

/** What to tell the user of page 1, which is taken for the first one: that is not documented. */
export const warningsOfFirst = ({ hasPrevious }: Pick<Page, 'hasPrevious'>): string[] =>
	hasPrevious === true ? [PRECEDED.warning] : [];

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
	{ endpoint, filters, convert }: ListQuery,
	page: number,
	pageSize: number,
): Promise<Page> {
	const request = { endpoint, qs: { ...filters, page, page_size: pageSize } };
	const answer = transport.send(request).then((body) => parseEnvelope(body, request, convert));
	return await (page === 1 ? answer : answer.catch(notFoundIsPastTheEnd));
}

/**
 * Reads one page for its own sake. Some services answer a page past the end with their last page or the first one again,
 * so what may be that is compared with the page before it, or with page 1.
 *
 * @returns no rows for a page past the end
 */
export async function readPageAlone(
	transport: Transport,
	query: ListQuery,
	page: number,
	pageSize: number,
): Promise<Page> {
	const answer = await readPage(transport, query, page, pageSize);
	if (page === 1 || answer.rows.length === 0) return answer;
	const { endpoint, filters } = query;
	for (const other of mayBeAgain(answer, page, (page - 1) * pageSize)) {
		const known = await readPage(transport, { endpoint, filters }, other, pageSize);
		if (isSamePage(answer, known)) return PAST_THE_END;
	}
	return answer;
}

const GAP = {
	warning:
		'This page is empty, but the service says that more follow: a loop that ends here may leave out rows.',
};

/** What to tell the user of a page that was read for its own sake. */
export function warningsOfAlone(answer: Page, page: number, pageSize: number): string[] {
	const { rows, count = 0, hasNext } = answer;
	const isBehindCount = count > 0 && (page - 1) * pageSize >= count;
	const isGap = rows.length === 0 && hasNext === true && !isBehindCount;
	return [...(page === 1 ? warningsOfFirst(answer) : []), ...(isGap ? [GAP.warning] : [])];
}

/** The pages that an answer may be over again: the one before, unless this is shown not to be the last; the first one. */
function mayBeAgain(
	{ rows, count, hasNext, hasPrevious }: Page,
	page: number,
	rowsBefore: number,
): Set<number> {
	const isBehindCount = count !== undefined && rowsBefore >= count;
	const isLastByCount = count === rowsBefore + rows.length;
	const mayBeLast = isBehindCount || !(hasNext === true || isLastByCount);
	// A count of no more than the rows of its page may be of the page.
	const isCounted = count !== undefined && count > rows.length && !isBehindCount;
	const mayBeFirst = hasPrevious === undefined ? !isCounted : !hasPrevious;
	return new Set([...(mayBeLast ? [page - 1] : []), ...(mayBeFirst ? [1] : [])]);
}

/** Whether two answers hold the same rows, of which there are some. */
export function isSamePage({ ids }: Page, other: Page): boolean {
	const isSameRow = (id: unknown, index: number): boolean => id != null && id === other.ids[index];
	return ids.length > 0 && ids.length === other.ids.length && ids.every(isSameRow);
}

function notFoundIsPastTheEnd(error: unknown): Page {
	if (error instanceof ServiceFailure && isNotFound(error.failure)) return PAST_THE_END;
	throw error;
}

function parseEnvelope(
	body: unknown,
	request: ServiceRequest,
	convert: ListQuery['convert'],
): Page {
	const { results, count, next, previous } = envelopeOf(body, request);
	if (!results.every(isRecord)) throw malformed(request, 'results that are not all records');
	const total = countOf(count);
	if (total === undefined && count !== undefined && count !== null)
		throw malformed(request, 'a count that is no whole number');
	const rows = results as IDataObject[];
	return {
		rows: convert === undefined ? rows : convert(rows),
		ids: rows.map(({ id }) => id),
		count: total,
		hasNext: isNamed(next),
		hasPrevious: isNamed(previous),
	};
}

/** The `count` of an envelope, which may be written as text; undefined where it has none that can be right. */
export function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Whether `next` or `previous` names a page; undefined where the envelope has none of it. */
export const isNamed = (address: unknown): boolean | undefined =>
	address === undefined ? undefined : address !== null && address !== '' && address !== false;
