import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits';
import { ENDPOINTS } from '../../../contract/endpoints';
import { isNamed } from '../../shared/lists/listPage';
import { ServiceFailure } from '../../shared/errors/failures';
import { kindOf, malformed } from '../../shared/service/answers';
import type { ServiceRequest } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';

/** One answer of the charge list, as it came. */
export interface RawPage {
	/** Rows of any kind: what can't be read is told apart later. */
	readonly records: readonly unknown[];
	/** Rows of the whole list, as far as the answer says something that may be a count. */
	readonly count: number | undefined;
	/** Whether the answer says that another page follows; undefined when it does not say. */
	readonly hasNext: boolean | undefined;
	/** The same of a page before it. */
	readonly hasPrevious?: boolean | undefined;
	/** The service says that there is no such page; absent where it gave one. */
	readonly denial?: ServiceFailure;
}

/** Reads one page, from 1; the filters are the same for all of them. */
export type FetchPage = (page: number) => Promise<RawPage>;

/** How a page past the end is answered is not shown: these are the usual ways to say that there is no such page. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

export const PAST_THE_END: RawPage = { records: [], count: undefined, hasNext: false };

/**
 * Reads pages of the charge list (docs/service.md, Lists), taking whatever an answer
 * holds: a trigger has to live with a list that is not as the document says. Only what is no envelope at all is an
 * error. `next` is never followed, since it may name any host.
 *
 * @param deadlineMs when the last request must have ended, by the clock's elapsed milliseconds
 */
export function chargePages(
	transport: Transport,
	filters: Readonly<Record<string, string>>,
	deadlineMs: number,
): FetchPage {
	return async (page) => {
		const request = {
			endpoint: ENDPOINTS.chargeList,
			qs: { ...filters, page, page_size: DEFAULT_PAGE_SIZE },
		};
		const answer = transport
			.send(request, { deadlineMs })
			.then((body) => parseEnvelope(body, request));
		return await (page === 1 ? answer : answer.catch(pastTheEnd));
	};
}

function pastTheEnd(error: unknown): RawPage {
	if (error instanceof ServiceFailure && NO_SUCH_PAGE.has(error.failure.status ?? 0)) {
		return { ...PAST_THE_END, denial: error };
	}
	throw error;
}

/** The document shows the envelope plain for charges and inside a one-element array for contacts: both are taken. */
function parseEnvelope(body: unknown, request: ServiceRequest): RawPage {
	const envelope: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (!isEnvelope(envelope)) throw malformed(request, kindOf(body));
	const { results, next, previous } = envelope;
	const count = countOf(envelope['count']);
	// Nothing at all may be written as null.
	const isNothing = results === null && (count ?? 0) === 0;
	if (!Array.isArray(results) && !isNothing) throw malformed(request, 'no list of results');
	return {
		records: Array.isArray(results) ? results : [],
		count,
		hasNext: isNamed(next),
		hasPrevious: isNamed(previous),
	};
}

const isEnvelope = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && 'results' in value;

function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
