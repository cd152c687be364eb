import { sleep, type IAllExecuteFunctions, type IDataObject } from 'n8n-workflow';
import { CancelledError, clock, sleepUnlessAborted, throwIfCancelled } from '../clock';
import { TOO_MANY_REQUESTS, mayRetry, type Failure } from '../errors/failure';
import { ServiceFailure } from '../errors/reportedError';
import { CREDENTIAL_NAME, parseApiKey, parseBaseUrl, readCredential } from './credential';
import { requestOptions, type RequestSettings } from './requestOptions';
import type { Endpoint, ReadEndpoint, ServiceRequest } from './request';
import { cancelSignalOf } from '../n8nAdapter';
import { tryOnce, tooLate, type FullResponse } from './tryOnce';
import { RequestLimiter } from './requestLimiter';

/** A request is sent again only within this time after it was first sent. */
const RETRY_BUDGET_MS = 60_000;
const MAX_TRIES = 4;
const FIRST_RETRY_DELAY_MS = 500;

interface SendOptions {
	readonly beforeSend?: () => void;
	/** Called before the request is sent again; an error that it throws prevents that. */
	readonly beforeRetry?: (failure: Failure) => Promise<void>;
	readonly onSuccess?: (status: number) => void;
	/** When the request must have ended, however often it is sent, in milliseconds of clock.elapsed(). */
	readonly deadlineMs?: number | undefined;
}

/** Sends the requests of one item, one poll, or one list search. By default, it takes only endpoints that read. */
export interface Transport<To extends Endpoint = ReadEndpoint> {
	readonly apiKey: string;
	/** Without a slash or `/v1` at its end. */
	readonly baseUrl: string;
	readonly signal: AbortSignal | undefined;
	/** @returns the record, see recordOrProblem in answers.ts @throws {ServiceFailure} when it has failed as often as allowed */
	readonly send: (request: ServiceRequest<To>, options?: SendOptions) => Promise<IDataObject>;
}

interface TransportOptions {
	readonly itemIndex?: number;
	readonly limiter?: RequestLimiter;
	readonly settings?: RequestSettings;
	readonly sentBy?: Failure['sentBy'];
	/** Time in which a request can be sent again, from when it was first sent. */
	readonly retryBudgetMs?: number;
	/** Stops requests that have not left yet. Only canceling the execution ends those in progress. */
	readonly stop?: AbortSignal | undefined;
}

/**
 * Both nodes reach the service only through this; only the credential's test does not. It sends the key to the credential's
 * own origin alone, follows no redirect, lets n8n repeat nothing after a 401, limits the requests in flight and the time of
 * each, retries, and returns failures without secrets.
 *
 * @throws {CredentialError | InputError} when the credential or the Request Options can't be used
 */
export async function openTransport<To extends Endpoint = ReadEndpoint>(
	context: IAllExecuteFunctions,
	{
		itemIndex = 0,
		limiter = new RequestLimiter(),
		settings = {},
		sentBy,
		retryBudgetMs = RETRY_BUDGET_MS,
		stop,
	}: TransportOptions = {},
): Promise<Transport<To>> {
	const data = await readCredential(context, itemIndex);
	// Passed with each request: n8n would read and decrypt the credential each time, and evaluate it for the first item.
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
		// Lets all items that began together check their values first: a bad one then stops the others before they send.
		if (method !== 'GET') await sleep(0);
		throwIfCancelled(signal);
		const leftMs = deadlineMs - clock.elapsed();
		const timeout = Math.max(1, Math.ceil(Math.min(fixedOptions.timeout, leftMs)));
		// The client's own timeout starts again with every byte: this one limits the whole response.
		const late = AbortSignal.timeout(timeout);
		const ended = cancel === undefined ? late : AbortSignal.any([cancel, late]);
		const options = {
			...fixedOptions,
			timeout,
			method,
			url: baseUrl + path.replace('{id}', encodeURIComponent(id)),
			// Authentication writes into these objects, so they are new each time.
			headers: {},
			...(qs === undefined ? {} : { qs: { ...qs } }),
			...(body === undefined ? {} : { body }),
		};
		// n8n would replace it with the execution's signal.
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

	const send: Transport<Endpoint>['send'] = async (request, options = {}) => {
		const { beforeRetry, onSuccess, deadlineMs = Infinity } = options;
		let endMs = 0;
		let failure: Failure | undefined;
		try {
			for (let tries = 1; ; tries++) {
				const result = await limiter.withPermit(async (halvingsAtStart) => {
					// The wait for a permit does not count.
					if (tries === 1) endMs = Math.min(clock.elapsed() + retryBudgetMs, deadlineMs);
					const once = async (): Promise<FullResponse> => await sendOnce(request, options);
					const answered = await tryOnce(request, tries, once, { apiKey, baseUrl });
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
				const givesUp = delay === undefined || clock.elapsed() + delay > endMs;
				if (givesUp) throw new ServiceFailure(failure);
				await sleepUnlessAborted(delay, signal);
				await beforeRetry?.(failure);
			}
		} catch (error) {
			// The outcome of a write must be reported, even if a stop prevents that it is sent again.
			throw failure?.isWrite && error instanceof CancelledError
				? new ServiceFailure(failure)
				: error;
		}
	};

	return { apiKey, baseUrl, signal, send };
}

/** Milliseconds; undefined if the request can't be repeated. */
function retryDelay(failure: Failure): number | undefined {
	const { tries, retryAfterMs = 0 } = failure;
	if (!mayRetry(failure) || tries >= MAX_TRIES) return undefined;
	// Half of it is random, so that executions that failed together do not return together.
	const backoff = FIRST_RETRY_DELAY_MS * 2 ** (tries - 1) * (0.5 + clock.random() / 2);
	return Math.max(retryAfterMs, backoff);
}
