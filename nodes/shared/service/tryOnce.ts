import type { IDataObject } from 'n8n-workflow';
import { CancelledError, clock } from '../clock';
import type { Failure } from '../errors/failure';
import { causeOf, type SystemError } from '../n8nAdapter';
import { asError, plainText } from '../values';
import { shownText } from '../redaction/redactText';
import { recordOrProblem, saysFailed, serviceError, unwrapped, usualReasons } from './answers';
import { aboutRequest, type ServiceRequest } from './request';

export interface FullResponse {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
}

type TryResult =
	| { readonly status: number; readonly record: IDataObject; readonly failure?: undefined }
	| { readonly failure: Failure };

export const tooLate = (): Error => Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });

/** Sends a request once. A failure has no secrets. @throws {CancelledError} when stopped before the request went out */
export async function tryOnce(
	request: ServiceRequest,
	tries: number,
	sendOnce: () => Promise<FullResponse>,
	{ apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string },
): Promise<TryResult> {
	const about = { ...aboutRequest(request), tries, detail: '' };
	const failed = (what: Pick<Failure, 'kind'> & Partial<Failure>): { failure: Failure } => ({
		failure: { ...about, ...what },
	});
	const response = await sendOnce().catch((error: unknown): TryResult => {
		if (error instanceof CancelledError) throw error;
		const { code, message, neverConnected, isBlocked } = connectionFault(error);
		const detail = code ?? shownText(message, apiKey);
		if (isBlocked) return failed({ kind: 'blocked', detail });
		if (REFUSED_CERTIFICATE.test(detail)) return failed({ kind: 'certificate', detail });
		if (UNREADABLE.test(detail)) return failed({ kind: 'unreadable', detail });
		const isLate = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && /timeout/i.test(message));
		const kind = isLate && !neverConnected ? 'timeout' : 'network';
		// A request that n8n stopped counts as `network`: its error doesn't say whether it had left.
		return failed({ kind, detail, neverConnected });
	});
	if (!('statusCode' in response)) return response;
	const { statusCode: status, headers } = response;
	if (isTooDeep(response.body)) return failed({ kind: 'unreadable', detail: 'nested too deeply' });
	const body = unwrapped(response.body, request);
	if (status >= 200 && status < 300) {
		if (saysFailed(body, request))
			return failed({ kind: 'http', status, ...serviceError(body, apiKey) });
		const found = recordOrProblem(body, status, request);
		if (typeof found === 'object') return { status, record: found };
		return failed({ kind: 'malformed', detail: found, ...usualReasons(body, apiKey) });
	}
	if (status >= 300 && status < 400) {
		const target = plainText(headers['location']).replace(new URL(baseUrl).origin, '');
		// Shown only within the same origin, and without its query, which can repeat the key.
		const [path] = /^\/(?!\/)[^?#]*/.exec(target) ?? [];
		return failed({ kind: 'redirect', status, detail: shownText(path, apiKey) });
	}
	// JSON comes from the service, whatever its content type says.
	const isHtml = typeof body === 'string' && /html/i.test(plainText(headers['content-type']));
	const isWebPage = isHtml || /^\s*</.test(plainText(body));
	const reasons = isWebPage ? { isWebPage } : serviceError(body, apiKey);
	return failed({ kind: 'http', status, ...reasons, ...retryAfter(headers) });
}

/** More levels than the contract has. All code that walks a response relies on this bound. */
const MAX_BODY_DEPTH = 200;

function isTooDeep(value: unknown, most = MAX_BODY_DEPTH): boolean {
	if (!isObject(value)) return false;
	return most === 0 || Object.values(value).some((inner) => isTooDeep(inner, most - 1));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const MOST_WAIT_MS = 365 * 24 * 3_600_000;

/** Retry-After in both of HTTP's forms, seconds or a date. */
function retryAfter(headers: FullResponse['headers']): Pick<Failure, 'retryAfterMs'> {
	const text = plainText(headers['retry-after']).trim();
	if (text === '') return {};
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
	return Math.abs(ms) < MOST_WAIT_MS ? { retryAfterMs: Math.max(0, ms) } : {};
}

/** Codes of a connection that was never made, by system call: a connection in use can break with some of the same codes. */
const NEVER_CONNECTED: Readonly<Record<string, RegExp>> = {
	connect: /^E(ADDRNOTAVAIL|CONNREFUSED|HOSTDOWN|HOSTUNREACH|NETDOWN|NETUNREACH|TIMEDOUT)$/,
	getaddrinfo: /^(EAI_AGAIN|ENODATA|ENOTFOUND)$/,
};

/** Node refused the server's certificate, so nothing was sent. Codes that begin with ERR_SSL are the server's refusals. */
const REFUSED_CERTIFICATE =
	/^(CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** Node can't parse or decode the response, or it is too long for a text. One that just ends is a broken connection. */
const UNREADABLE = /^(?:HPE_(?!INVALID_EOF)|Z_|ERR__ERROR_FORMAT|ERR_(?:STRING|BUFFER)_TOO_L)/;

/** n8n's error wraps the HTTP client's, which wraps the system's. Unless all of it excludes a connection, one counts as made. */
export function connectionFault(error: unknown) {
	const chain = causesOf(error);
	const coded = chain.find(({ code }) => typeof code === 'string');
	const connections = chain
		.flatMap(connectionsOf)
		.filter(({ syscall }) => typeof syscall === 'string');
	return {
		code: coded && String(coded.code),
		message: coded?.message ?? asError(error).message,
		neverConnected: connections.length > 0 && connections.every(isNeverConnected),
		// n8n's SSRF protection blocked it before anything was sent.
		isBlocked: chain.some(({ name }) => plainText(name).startsWith('SsrfBlocked')),
	};
}

function causesOf(error: unknown): SystemError[] {
	const chain: SystemError[] = [];
	for (let cause = error; isErrorLike(cause) && !chain.includes(cause); cause = causeOf(cause)) {
		chain.push(cause);
	}
	return chain;
}

/** Node's errors can be of another realm, where `instanceof` fails. */
const isErrorLike = (value: unknown): value is SystemError => isObject(value) && 'message' in value;

/** A host with several addresses fails with one error for each. */
const connectionsOf = (error: SystemError): SystemError[] =>
	Array.isArray(error.errors) ? (error.errors as SystemError[]) : [error];

const isNeverConnected = ({ code, syscall }: SystemError): boolean =>
	NEVER_CONNECTED[String(syscall)]?.test(String(code)) === true;
