import { wrap, type Page } from '../../../../sandbox/lists';
import type { Traits } from './traits';

/** What n8n's HTTP helper gives for a full response. */
export interface Answer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** Successes with nonsense in them. */
const NONSENSE = {
	html: '<html><body>Sign in</body></html>',
	noResults: { count: 3, next: null, previous: null, results: null },
	nothing: null,
};

/** What the HTTP client throws; a hanging service does not answer until the client gives up. */
const LINE_FAILURES = {
	reset: { code: 'ECONNRESET', message: 'socket hang up' },
	hang: { code: 'ECONNABORTED', message: 'timeout exceeded' },
};

type Status = 400 | 401 | 404 | 429 | 500 | 503;
export type FaultKind = Status | keyof typeof LINE_FAILURES | keyof typeof NONSENSE;

/** Goes wrong from the n-th request of a poll on, so many times. */
export interface Fault {
	readonly kind: FaultKind;
	readonly from: number;
	readonly times: number;
}

/** Whether it passes without anybody doing anything. */
export const isTransient = ({ kind }: Fault): boolean =>
	typeof kind === 'number' ? kind >= 429 : kind in LINE_FAILURES;

const success = (body: unknown): Answer => ({ statusCode: 200, headers: {}, body });

export function failure(kind: FaultKind | 416 | 422): Answer {
	if (kind === 'reset' || kind === 'hang') {
		const { code, message } = LINE_FAILURES[kind];
		// n8n hands the HTTP client's error on as the cause of its own.
		throw new Error(message, { cause: Object.assign(new Error(message), { code }) });
	}
	if (typeof kind === 'string') return success(NONSENSE[kind]);
	return {
		statusCode: kind,
		headers: kind === 429 ? { 'retry-after': '40' } : {},
		body: { error: { message: 'The service says no', code: 'no' } },
	};
}

/** A page as it is answered (docs/service.md, Lists). */
export function pageAnswer(
	traits: Traits,
	{ number, last }: Pick<Page<unknown>, 'number' | 'last'>,
	results: unknown[],
	count: unknown,
): Answer {
	const { next, isWrapped } = traits;
	const hasNext = next === 'always' || (number < last && next !== 'never');
	const following = number < last ? number + 1 : 1;
	const uri = hasNext ? `https://pay.example.com/v1/charges?page=${following}` : null;
	const links = next === 'absent' ? {} : { next: uri, previous: null };
	return success(
		wrap({ results, count, next: undefined, previous: undefined, ...links }, isWrapped),
	);
}
