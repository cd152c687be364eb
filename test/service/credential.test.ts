import type { IHttpRequestOptions } from 'n8n-workflow';

import { PaymentCollectionApi } from '../../credentials/PaymentCollectionApi.credentials';
import { CredentialError, parseApiKey, parseBaseUrl } from '../../nodes/shared/service/credential';
import { PLANTED } from '../support/secrets/secrets';

const KEY = PLANTED.apiKey;
const { authenticate } = new PaymentCollectionApi();

/** Options of both forms of a request in n8n. */
type AnyOptions = Partial<IHttpRequestOptions> & {
	uri?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

async function authenticated(
	options: AnyOptions,
	credentials: { baseUrl?: unknown; apiKey?: unknown } = {},
): Promise<AnyOptions> {
	const data = { baseUrl: 'https://api.example', apiKey: KEY, ...credentials };
	return await authenticate(
		data as Parameters<typeof authenticate>[0],
		options as IHttpRequestOptions,
	);
}

const keyIn = ({ headers }: AnyOptions): unknown => headers?.['X-API-KEY'];

describe('the base URL', () => {
	it.each([
		['https://api.example', 'https://api.example'],
		[' https://api.example \n', 'https://api.example'],
		['HTTPS://API.Example:443', 'https://api.example'],
		['http://[::1]:8080/', 'http://[::1]:8080'],
		['https://api.example//v1// ', 'https://api.example'],
		['https://api.example/pay/v1', 'https://api.example/pay'],
		['https://api.example/pay-v1', 'https://api.example/pay-v1'],
		['https://api.example//pay//in//', 'https://api.example/pay/in'],
		['https://api.example/@merchant', 'https://api.example/@merchant'],
	])('%j is read as %s', (typed, address) => {
		expect(parseBaseUrl(typed)).toBe(address);
	});

	it.each([
		['', 'is empty'],
		[undefined, 'is empty'],
		[42, 'must be a text, not a value of type number'],
		['api.example', 'must begin with http:// or https:// and a host name'],
		['ftp://api.example', 'must begin with'],
		['https:api.example', 'must begin with'],
		['https://', 'must begin with'],
		['https://api.example\n.evil.example', 'must not contain spaces'],
		['https://api.example\\@evil.example', 'must not contain spaces or backslashes'],
		['https://user@api.example', 'must not contain a user name'],
		['https://@api.example', 'must not contain a user name'],
		['https://api.example?key=1', 'must not contain ? or #'],
		['https://api.example/#a', 'must not contain ? or #'],
		['https://api.example/v1/charges', 'contains the path of an endpoint: remove /v1/charges'],
		[
			'https://api.example/x/V1//checkout/1',
			'contains the path of an endpoint: remove /V1/checkout/1',
		],
		['https://api.example:99999', 'is not a valid URL'],
	])('%j is refused: it %s', (typed, reason) => {
		expect(() => parseBaseUrl(typed)).toThrow(CredentialError);
		expect(() => parseBaseUrl(typed)).toThrow(`Base URL ${reason}`);
	});
});

describe('the API key', () => {
	it.each([KEY, ` ${KEY}`, `${KEY}\n`, `\t${KEY} `])('is trimmed: %j', (typed) => {
		expect(parseApiKey(typed)).toBe(KEY);
	});

	it.each([
		['', 'is empty'],
		[undefined, 'is empty'],
		[1_234_567_890, 'must be a text, not a value of type number'],
		[`${KEY}\nX-Other: 1`, 'must not contain spaces, line breaks or non-ASCII characters'],
		[`${KEY} ${KEY}`, 'must not contain'],
		[`${KEY}é`, 'must not contain'],
	])('%j is refused by an error that does not contain it', (typed, reason) => {
		expect(() => parseApiKey(typed)).toThrow(`API Key ${reason}`);
		expect(() => parseApiKey(typed)).not.toThrow(KEY);
	});
});

describe('authenticate', () => {
	it.each<[string, AnyOptions]>([
		['an absolute URL', { url: 'https://api.example/v1/links' }],
		['another spelling of the origin', { url: 'HTTPS://API.EXAMPLE:443/v1/links' }],
		['a path on the base URL', { baseURL: 'https://api.example', url: '/v1/links' }],
		['a URL with another base URL', { baseURL: 'https://b.example', url: 'https://api.example/' }],
		['the base URL alone', { baseURL: 'https://api.example', url: '' }],
		['the older form', { uri: 'https://api.example/v1/links' }],
		['the older form with a URL object', { uri: new URL('https://api.example/v1/links') }],
		['the older form with a base URL', { baseURL: 'https://api.example', uri: '/v1/links' }],
	])('adds the key to %s', async (_what, options) => {
		expect(keyIn(await authenticated(options))).toBe(KEY);
	});

	it.each<[string, AnyOptions]>([
		['another host', { url: 'https://evil.example/v1/links' }],
		['a subdomain', { url: 'https://x.api.example/' }],
		['a host that begins alike', { url: 'https://api.example.evil.example/' }],
		['another port', { url: 'https://api.example:8443/' }],
		['another scheme', { url: 'http://api.example/' }],
		['a host without a scheme', { url: '//evil.example/' }],
		['its own host without a scheme', { url: '//api.example/' }],
		['its own host as user info', { url: 'https://api.example@evil.example/' }],
		['its own host after a backslash', { url: 'https://evil.example\\@api.example/' }],
		['its own base URL and a URL', { baseURL: 'https://api.example', url: 'https://b.example/' }],
		['// with its own base URL', { baseURL: 'https://api.example', url: '//evil.example/' }],
		['a path on another base URL', { baseURL: 'https://evil.example', url: '/v1/links' }],
		['a host that the path ends', { baseURL: 'https://api.example.', url: 'evil.example/' }],
		['no readable URL', { url: 'https://' }],
		['a path alone', { url: '/v1/links' }],
		['nothing', {}],
		['the older form', { uri: 'https://evil.example/' }],
		['the older form with a URL object', { uri: new URL('https://evil.example/') }],
		['the older form with both', { baseURL: 'https://api.example', uri: 'https://evil.example/' }],
		['an object as URL', { uri: { href: 'https://api.example/' } }],
	])('adds no key to %s', async (_what, options) => {
		expect(JSON.stringify(await authenticated(options))).not.toContain(KEY);
	});

	it('turns redirects off in both forms, also if the caller wants them', async () => {
		const asked = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
		const off = { followRedirect: false, followAllRedirects: false, maxRedirects: 0 };
		const options = await authenticated({ uri: 'https://api.example/', ...asked });
		expect(options).toMatchObject({ ...off, disableFollowRedirect: true });
	});

	it('keeps all other options, and does not change the caller’s objects', async () => {
		const headers = Object.freeze({ Accept: 'text/csv' });
		const other = { body: { a: 1 }, qs: { b: 2 }, timeout: 1, proxy: { host: 'p', port: 1 } };
		const options = Object.freeze({ url: 'https://api.example/', headers, ...other });
		const first = await authenticated(options);
		expect(first).toMatchObject({ url: options.url, ...other });
		expect(first.headers).toEqual({ Accept: 'text/csv', 'X-API-KEY': KEY });
		expect(options.headers).toEqual({ Accept: 'text/csv' });
		const next = await authenticated({ ...options, url: 'https://evil.example/' });
		expect(next.headers).toEqual({ Accept: 'text/csv' });
	});

	it('replaces the entered base URL by the checked one', async () => {
		const baseUrl = 'https://api.example/pay/v1/';
		const options = await authenticated({ baseURL: baseUrl, url: '/v1/charges' }, { baseUrl });
		expect(options.baseURL).toBe('https://api.example/pay');
		expect(keyIn(options)).toBe(KEY);
	});

	it('sends nothing with a credential that can’t be used', async () => {
		const sent = authenticated({ url: 'https://api.example/' }, { apiKey: `${KEY}\nX-Other: 1` });
		await expect(sent).rejects.toThrow('API Key must not contain');
	});
});
