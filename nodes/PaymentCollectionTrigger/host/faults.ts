import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { askToWait } from '../../shared/n8nFeatures';
import { ServiceFailure, toNodeError } from '../../shared/errors/failures';
import type { PollKind } from './pollGuard';

const TOO_MANY_REQUESTS_STATUS = 429;
/** 408: the service waited too long for the request. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, TOO_MANY_REQUESTS_STATUS]);
const FIRST_SERVER_ERROR_STATUS = 500;

/** Whether a failed request may well succeed later without anybody doing anything. */
function isTransient(error: unknown): boolean {
	if (!(error instanceof ServiceFailure)) return false;
	const { kind, status = 0 } = error.failure;
	if (kind !== 'http') return kind === 'network' || kind === 'timeout';
	return TRANSIENT_STATUSES.has(status) || status >= FIRST_SERVER_ERROR_STATUS;
}

/**
 * Whether a failed poll only goes to the log. A throw in the first poll would end the trigger for good, without
 * anybody noticing (docs/n8n-engine.md, Polling): when n8n starts, never; when a user publishes, only for what the user
 * can put right. A throw on a tick is a failed execution, and just right.
 */
export function isForgiven(error: unknown, kind: PollKind): boolean {
	return kind === 'start' || (kind === 'activation' && isTransient(error));
}

/**
 * The error as n8n shows it; after a 429, with the time that the service asks to wait, which n8n honours.
 *
 * @param clean takes the API key out of texts
 */
export function toPollError(error: unknown, node: INode, clean: (text: string) => string): Error {
	const shown = toNodeError(error, node, undefined, clean);
	const { status, retryAfterMs } = error instanceof ServiceFailure ? error.failure : {};
	if (shown instanceof NodeApiError && status === TOO_MANY_REQUESTS_STATUS) {
		askToWait(shown, retryAfterMs);
	}
	return shown;
}
