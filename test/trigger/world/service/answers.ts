import type { ServiceTraits } from './traits';

/** What n8n's HTTP helper gives for a full response. */
export interface Answer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

export type FaultKind =
	/** 500 and 503. */
	| 'broken'
	| 'unavailable'
	| 'rateLimited'
	| 'unauthorized'
	| 'notFound'
	| 'badRequest'
	| 'unprocessable'
	| 'reset'
	| 'refused'
	/** No answer until the client gives up. */
	| 'hang'
	/** A web page. */
	| 'html'
	/** A list without rows to read. */
	| 'noResults'
	| 'nothing';

/** Goes wrong from the n-th to the m-th request of a poll. */
export interface Fault {
	readonly kind: FaultKind;
	readonly from: number;
	readonly to: number;
}

const PERMANENT: ReadonlySet<FaultKind> = new Set([
	'unauthorized',
	'notFound',
	'badRequest',
	'unprocessable',
	'html',
	'noResults',
	'nothing',
]);

/** Whether it passes without anybody doing anything. */
export const isTransient = (kind: FaultKind): boolean => !PERMANENT.has(kind);

const failure = (statusCode: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
	statusCode,
	headers,
	body: { error: { message: 'The service says no', code: 'no' } },
});

const success = (body: unknown): Answer => ({ statusCode: 200, headers: {}, body });

/** n8n hands the HTTP client's error on as the cause of its own. */
function lineFailure(code: string, message: string): Error {
	return new Error(message, { cause: Object.assign(new Error(message), { code }) });
}

export function failWith({ kind }: Fault): Answer {
	switch (kind) {
		case 'broken':
			return failure(500);
		case 'unavailable':
			return failure(503);
		case 'rateLimited':
			return failure(429, { 'retry-after': '40' });
		case 'unauthorized':
			return failure(401);
		case 'notFound':
			return failure(404);
		case 'badRequest':
			return failure(400);
		case 'unprocessable':
			return failure(422);
		case 'html':
			return success('<html><body>Sign in</body></html>');
		case 'noResults':
			return success({ count: 3, next: null, previous: null, results: null });
		case 'nothing':
			return success(null);
		case 'reset':
			throw lineFailure('ECONNRESET', 'socket hang up');
		case 'refused':
			throw lineFailure('ECONNREFUSED', 'connect ECONNREFUSED');
		case 'hang':
			throw lineFailure('ECONNABORTED', 'timeout exceeded');
	}
}

function shownCount({ count }: ServiceTraits, total: number, onPage: number): unknown {
	switch (count.kind) {
		case 'exact':
			return total;
		case 'off':
			return Math.max(0, total + count.by);
		case 'constant':
			return count.value;
		case 'most':
			return Math.min(total, count.value);
		case 'missing':
			return undefined;
		case 'null':
			return null;
		case 'negative':
			return -1;
		case 'text':
			return String(total);
		case 'garbage':
			return 'many';
		case 'page':
			return onPage;
	}
}

/** The envelope of a page (docs/service.md, Lists). */
export function answerWith(
	traits: ServiceTraits,
	results: unknown[],
	total: number,
	nextPage: number | undefined,
): Answer {
	const envelope: Record<string, unknown> = { results };
	const count = shownCount(traits, total, results.length);
	if (count !== undefined) envelope['count'] = count;
	if (traits.next !== 'absent') {
		const isThere = nextPage !== undefined && traits.next !== 'never';
		const hasNext = traits.next === 'endless' || isThere;
		envelope['next'] = hasNext ? `https://pay.example.com/v1/charges?page=${nextPage ?? 1}` : null;
		envelope['previous'] = null;
	}
	return success(traits.envelope === 'array' ? [envelope] : envelope);
}
