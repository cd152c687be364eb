import type { IAllExecuteFunctions } from 'n8n-workflow';
import { CREDENTIAL_NAME, parseApiKey, parseBaseUrl } from './credentialFields';
import { throwIfCancelled } from '../errors/cancellation';
import { clock, sleepUnlessAborted } from '../clock';
import { cancelSignalOf } from '../n8nFeatures';
import { RequestLimiter } from './requestLimiter';
import { attemptOnce, type FullResponse } from './attempt';
import { ServiceFailure } from '../errors/failures';
import {
	REQUEST_TIMEOUT_MS,
	requestOptions,
	type RequestSettings,
	type SendOptions,
	type ServiceRequest,
} from './request';
import { RequestSignal } from './requestSignal';
import { RETRY_BUDGET_MS, TOO_MANY_REQUESTS, retryDelay } from './retry';

export { REQUEST_TIMEOUT_MS };

/** Sends requests of one item (or one poll, or one list search) to the service. */
export interface Transport {
	/** The credential's key, for redaction. */
	readonly apiKey: string;
	/** Address and key, for a fingerprint of the account. */
	readonly baseUrl: string;
	/** As it stands in the credential: what it is of interest for checks it. */
	readonly defaultCurrency: unknown;
	readonly limiter: RequestLimiter;
	readonly signal: AbortSignal | undefined;
	/**
	 * The parsed body of a successful answer; an empty text where there was none.
	 * @throws {ServiceFailure} when every try that the rules allow has failed
	 */
	send(request: ServiceRequest, options?: SendOptions): Promise<unknown>;
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
		limiter = new RequestLimiter(),
		settings = {},
		retryBudgetMs = RETRY_BUDGET_MS,
		stop,
	}: {
		itemIndex?: number;
		limiter?: RequestLimiter;
		settings?: RequestSettings;
		retryBudgetMs?: number;
		/** Ends what is under way as cancelling the execution does. */
		stop?: AbortSignal | undefined;
	} = {},
): Promise<Transport> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME, itemIndex);
	const baseUrl = parseBaseUrl(credentials['baseUrl']);
	const apiKey = parseApiKey(credentials['apiKey']);
	const cancel = cancelSignalOf(context);
	const signal = cancel && stop ? AbortSignal.any([cancel, stop]) : (cancel ?? stop);
	const fixedOptions = requestOptions(settings);
	// Given along: n8n would read the credential from its database and decrypt it for each request, and evaluate
	// expressions in it for the first item.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_NAME, data: credentials };

	const sendOnce = async (
		request: ServiceRequest,
		{ beforeSend, keptBack, deadlineMs = Infinity }: SendOptions,
	): Promise<FullResponse> => {
		const leftMs = deadlineMs - clock.elapsed();
		const timeout = Math.max(1, Math.min(fixedOptions.timeout, leftMs));
		const underWay = new RequestSignal({ cancel, stop }, timeout);
		const options = {
			...fixedOptions,
			timeout,
			method: request.endpoint.method,
			url: baseUrl + pathOf(request),
			// Authentication writes into these objects: each try gets its own.
			headers: {},
			...(request.qs === undefined ? {} : { qs: { ...request.qs } }),
			...(request.body === undefined ? {} : { body: request.body }),
		};
		// n8n would put the execution's signal in its place, which ends no answer that never comes to its end.
		Object.defineProperty(options, 'abortSignal', {
			get: () => underWay.signal,
			set: () => undefined,
			enumerable: true,
		});
		beforeSend?.();
		return (await context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL_NAME, options, { credentialsDecrypted })
			.catch((error: unknown) => {
				if (underWay.isKeptBack) keptBack?.();
				throw underWay.reasonOf(error);
			})
			.finally(() => underWay.end())) as FullResponse;
	};

	const send = async (request: ServiceRequest, options: SendOptions = {}): Promise<unknown> => {
		const { beforeRetry, deadlineMs = Infinity } = options;
		let deadline = 0;
		for (let attempt = 1; ; attempt++) {
			const outcome = await limiter.withPermit(async (halvingsAtStart) => {
				throwIfCancelled(signal);
				// Waiting for its turn behind many others is no part of a request's tries.
				if (attempt === 1) deadline = Math.min(clock.elapsed() + retryBudgetMs, deadlineMs);
				const result = await attemptOnce(
					request,
					attempt,
					async () => await sendOnce(request, options),
					apiKey,
				);
				if (result.failure?.status === TOO_MANY_REQUESTS) limiter.slowDown(halvingsAtStart);
				return result;
			}, signal);
			const { failure } = outcome;
			if (failure === undefined) return outcome.body;
			const delay = retryDelay(failure);
			const isOver = delay === undefined || clock.elapsed() + delay > deadline;
			// What became of a write has to be told, also when everything else was stopped meanwhile.
			if (isOver || (failure.isWrite && signal?.aborted === true)) {
				if (!failure.isWrite) throwIfCancelled(signal);
				throw new ServiceFailure(failure);
			}
			await sleepUnlessAborted(delay, signal).catch((error: unknown) => {
				throw failure.isWrite ? new ServiceFailure(failure) : error;
			});
			await beforeRetry?.(failure);
		}
	};

	const { defaultCurrency } = credentials;
	return { apiKey, baseUrl, defaultCurrency, limiter, signal, send };
}

function pathOf({ endpoint, id }: ServiceRequest): string {
	return endpoint.path.replace('{id}', encodeURIComponent(id ?? ''));
}
