import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * What differs between the versions of n8n that the package runs on: 1.123 and newer. Whether it is there is found out by
 * looking for it, here and nowhere else; numbers of versions are never compared. Each part says since which n8n it is
 * there, and what is smaller without it.
 */

/**
 * Marks a failed item for On Error: Continue (using error output). Since 2.34.4 n8n knows one by its JSON, of nothing but
 * `error` and `details`; before, it would send a refund that was refused to the success output.
 *
 * Every version knows one by an `error` beside the JSON. Where that is left on the item, n8n puts the error's message in
 * the place of all its JSON. The error output makes a copy of the item, and copies leave out what is not enumerable.
 */
export function markFailed(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	error: Error,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}

/** What is read of an error on the way to what the system said. */
export interface ErrorFacts {
	readonly message: string;
	readonly code?: unknown;
	readonly syscall?: unknown;
	readonly cause?: unknown;
}

/** By an HTTP status, of an answer that has begun. */
const BROKEN_OFF = 'ERR_BAD_RESPONSE';

/**
 * The error below an error. n8n 1.123 to 2.33 wipes it from its own. What is left then is the code of the fault in
 * `httpCode`, and as the first of `messages` the HTTP client's text: "connect ECONNREFUSED 127.0.0.1:80".
 */
export function causeOf(error: ErrorFacts): unknown {
	if (error.cause !== undefined) return error.cause;
	const { httpCode, messages } = error as { httpCode?: unknown; messages?: unknown };
	const message: unknown = Array.isArray(messages) ? messages[0] : undefined;
	if (typeof httpCode !== 'string' || typeof message !== 'string') return undefined;
	// No status is an error to n8n, as requests are made here: the answer had begun, and broke off.
	if (/^\d/.test(httpCode)) return { message, code: BROKEN_OFF };
	if (!/^[A-Z]/.test(httpCode)) return undefined;
	const [syscall, code] = message.split(' ');
	return { message, code: httpCode, ...(code === httpCode ? { syscall } : {}) };
}
