import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { ENDPOINTS } from '../../../contract/constants';
import type { Failure } from '../errors/failure';
import { InputError } from '../errors/inputError';
import { checkInteger, isNothing } from '../input/inputChecks';
import { plainText } from '../values';

/** Longest wait for one answer, unless the node's Request Options say otherwise. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** The longest that a timer takes: of more it makes 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];

/** One request of the service, checked already. */
export interface ServiceRequest {
	readonly endpoint: Endpoint;
	/** What stands for `{id}` in the path: it is encoded, but must have been checked (`..` survives encoding). */
	readonly id?: string;
	readonly qs?: Readonly<Record<string, string | number>>;
	readonly body?: IDataObject;
}

/** What the user may set about how requests are sent: n8n's Request Options. Expressions may give anything. */
export interface RequestSettings {
	/** Milliseconds. */
	readonly timeout?: unknown;
	readonly proxy?: unknown;
	readonly allowUnauthorizedCerts?: unknown;
}

export interface SendOptions {
	/** Called right before the request goes out, each time. */
	readonly beforeSend?: () => void;
	/** Called each time before the request goes out again; what it throws ends the sending. */
	readonly beforeRetry?: (failure: Failure) => Promise<void>;
	/** When the last try must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs?: number;
}

/**
 * What n8n's HTTP client is told about every request.
 *
 * @throws {InputError} when the Request Options hold what can't be used
 */
export function requestOptions(
	settings: RequestSettings,
): Omit<IHttpRequestOptions, 'url'> & { timeout: number } {
	return {
		json: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		// n8n would send a request answered 401 a second time, a POST too.
		ignoreHttpStatusErrors: true,
		timeout: readTimeout(settings.timeout) || REQUEST_TIMEOUT_MS,
		...(settings.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
		...(settings.proxy ? { proxy: readProxy(settings.proxy) } : {}),
	};
}

/** Zero for the node's own. A longer time than a timer takes would be none at all. */
const readTimeout = (value: unknown): number =>
	isNothing(value) ? 0 : checkInteger(value, 'Request Options → Timeout', 0, MAX_TIMER_MS);

type Proxy = NonNullable<IHttpRequestOptions['proxy']>;

function readProxy(address: unknown): Proxy {
	const proxy = proxyIn(plainText(address).trim());
	if (proxy === undefined) {
		throw new InputError(
			'Request Options → Proxy must be a URL such as http://proxy.example.com:3128',
			'In a user name or password, write % as %25, @ as %40 and : as %3A. Nothing was sent.',
		);
	}
	return proxy;
}

/** With the port where none is named. Of any other protocol n8n would log, password and all, that it goes without the proxy. */
const PROXY_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function proxyIn(text: string): Proxy | undefined {
	try {
		const { protocol, hostname: host, port, username, password } = new URL(text);
		const usualPort = PROXY_PORTS[protocol];
		if (usualPort === undefined) return undefined;
		return {
			host,
			port: Number(port) || usualPort,
			protocol: protocol.replace(':', ''),
			// Fails for a % that encodes nothing, as a password that was pasted as it is may hold.
			...(username === ''
				? {}
				: {
						auth: {
							username: decodeURIComponent(username),
							password: decodeURIComponent(password),
						},
					}),
		};
	} catch {
		return undefined;
	}
}
