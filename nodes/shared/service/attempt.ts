import { clock } from '../clock';
import { CancelledError } from '../errors/cancellation';
import { connectionFault } from './connectionFault';
import { ReportedError } from '../errors/failures';
import type { Failure } from '../errors/failure';
import { isRecord } from '../isRecord';
import { plainText } from '../plainText';
import { redactText } from '../redaction/redactText';
import type { ServiceRequest } from './request';
import { serviceError } from './serviceError';
import { outcomeOf } from './writeOutcome';

/** What n8n's HTTP helper gives for a full response. */
export interface FullResponse {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
}

/** One try of a request: the body of a success, or what went wrong. */
export interface TryResult {
	readonly body?: unknown;
	readonly failure?: Failure;
}

/** Sends a request once and reads what comes as a success or a failure, without secrets. */
export async function attemptOnce(
	request: ServiceRequest,
	attempts: number,
	sendOnce: () => Promise<FullResponse>,
	apiKey: string,
): Promise<TryResult> {
	const about = {
		request: `${request.endpoint.method} ${request.endpoint.path}`,
		isWrite: request.endpoint.method !== 'GET',
		isForId: (request.id ?? request.qs?.['id']) !== undefined,
		attempts,
		detail: '',
	};
	/** The table of answers decides what may be said of a write. */
	const failed = (
		what: Pick<Failure, 'kind'> & Partial<Failure>,
		neverConnected = false,
	): TryResult => {
		const outcome = outcomeOf({ kind: what.kind, status: what.status, neverConnected });
		const notExecuted = outcome === 'notCarriedOut';
		return { failure: { ...about, ...what, notExecuted } };
	};
	const response = await sendOnce().catch((error: unknown): TryResult => {
		if (error instanceof CancelledError) throw error;
		const { code, message, neverConnected } = connectionFault(error);
		if (code === undefined) {
			const detail = redactText(message, apiKey);
			// n8n itself stops some requests. Which, and whether before they left, its errors do not tell.
			if (about.isWrite) return failed({ kind: 'stopped', detail });
			throw new ReportedError(detail, 'n8n stopped the request. Nothing was changed.');
		}
		const isLate = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && /timeout/i.test(message));
		const kind = isLate && !neverConnected ? 'timeout' : 'network';
		return failed({ kind, detail: code }, neverConnected);
	});
	if (!('statusCode' in response)) return response;
	const { statusCode: status, body, headers } = response;
	const isSuccess = status >= 200 && status < 300;
	if (isSuccess && !isErrorBody(body)) return { body };
	if (status >= 300 && status < 400) return failed({ kind: 'redirect', status });
	return failed({
		kind: 'http',
		status,
		...serviceError(isPage(headers) ? undefined : body, apiKey),
		...retryAfter(headers),
	});
}

/** An error under a success status, in the document's shape or as text: no record of the service has that field. */
function isErrorBody(body: unknown): boolean {
	return isRecord(body) && (isRecord(body['error']) || plainText(body['error']).trim() !== '');
}

const isPage = (headers: FullResponse['headers']): boolean =>
	/html/i.test(plainText(headers['content-type']));

/** Retry-After in both of HTTP's forms, seconds or a date. */
function retryAfter(headers: FullResponse['headers']): Pick<Failure, 'retryAfterMs'> {
	const text = plainText(headers['retry-after']).trim();
	if (text === '') return {};
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
	return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}
