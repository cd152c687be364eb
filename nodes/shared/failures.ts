import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, JsonObject } from 'n8n-workflow';
import { InputError } from './inputError';
import { CredentialError } from './credentialFields';

/** What went wrong with one request, as data. Texts in it are redacted already. */
export interface Failure {
	/**
	 * http: an answer with an error status; redirect: an answer that leads elsewhere; malformed: a success whose
	 * body is not what the document shows; network: no connection, or one that broke; timeout: no answer in time;
	 * stopped: a write that n8n itself stopped, perhaps after it had left.
	 */
	readonly kind: 'http' | 'redirect' | 'malformed' | 'network' | 'timeout' | 'stopped';
	/** What was asked for, in words: "GET /v1/links/{id}". */
	readonly request: string;
	readonly isWrite: boolean;
	/** HTTP status of the answer, where there was one. */
	readonly status?: number;
	/** error.message and error.code of the answer's body (section "Errors"). */
	readonly serviceMessage?: string;
	readonly serviceCode?: string;
	/** For network: the system's code, such as ECONNREFUSED. For malformed: what came instead. For stopped: n8n's text. */
	readonly detail: string;
	/** Milliseconds that the service asked to wait (Retry-After). */
	readonly retryAfterMs?: number;
	/** How many times the request went out. */
	readonly attempts: number;
	/** Whether it is certain that the service did not carry the request out; see writeOutcome.ts. */
	readonly notExecuted: boolean;
}

/** A request that failed for good. */
export class ServiceFailure extends Error {
	constructor(readonly failure: Failure) {
		super(failureTexts(failure).message);
	}
}

/** An error that a node composed itself, to be shown as it stands: `message`, then `advice` below it. */
export class ReportedError extends Error {
	constructor(
		message: string,
		readonly advice: string,
		readonly failure?: Failure,
	) {
		super(message);
	}
}

interface FailureRule {
	readonly when: (failure: Failure) => boolean;
	/** Shown when the service says nothing of its own. */
	readonly message: (failure: Failure) => string;
	readonly advice: (failure: Failure) => string;
}

const hasStatus =
	(...statuses: number[]) =>
	({ kind, status }: Failure): boolean =>
		kind === 'http' && status !== undefined && statuses.includes(status);

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

const checkFirst = ({ isWrite, notExecuted }: Failure): string =>
	!isWrite
		? 'Nothing was changed. Try again later.'
		: notExecuted
			? 'Nothing was changed, so it is safe to try again later.'
			: 'The service may have carried the request out all the same: check before you try again.';

/** First match wins. The service's statuses and codes are not shown, so these are HTTP's own meanings. */
const RULES: readonly FailureRule[] = [
	{
		when: hasStatus(401),
		message: () => 'The service does not accept the API key',
		advice: () => 'Check API Key and Base URL in the Payment Collection API credential.',
	},
	{
		when: hasStatus(403),
		message: () => 'The API key may not do this',
		advice: () =>
			'Ask the merchant account’s owner what this API Key may do, or use another credential.',
	},
	{
		when: (failure) => hasStatus(404)(failure) && !failure.request.includes('{id}'),
		message: () => 'The service does not know this address',
		advice: () => 'Check that Base URL in the credential is the address before /v1.',
	},
	{
		when: hasStatus(404),
		message: () => 'The service has nothing with this ID',
		advice: () =>
			'Check the ID, whether it belongs to the account of the credential, and that Base URL is the address before /v1.',
	},
	{
		when: hasStatus(409),
		message: () => 'The service refuses this in the record’s present state',
		advice: () => 'Read the record and check its state before you try again.',
	},
	{
		when: hasStatus(400, 422),
		message: () => 'The service refuses the values sent',
		advice: () => 'Change the parameter that the message names. Nothing was changed.',
	},
	{
		when: hasStatus(429),
		message: ({ retryAfterMs }) =>
			retryAfterMs === undefined
				? 'The service receives too many requests'
				: `The service receives too many requests and asks to wait ${seconds(retryAfterMs)}`,
		advice: () =>
			'Nothing was changed. Run again later, with a lower Max Concurrency or fewer items at a time.',
	},
	{
		when: ({ kind, status }) => kind === 'http' && status !== undefined && status >= 500,
		message: () => 'The service failed',
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'http',
		message: () => 'The service refuses the request',
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'redirect',
		message: () => 'The service answers with a redirect, which is not followed',
		advice: (failure) =>
			`A redirect would carry the API key to another address. Enter the final address as Base URL in the credential.${failure.isWrite ? ` ${checkFirst(failure)}` : ''}`,
	},
	{
		when: ({ kind }) => kind === 'malformed',
		message: ({ detail }) => `The answer is not what the service documents: ${detail}`,
		advice: (failure) =>
			`Check that Base URL is the address of the service and not of a web page.${failure.isWrite ? ` ${checkFirst(failure)}` : ''}`,
	},
	{
		when: ({ kind }) => kind === 'stopped',
		message: ({ detail }) => detail,
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'timeout',
		message: () => 'The service did not answer in time',
		advice: (failure) =>
			`${checkFirst(failure)} The node’s Request Options can allow more time (Timeout).`,
	},
];

