import { MOST_COUNTED } from './traits';
import type { Traits } from './traits';

/** What n8n's HTTP helper gives for a full response. */
export interface Answer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** A status, a line that fails, or a success with nonsense in it. */
export type FaultKind =
	| 400
	| 401
	| 404
	| 429
	| 500
	| 503
	| 'reset'
	/** No answer until the client gives up. */
	| 'hang'
	| 'html'
	| 'noResults'
	| 'nothing';

/** Goes wrong from the n-th request of a poll on, so many times. */
export interface Fault {
	readonly kind: FaultKind;
	readonly from: number;
	readonly times: number;
}

const PERMANENT: ReadonlySet<FaultKind> = new Set([
	400,
	401,
	404,
	'html',
	'noResults',
	'nothing',
] as const);

/** Whether it passes without anybody doing anything. */
export const isTransient = ({ kind }: Fault): boolean => !PERMANENT.has(kind);

const success = (body: unknown): Answer => ({ statusCode: 200, headers: {}, body });

export function failure(kind: FaultKind | 416 | 422): Answer {
	switch (kind) {
		case 'html':
			return success('<html><body>Sign in</body></html>');
		case 'noResults':
			return success({ count: 3, next: null, previous: null, results: null });
		case 'nothing':
			return success(null);
		case 'reset':
			throw lineFailure('ECONNRESET', 'socket hang up');
		case 'hang':
			throw lineFailure('ECONNABORTED', 'timeout exceeded');
		default:
			return {
				statusCode: kind,
				headers: kind === 429 ? { 'retry-after': '40' } : {},
				body: { error: { message: 'The service says no', code: 'no' } },
			};
	}
}

/** n8n hands the HTTP client's error on as the cause of its own. */
const lineFailure = (code: string, message: string): Error =>
	new Error(message, { cause: Object.assign(new Error(message), { code }) });

function shownCount({ count, countOff }: Traits, total: number, onPage: number): unknown {
	switch (count) {
		case 'exact':
			return total;
		case 'off':
			return Math.max(0, total + countOff);
		case 'absent':
			return undefined;
		case 'null':
			return null;
		case 'text':
			return String(total);
		case 'negative':
			return -1;
		case 'garbage':
			return 'many';
		case 'page':
			return onPage;
		case 'most':
			return Math.min(total, MOST_COUNTED);
	}
}

/** The envelope of a page (docs/service.md, Lists). */
export function envelope(
	traits: Traits,
	results: unknown[],
	total: number,
	nextPage: number | undefined,
): Answer {
	const body: Record<string, unknown> = { results };
	const count = shownCount(traits, total, results.length);
	if (count !== undefined) body['count'] = count;
	if (traits.next !== 'absent') {
		const hasNext = traits.next === 'always' || (nextPage !== undefined && traits.next !== 'never');
		body['next'] = hasNext ? `https://pay.example.com/v1/charges?page=${nextPage ?? 1}` : null;
		body['previous'] = null;
	}
	return success(traits.isWrapped ? [body] : body);
}
