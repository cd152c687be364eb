import { clock } from '../clock';
import type { Failure } from '../errors/failure';

/** All tries of one request, waits between them included. */
export const RETRY_BUDGET_MS = 60_000;
const MAX_TRIES = 4;
const FIRST_RETRY_DELAY_MS = 500;
export const TOO_MANY_REQUESTS = 429;

/** Statuses after which a read is tried again. A write is tried again after 429 alone: there it was refused unread. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Milliseconds until the failed request may be tried again, or undefined when it may not. */
export function retryDelay({
	kind,
	status,
	isWrite,
	attempts,
	retryAfterMs,
}: Failure): number | undefined {
	const mayRetry =
		kind === 'http'
			? status !== undefined &&
				RETRIED_STATUSES.has(status) &&
				(!isWrite || status === TOO_MANY_REQUESTS)
			: !isWrite && (kind === 'network' || kind === 'timeout');
	if (!mayRetry || attempts >= MAX_TRIES) return undefined;
	// Half of it by chance, so that many executions that failed together do not come back together.
	const backoff = FIRST_RETRY_DELAY_MS * 2 ** (attempts - 1) * (0.5 + clock.random() / 2);
	return Math.max(retryAfterMs ?? 0, backoff);
}
