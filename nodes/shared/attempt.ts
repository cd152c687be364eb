import { clock } from './clock';
import { ReportedError } from './failures';
import type { Failure } from './failures';
import { plainText } from './plainText';
import { redactText } from './redaction';
import type { ServiceRequest } from './transport';

const REQUEST_TIMEOUT_STATUS = 408;
/** Found and See Other: what services answer after they have carried a form out. The others ask to send it elsewhere. */
const FOUND_STATUSES: ReadonlySet<number> = new Set([302, 303]);
/** Of a message of the service; a longer one is cut. */
const MAX_MESSAGE_LENGTH = 500;

/** Faults of a connection that was never made: the service can't have seen the request. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

/** What n8n's HTTP helper gives for a full response. */
export interface FullResponse {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
}

/** One try of a request: the body of a success, or what went wrong. */
export interface Outcome {
	readonly body?: unknown;
	readonly failure?: Failure;
}

/** Sends a request once and reads what comes as a success or a failure, without secrets. */
export async function attemptOnce(
	request: ServiceRequest,
	attempts: number,
	sendOnce: () => Promise<FullResponse>,
	apiKey: string,
): Promise<Outcome> {
	const about = {
		request: `${request.endpoint.method} ${request.endpoint.path}`,
		isWrite: request.endpoint.method !== 'GET',
		attempts,
		detail: '',
	};
	let response: FullResponse;
	try {
		response = await sendOnce();
	} catch (error) {
		return { failure: { ...about, ...connectionFailure(error, apiKey) } };
	}
	const { statusCode: status, body, headers } = response;
	const isSuccess = status >= 200 && status < 300;
	if (isSuccess && !isErrorBody(body)) return { body };
	if (status >= 300 && status < 400) {
		const notExecuted = !FOUND_STATUSES.has(status);
		return { failure: { ...about, kind: 'redirect', status, notExecuted } };
	}
	return {
		failure: {
			...about,
			kind: 'http',
			status,
			...serviceError(body, apiKey),
			...retryAfter(headers),
			// A refusal: the service read the request and said no. What a 5xx or a 408 stands for is not certain.
			notExecuted: status >= 400 && status < 500 && status !== REQUEST_TIMEOUT_STATUS,
		},
	};
}

/**
 * n8n wraps the HTTP client's error, whose code says what happened. Nothing else of it is kept: it holds the
 * request with its headers, and so the key.
 */
function connectionFailure(
	error: unknown,
	apiKey: string,
): Pick<Failure, 'kind' | 'detail' | 'notExecuted'> {
	const { code, message } = rootOf(error);
	if (code === undefined) {
		throw new ReportedError(
			redactText(message, apiKey),
			'The request was stopped before it left n8n. Nothing was sent.',
		);
	}
	const timedOut = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && /timeout/i.test(message));
	return {
		kind: timedOut ? 'timeout' : 'network',
		detail: code,
		notExecuted: NEVER_CONNECTED.has(code),
	};
}

/** The innermost error with a code, or else the outermost message. */
function rootOf(error: unknown): { code?: string; message: string } {
	const outermost = error instanceof Error ? error.message : String(error);
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		const { code } = cause as { code?: unknown };
		if (typeof code === 'string') return { code, message: cause.message };
	}
	return { message: outermost };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** An error under a success status, in the document's shape or as text: no record of the service has that field. */
function isErrorBody(body: unknown): boolean {
	return isRecord(body) && (isRecord(body.error) || plainText(body.error).trim() !== '');
}

/** Section "Errors" shows one body shape, for one operation: other usual places for a text are read as well. */
function serviceError(
	body: unknown,
	apiKey: string,
): Pick<Failure, 'serviceMessage' | 'serviceCode'> {
	if (!isRecord(body)) return {};
	const error = isRecord(body.error) ? body.error : {};
	const message = [error.message, body.error, body.message, body.detail].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	const { code } = error;
	return {
		...(message === undefined
			? {}
			: { serviceMessage: redactText(message, apiKey).slice(0, MAX_MESSAGE_LENGTH) }),
		...(typeof code === 'string' || typeof code === 'number'
			? { serviceCode: redactText(String(code), apiKey).slice(0, MAX_MESSAGE_LENGTH) }
			: {}),
	};
}

/** Retry-After in both of HTTP's forms, seconds or a date. */
function retryAfter(headers: FullResponse['headers']): Pick<Failure, 'retryAfterMs'> {
	const text = plainText(headers['retry-after']).trim();
	if (text === '') return {};
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
	return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}
