import { sleep, type IAllExecuteFunctions, type IDataObject } from 'n8n-workflow';
import { CancelledError, clock, sleepUnlessAborted, throwIfCancelled } from '../clock';
import { TOO_MANY_REQUESTS, mayRetry, type Failure } from '../errors/failure';
import { ServiceFailure } from '../errors/reportedError';
import { CREDENTIAL_NAME, parseApiKey, parseBaseUrl, readCredential } from './credential';
import { requestOptions, type RequestSettings } from './requestOptions';
import type { ServiceRequest } from './request';
import { cancelSignalOf } from '../n8nFeatures';
import { attemptOnce, tooLate, type FullResponse } from './attempt';
import { RequestLimiter } from './requestLimiter';

/** So long after the first attempt of a request, no other one begins. */
const RETRY_BUDGET_MS = 60_000;
const MAX_TRIES = 4;
const FIRST_RETRY_DELAY_MS = 500;

interface SendOptions {
	/** Called right before the request goes out, each time. */
	readonly beforeSend?: () => void;
	/** Called each time before the request goes out again; what it throws ends the sending. */
	readonly beforeRetry?: (failure: Failure) => Promise<void>;
	/** Called with the HTTP status of a success. */
	readonly onSuccess?: (status: number) => void;
	/** When the last attempt must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs?: number | undefined;
}

/** Sends requests of one item (or one poll, or one list search) to the service. */
export interface Transport {
	readonly apiKey: string;
	/** Without a slash or `/v1` at its end. */
	readonly baseUrl: string;
	readonly signal: AbortSignal | undefined;
	/**
	 * The record of a successful answer, as answers.ts has it; empty where there is none and none is needed.
	 * @throws {ServiceFailure} when every attempt that the rules allow has failed
	 */
	send(request: ServiceRequest, options?: SendOptions): Promise<IDataObject>;
}

interface TransportOptions {
	readonly itemIndex?: number;
	readonly limiter?: RequestLimiter;
	readonly settings?: RequestSettings;
	readonly sentBy?: Failure['sentBy'];
	/** Milliseconds after the first attempt of a request in which it can be sent again. */
	readonly retryBudgetMs?: number;
	/** Holds back what has not left yet. What is under way is ended by cancelling the execution alone. */
	readonly stop?: AbortSignal | undefined;
}

/**
 * The one way of both nodes to the service: key only to the credential's own origin, no redirects, no second
 * attempt of n8n's own after a 401, bounded requests in flight, timeouts, retries, and failures without secrets.
 *
 * @throws {CredentialError} when the credential's address or key can't be used
 * @throws {InputError} when the Request Options can't
 */
export async function openTransport(
	context: IAllExecuteFunctions,
	{
		itemIndex = 0,
		limiter = new RequestLimiter(),
		settings = {},
		sentBy,
		retryBudgetMs = RETRY_BUDGET_MS,
		stop,
	}: TransportOptions = {},
): Promise<Transport> {
	const data = await readCredential(context, itemIndex);
	// Given along with each request: n8n would read the credential from its database and decrypt it each time, and
	// evaluate expressions in it for the first item.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_NAME, data };
	const baseUrl = parseBaseUrl(data['baseUrl']);
	const apiKey = parseApiKey(data['apiKey']);
	const fixedOptions = requestOptions(settings);
	const cancel = cancelSignalOf(context);
	const signal = cancel && stop ? AbortSignal.any([cancel, stop]) : (cancel ?? stop);

	const sendOnce = async (
		{ endpoint: { method, path }, id = '', qs, body }: ServiceRequest,
		{ beforeSend, deadlineMs = Infinity }: SendOptions,
	): Promise<FullResponse> => {
		// Items that begin together have all read their values by then: one that is refused stops the others before they leave.
		if (method !== 'GET') await sleep(0);
		throwIfCancelled(signal);
		const leftMs = deadlineMs - clock.elapsed();
		const timeout = Math.max(1, Math.ceil(Math.min(fixedOptions.timeout, leftMs)));
		// The client's own timeout begins anew with every byte that comes: this one is for the whole answer.
		const late = AbortSignal.timeout(timeout);
		const ended = cancel === undefined ? late : AbortSignal.any([cancel, late]);
		const options = {
			...fixedOptions,
			timeout,
			method,
			url: baseUrl + path.replace('{id}', encodeURIComponent(id)),
			// Authentication writes into these objects: each attempt gets its own.
			headers: {},
			...(qs === undefined ? {} : { qs: { ...qs } }),
			...(body === undefined ? {} : { body }),
		};
		// n8n would put the execution's signal in its place.
		Object.defineProperty(options, 'abortSignal', {
			get: () => ended,
			set: () => undefined,
			enumerable: true,
		});
		beforeSend?.();
		return (await context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL_NAME, options, { credentialsDecrypted })
			.catch((error: unknown) => {
				throw late.aborted ? tooLate() : error;
			})) as FullResponse;
	};

	const send: Transport['send'] = async (request, options = {}) => {
		const { beforeRetry, onSuccess, deadlineMs = Infinity } = options;
		let endMs = 0;
		let failure: Failure | undefined;
		try {
			for (let tries = 1; ; tries++) {
				const result = await limiter.withPermit(async (halvingsAtStart) => {
					// Waiting for its turn after many others is no part of a request's attempts.
					if (tries === 1) endMs = Math.min(clock.elapsed() + retryBudgetMs, deadlineMs);
					const once = async (): Promise<FullResponse> => await sendOnce(request, options);
					const answered = await attemptOnce(request, tries, once, { apiKey, baseUrl });
					if (answered.failure?.status === TOO_MANY_REQUESTS) limiter.slowDown(halvingsAtStart);
					return answered;
				}, signal);
				if (result.failure === undefined) {
					onSuccess?.(result.status);
					return result.record;
				}
				failure = { ...result.failure, sentBy };
				throwIfCancelled(signal);
				const delay = retryDelay(failure);
				const isOver = delay === undefined || clock.elapsed() + delay > endMs;
				if (isOver) throw new ServiceFailure(failure);
				await sleepUnlessAborted(delay, signal);
				await beforeRetry?.(failure);
			}
		} catch (error) {
			// The outcome of a write has to be reported, also when everything else is stopped before its next attempt.
			throw failure?.isWrite && error instanceof CancelledError
				? new ServiceFailure(failure)
				: error;
		}
	};

	return { apiKey, baseUrl, signal, send };
}

/** Milliseconds until the failed request may be tried again, or undefined when it may not. */
function retryDelay(failure: Failure): number | undefined {
	const { attempts, retryAfterMs = 0 } = failure;
	if (!mayRetry(failure) || attempts >= MAX_TRIES) return undefined;
	// Half of it by chance, so that many executions that failed together do not come back together.
	const backoff = FIRST_RETRY_DELAY_MS * 2 ** (attempts - 1) * (0.5 + clock.random() / 2);
	return Math.max(retryAfterMs, backoff);
}
