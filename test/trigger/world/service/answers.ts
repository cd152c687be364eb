import { wrap, type Page } from '../../../../sandbox/lists';
import type { Traits } from './traits';

/** A full response of n8n's HTTP helper. */
export interface Answer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** Successful responses without a list. */
const NONSENSE = {
	html: '<html><body>Sign in</body></html>',
	noResults: { count: 3, next: null, previous: null, results: null },
	nothing: null,
};

/** Errors of the HTTP client. A service that hangs does not answer until the client's timeout. */
const LINE_FAILURES = {
	reset: { code: 'ECONNRESET', message: 'socket hang up' },
	hang: { code: 'ECONNABORTED', message: 'timeout exceeded' },
};

type Status = 400 | 401 | 404 | 429 | 500 | 503;
export type FaultKind = Status | keyof typeof LINE_FAILURES | keyof typeof NONSENSE;

/** A failure from a poll's request `from` on, for `times` requests. */
export interface Fault {
	readonly kind: FaultKind;
	readonly from: number;
	readonly times: number;
}

/** True if the failure ends by itself. */
export const isTransient = ({ kind }: Fault): boolean =>
	typeof kind === 'number' ? kind >= 429 : kind in LINE_FAILURES;

const success = (body: unknown): Answer => ({ statusCode: 200, headers: {}, body });

export function failure(kind: FaultKind | 416 | 422): Answer {
	if (kind === 'reset' || kind === 'hang') {
		const { code, message } = LINE_FAILURES[kind];
		// n8n passes on the HTTP client's error as the cause of its own.
		throw new Error(message, { cause: Object.assign(new Error(message), { code }) });
	}
	if (typeof kind === 'string') return success(NONSENSE[kind]);
	return {
		statusCode: kind,
		headers: kind === 429 ? { 'retry-after': '40' } : {},
		body: { error: { message: 'The service says no', code: 'no' } },
	};
}

/** The response for a page (docs/service.md, Lists). */
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
