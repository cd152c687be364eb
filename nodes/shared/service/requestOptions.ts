import type { IHttpRequestOptions } from 'n8n-workflow';
import { InputError } from '../errors/reportedError';
import { checkInteger, isNothing } from '../input/inputChecks';
import { plainText } from '../values';

/** Longest wait for one answer, unless the node's Request Options say otherwise. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** The longest that a timer takes: of more it makes 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** n8n's Request Options of a node. */
export interface RequestSettings {
	/** Milliseconds. */
	readonly timeout?: unknown;
	readonly proxy?: unknown;
	readonly allowUnauthorizedCerts?: unknown;
	/** n8n itself applies it to declarative operations alone. */
	readonly batching?: { readonly batch?: { batchSize?: number; batchInterval?: number } };
}

/**
 * What every request asks of n8n's HTTP client.
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
	isNothing(value) ? 0 : checkInteger(value, "'Request Options → Timeout'", 0, MAX_TIMER_MS);

/** With the port where none is named. Of any other protocol n8n would log, password and all, that it goes without the proxy. */
const PROXY_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function readProxy(address: unknown): NonNullable<IHttpRequestOptions['proxy']> {
	try {
		const { protocol, hostname: host, port, username, password } = new URL(plainText(address));
		const usualPort = PROXY_PORTS[protocol];
		if (usualPort !== undefined) {
			return {
				host,
				port: Number(port) || usualPort,
				protocol: protocol.replace(':', ''),
				...(username === '' ? {} : { auth: authentication(username, password) }),
			};
		}
	} catch {
		// Said below.
	}
	throw new InputError(
		"'Request Options → Proxy' must be a URL such as http://proxy.example.com:3128",
		'In a user name or password, write % as %25, @ as %40 and : as %3A. Nothing was sent.',
	);
}

/** @throws for a % that encodes nothing, as a password that was pasted as it is may hold */
const authentication = (username: string, password: string) => ({
	username: decodeURIComponent(username),
	password: decodeURIComponent(password),
});
