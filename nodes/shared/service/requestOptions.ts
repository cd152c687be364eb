import type { IHttpRequestOptions } from 'n8n-workflow';
import { InputError } from '../errors/reportedError';
import { checkInteger, isNothing } from '../input/inputChecks';
import { plainText } from '../values';

/** Longest wait for a response, unless Request Options say otherwise. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** Node's longest timer: a longer one fires after 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface RequestSettings {
	/** Milliseconds. */
	readonly timeout?: unknown;
	readonly proxy?: unknown;
	readonly allowUnauthorizedCerts?: unknown;
	/** n8n applies it only to declarative operations; runItems.ts does so for the others. */
	readonly batching?: { readonly batch?: { batchSize?: number; batchInterval?: number } };
}

/** @throws {InputError} when the Request Options can't be used */
export function requestOptions(
	settings: RequestSettings,
): Omit<IHttpRequestOptions, 'url'> & { timeout: number } {
	return {
		json: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		// n8n would repeat a request answered with 401, even a POST.
		ignoreHttpStatusErrors: true,
		timeout: readTimeout(settings.timeout) || REQUEST_TIMEOUT_MS,
		...(settings.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
		...(settings.proxy ? { proxy: readProxy(settings.proxy) } : {}),
	};
}

const readTimeout = (value: unknown): number =>
	isNothing(value) ? 0 : checkInteger(value, "'Request Options → Timeout'", 0, MAX_TIMER_MS);

/** Default ports. For any other protocol, n8n would bypass the proxy and log its URL, password included. */
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
		// Reported below.
	}
	throw new InputError(
		"'Request Options → Proxy' must be a URL such as http://proxy.example.com:3128",
		'In a user name or password, write % as %25, @ as %40 and : as %3A. Nothing was sent.',
	);
}

/** @throws for a % that encodes nothing, as in a password that was pasted as it is */
const authentication = (username: string, password: string) => ({
	username: decodeURIComponent(username),
	password: decodeURIComponent(password),
});