const NO_CONNECTION: FailureRule = {
	when: ({ kind }) => kind === 'network',
	message: ({ detail }) => `No connection to the service (${NETWORK_TEXTS[detail] ?? detail})`,
	advice: (failure) => `Check Base URL in the credential. ${checkFirst(failure)}`,
};

/** In words, because n8n replaces a message that holds one of these codes by a sentence of its own. */
const NETWORK_TEXTS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection broken off',
	EPIPE: 'connection broken off',
	/** What the HTTP client says when the connection ends in the middle of an answer. */
	ERR_BAD_RESPONSE: 'answer broken off',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name can’t be looked up at the moment',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
};

/** What to show for a failure: the service's message first, then its code and the HTTP status; below it what to do. */
export function failureTexts(failure: Failure): { message: string; advice: string } {
	const rule = RULES.find(({ when }) => when(failure)) ?? NO_CONNECTION;
	const facts = [
		failure.serviceCode && `code ${failure.serviceCode}`,
		failure.status !== undefined && `HTTP ${failure.status}`,
	].filter(Boolean);
	const text = failure.serviceMessage ?? rule.message(failure);
	const wait = failure.retryAfterMs
		? ` The service asks to wait ${seconds(failure.retryAfterMs)}.`
		: '';
	const tries = failure.attempts > 1 ? ` It was tried ${failure.attempts} times.` : '';
	return {
		message: facts.length > 0 ? `${text} (${facts.join(', ')})` : text,
		advice: `${rule.advice(failure)}${wait}${tries} Request: ${failure.request}.`,
	};
}

/**
 * Turns any error of this package into n8n's own kind, with the item's index. A foreign error (a bug, or one of
 * n8n itself) comes back as it is.
 */
export function toNodeError(error: unknown, node: INode, itemIndex?: number): Error {
	const place = itemIndex === undefined ? {} : { itemIndex };
	const apiError = ({ status }: Failure, message: string, description: string): NodeApiError => {
		const plain: JsonObject = { message };
		// Never a network code here: n8n would replace the message, and advise to retry a write.
		const httpCode = String(status ?? 'none');
		const shown = new NodeApiError(node, plain, { message, description, httpCode, ...place });
		// n8n replaces a message in which the letters of a system code occur, wherever they stand.
		shown.message = message;
		return shown;
	};
	if (error instanceof ServiceFailure) {
		return apiError(error.failure, error.message, failureTexts(error.failure).advice);
	}
	if (error instanceof ReportedError && error.failure !== undefined) {
		return apiError(error.failure, error.message, error.advice);
	}
	if (
		error instanceof InputError ||
		error instanceof ReportedError ||
		error instanceof CredentialError
	) {
		const where = itemIndex === undefined ? '' : `Item ${itemIndex}: `;
		const advice =
			error instanceof CredentialError
				? 'Correct the Payment Collection API credential. Nothing was sent.'
				: (error.advice ?? 'Correct the value. Nothing was sent.');
		const operationError = new NodeOperationError(node, error.message, {
			description: where + advice,
			...place,
		});
		operationError.message = error.message;
		return operationError;
	}
	return error instanceof Error ? error : new Error(String(error));
}
