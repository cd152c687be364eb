import type { IAllExecuteFunctions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { ENDPOINTS } from '../../contract/endpoints';
import { parseApiKey, parseBaseUrl } from './credentialFields';
import { clock, sleepUnlessAborted } from './clock';
import { ExecutionScope } from './executionScope';
import { ReportedError, ServiceFailure } from './failures';
import type { Failure } from './failures';
import { redactText } from './redaction';

export const CREDENTIAL_NAME = 'paymentCollectionApi';

/** Longest wait for one answer, unless the node's Request Options say otherwise. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** All tries of one request, waits between them included. */
export const RETRY_BUDGET_MS = 60_000;
export const MAX_TRIES = 4;
const FIRST_RETRY_DELAY_MS = 500;
/** Of a message of the service; a longer one is cut. */
const MAX_MESSAGE_LENGTH = 500;

/** Statuses after which a read is tried again. A write is tried again after 429 alone: there it was refused unread. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT_STATUS = 408;

/** Faults of a connection that was never made: the service can't have seen the request. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];

/** One request of the service, checked already. */
export interface ServiceRequest {
	readonly endpoint: Endpoint;
	/** What stands for `{id}` in the path: it is encoded, but must have been checked (`..` survives encoding). */
	readonly id?: string;
	readonly qs?: Readonly<Record<string, string | number>>;
	readonly body?: IDataObject;
}

/** What the user may set about how requests are sent: n8n's Request Options. */
export interface RequestSettings {
	/** Milliseconds. */
	readonly timeout?: number;
	readonly proxy?: string;
	readonly allowUnauthorizedCerts?: boolean;
}

interface FullResponse {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
}

/** Sends requests of one item (or one poll, or one list search) to the service. */
export interface Transport {
	/** The credential's key, for redaction. */
	readonly apiKey: string;
	/** Address and key, for a fingerprint of the account. */
	readonly baseUrl: string;
	readonly scope: ExecutionScope;
	readonly signal: AbortSignal | undefined;
	/**
	 * The parsed body of a successful answer; an empty text where there was none.
	 * @throws {ServiceFailure} when every try that the rules allow has failed
	 */
	send(request: ServiceRequest): Promise<unknown>;
}

/**
 * The one way of both nodes to the service: key only to the credential's own origin, no redirects, no second
 * try of n8n's own after a 401, bounded requests in flight, timeouts, retries, and failures without secrets.
 *
 * @throws {CredentialError} when the credential's address or key can't be used
 */
export async function openTransport(
	context: IAllExecuteFunctions,
	{
		itemIndex = 0,
		scope = new ExecutionScope(),
		settings = {},
		retryBudgetMs = RETRY_BUDGET_MS,
	}: {
		itemIndex?: number;
		scope?: ExecutionScope;
		settings?: RequestSettings;
		retryBudgetMs?: number;
	} = {},
): Promise<Transport> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME, itemIndex);
	const baseUrl = parseBaseUrl(credentials.baseUrl);
	const apiKey = parseApiKey(credentials.apiKey);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const fixedOptions = requestOptions(settings);

	const sendOnce = async (request: ServiceRequest): Promise<FullResponse> =>
		(await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, {
			...fixedOptions,
			method: request.endpoint.method,
			url: baseUrl + pathOf(request),
			// Authentication writes into these objects: each try gets its own.
			headers: {},
			...(request.qs === undefined ? {} : { qs: { ...request.qs } }),
			...(request.body === undefined ? {} : { body: request.body }),
		})) as FullResponse;

	const send = async (request: ServiceRequest): Promise<unknown> => {
		const deadline = clock.now() + retryBudgetMs;
		for (let attempt = 1; ; attempt++) {
			signal?.throwIfAborted();
			const outcome = await scope.whenFree(async (startedAt) => {
				const result = await attemptOnce(
					request,
					attempt,
					async () => await sendOnce(request),
					apiKey,
				);
				if (result.failure?.status === TOO_MANY_REQUESTS) scope.slowDown(startedAt);
				return result;
			});
			if (outcome.failure === undefined) return outcome.body;
			signal?.throwIfAborted();
			const delay = retryDelay(outcome.failure);
			if (delay === undefined || clock.now() + delay > deadline) {
				throw new ServiceFailure(outcome.failure);
			}
			await sleepUnlessAborted(delay, signal);
		}
	};

	return { apiKey, baseUrl, scope, signal, send };
}

function requestOptions(settings: RequestSettings): Omit<IHttpRequestOptions, 'url'> {
	return {
		json: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		// n8n would send a request answered 401 a second time, a POST too.
		ignoreHttpStatusErrors: true,
		timeout:
			settings.timeout !== undefined && settings.timeout > 0
				? settings.timeout
				: REQUEST_TIMEOUT_MS,
		...(settings.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
		...(settings.proxy ? { proxy: readProxy(settings.proxy) } : {}),
	};
}

function readProxy(address: string): NonNullable<IHttpRequestOptions['proxy']> {
	const url = new URL(address);
	return {
		host: url.hostname,
		port: Number(url.port),
		protocol: url.protocol.replace(':', ''),
		...(url.username === ''
			? {}
			: {
					auth: {
						username: decodeURIComponent(url.username),
						password: decodeURIComponent(url.password),
					},
				}),
	};
}

function pathOf({ endpoint, id }: ServiceRequest): string {
	return endpoint.path.replace('{id}', encodeURIComponent(id ?? ''));
}

interface Outcome {
	readonly body?: unknown;
	readonly failure?: Failure;
}

async function attemptOnce(
	request: ServiceRequest,
	attempts: number,
	sendOnce: () => Promise<FullResponse>,
	apiKey: string,
): Promise<Outcome> {
	const about = {
		request: `${request.endpoint.method} ${request.endpoint.path}`,
		isWrite: request.endpoint.method !== 'GET',
		attempts,
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
		return { failure: { ...about, kind: 'redirect', status, notExecuted: true } };
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

/** Milliseconds until the failed request may be tried again, or undefined when it may not. */
function retryDelay({
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document's error body under a success status: whatever it is, it is no record. */
function isErrorBody(body: unknown): boolean {
	return isRecord(body) && isRecord(body.error) && typeof body.error.message === 'string';
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
	const text = String(headers['retry-after'] ?? '').trim();
	if (text === '') return {};
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
	return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}
