import { sleep, type IAllExecuteFunctions, type ICredentialsDecrypted } from 'n8n-workflow';
import { CancelledError, clock, sleepUnlessAborted, throwIfCancelled } from '../clock';
import type { Failure } from '../errors/failure';
import { ServiceFailure } from '../errors/reportedError';
import {
	CREDENTIAL_NAME,
	parseApiKey,
	parseBaseUrl,
	requestOptions,
	type RequestSettings,
} from './settings';
import type { SendOptions, ServiceRequest } from './request';
import { TOO_MANY_REQUESTS, mayRetry } from '../errors/failureTable';
import { cancelSignalOf } from '../n8nFeatures';
import { attemptOnce, tooLate, type FullResponse } from './attempt';
import { RequestLimiter } from './requestLimiter';

/** All tries of one request, waits between them included. */
const RETRY_BUDGET_MS = 60_000;
const MAX_TRIES = 4;
const FIRST_RETRY_DELAY_MS = 500;

/** Sends requests of one item (or one poll, or one list search) to the service. */
export interface Transport {
	/** The credential's key, for redaction. */
	readonly apiKey: string;
	/** Without a slash or `/v1` at its end. */
	readonly baseUrl: string;
	readonly signal: AbortSignal | undefined;
	/**
	 * The parsed body of a successful answer; an empty text where there was none.
	 * @throws {ServiceFailure} when every try that the rules allow has failed
	 */
	send(request: ServiceRequest, options?: SendOptions): Promise<unknown>;
}

interface TransportOptions {
	readonly itemIndex?: number;
	readonly limiter?: RequestLimiter;
	readonly settings?: RequestSettings;
	/** For all tries of one request, in milliseconds. */
	readonly retryBudgetMs?: number;
	/** Holds back what has not left yet. What is under way is ended by cancelling the execution alone. */
	readonly stop?: AbortSignal | undefined;
}

/**
 * The one way of both nodes to the service: key only to the credential's own origin, no redirects, no second
 * try of n8n's own after a 401, bounded requests in flight, timeouts, retries, and failures without secrets.
 *
 * @throws {CredentialError} when the credential's address or key can't be used
 * @throws {InputError} when the Request Options can't
 */
export async function openTransport(
	context: IAllExecuteFunctions,
	options: TransportOptions = {},
): Promise<Transport> {
	const data = await context.getCredentials(CREDENTIAL_NAME, options.itemIndex ?? 0);
	return new HttpTransport(context, { id: '', name: '', type: CREDENTIAL_NAME, data }, options);
}

class HttpTransport implements Transport {
	readonly apiKey: string;

	readonly baseUrl: string;

	readonly signal: AbortSignal | undefined;

	private readonly limiter: RequestLimiter;

	private readonly cancel: AbortSignal | undefined;

	private readonly retryBudgetMs: number;

	private readonly fixedOptions: ReturnType<typeof requestOptions>;

	/**
	 * @param credentialsDecrypted given along with each request: n8n would read the credential from its database and decrypt
	 *   it each time, and evaluate expressions in it for the first item
	 */
	constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly credentialsDecrypted: ICredentialsDecrypted,
		{ limiter, settings = {}, retryBudgetMs = RETRY_BUDGET_MS, stop }: TransportOptions,
	) {
		this.baseUrl = parseBaseUrl(credentialsDecrypted.data?.['baseUrl']);
		this.apiKey = parseApiKey(credentialsDecrypted.data?.['apiKey']);
		this.limiter = limiter ?? new RequestLimiter();
		this.cancel = cancelSignalOf(context);
		this.signal =
			this.cancel && stop ? AbortSignal.any([this.cancel, stop]) : (this.cancel ?? stop);
		this.retryBudgetMs = retryBudgetMs;
		this.fixedOptions = requestOptions(settings);
	}

	async send(request: ServiceRequest, options: SendOptions = {}): Promise<unknown> {
		const { beforeRetry, deadlineMs = Infinity } = options;
		const { limiter, signal } = this;
		let endMs = 0;
		let failure: Failure | undefined;
		try {
			for (let tries = 1; ; tries++) {
				const result = await limiter.withPermit(async (halvingsAtStart) => {
					// Waiting for its turn behind many others is no part of a request's tries.
					if (tries === 1) endMs = Math.min(clock.elapsed() + this.retryBudgetMs, deadlineMs);
					const sendOnce = async (): Promise<FullResponse> => await this.sendOnce(request, options);
					const answered = await attemptOnce(request, tries, sendOnce, this.apiKey);
					if (answered.failure?.status === TOO_MANY_REQUESTS) limiter.slowDown(halvingsAtStart);
					return answered;
				}, signal);
				if (result.failure === undefined) return result.body;
				failure = result.failure;
				throwIfCancelled(signal);
				const delay = retryDelay(failure);
				const isOver = delay === undefined || clock.elapsed() + delay > endMs;
				if (isOver) throw new ServiceFailure(failure);
				await sleepUnlessAborted(delay, signal);
				await beforeRetry?.(failure);
			}
		} catch (error) {
			// What became of a write has to be told, also when everything else is stopped before its next try.
			throw failure?.isWrite && error instanceof CancelledError
				? new ServiceFailure(failure)
				: error;
		}
	}

	private async sendOnce(
		request: ServiceRequest,
		{ beforeSend, deadlineMs = Infinity }: SendOptions,
	): Promise<FullResponse> {
		const { method } = request.endpoint;
		// Items that begin together have all read their values by then: one that is refused stops the others before they leave.
		if (method !== 'GET') await sleep(0);
		throwIfCancelled(this.signal);
		const leftMs = deadlineMs - clock.elapsed();
		const timeout = Math.max(1, Math.ceil(Math.min(this.fixedOptions.timeout, leftMs)));
		// The client's own timeout begins anew with every byte that comes: this one is for the whole answer.
		const late = AbortSignal.timeout(timeout);
		const ended = this.cancel === undefined ? late : AbortSignal.any([this.cancel, late]);
		const options = {
			...this.fixedOptions,
			timeout,
			method,
			url: this.baseUrl + pathOf(request),
			// Authentication writes into these objects: each try gets its own.
			headers: {},
			...(request.qs === undefined ? {} : { qs: { ...request.qs } }),
			...(request.body === undefined ? {} : { body: request.body }),
		};
		// n8n would put the execution's signal in its place.
		Object.defineProperty(options, 'abortSignal', {
			get: () => ended,
			set: () => undefined,
			enumerable: true,
		});
		beforeSend?.();
		const { credentialsDecrypted } = this;
		return (await this.context.helpers.httpRequestWithAuthentication
			.call(this.context, CREDENTIAL_NAME, options, { credentialsDecrypted })
			.catch((error: unknown) => {
				throw late.aborted ? tooLate() : error;
			})) as FullResponse;
	}
}

const pathOf = ({ endpoint, id }: ServiceRequest): string =>
	endpoint.path.replace('{id}', encodeURIComponent(id ?? ''));

/** Milliseconds until the failed request may be tried again, or undefined when it may not. */
function retryDelay(failure: Failure): number | undefined {
	const { attempts, retryAfterMs = 0 } = failure;
	if (!mayRetry(failure) || attempts >= MAX_TRIES) return undefined;
	// Half of it by chance, so that many executions that failed together do not come back together.
	const backoff = FIRST_RETRY_DELAY_MS * 2 ** (attempts - 1) * (0.5 + clock.random() / 2);
	return Math.max(retryAfterMs, backoff);
}
