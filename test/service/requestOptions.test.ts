import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { requestOptions, type RequestSettings } from '../../nodes/shared/service/requestOptions';
import { getMany, idsOf, listOf, rowsUpTo, shownError } from '../support/lists';
import { scriptedServer } from '../support/servers/http-server';

describe('the proxy of Request Options', () => {
	it.each(['', 'ada:s%40fe@'])('carries the requests, logged in as "%s"', async (login) => {
		const proxy = await scriptedServer(listOf(3));
		const address = proxy.url.replace('//', `//${login}`);
		const { json } = await getMany('http://api.example.com', {
			requestOptions: { proxy: address, allowUnauthorizedCerts: true },
		});
		expect(idsOf(json)).toEqual(idsOf(rowsUpTo(3)));
		const asWhom = proxy.requests.map(({ headers }) => headers['proxy-authorization']);
		expect(asWhom).toEqual([login === '' ? undefined : `Basic ${btoa('ada:s@fe')}`]);
	});

	it.each([
		...['no proxy', 'http://', ':3128', 'http://ada:100%@proxy.example', 'http://%ff:x@a.example'],
		...['file:///etc', 'socks5://ada:s@127.0.0.1:1'],
	])('is refused by name if it is "%s"', async (proxy) => {
		const service = await scriptedServer(listOf(3));
		const result = await getMany(service.url, { requestOptions: { proxy } });
		const { message, description } = shownError(result);
		expect(message).toContain("'Request Options → Proxy' must be a URL");
		expect(description).toContain('write % as %25');
		expect(service.calls()).toEqual([]);
		// n8n logs the whole node of an error at debug level.
		const logs = result.logs.filter(({ level }) => level !== 'debug');
		expect(JSON.stringify(logs)).not.toContain('ada:');
	});
});

describe('the timeout of Request Options', () => {
	const LONGEST = 2_147_483_647;

	it.each([String(LONGEST), '', null])('can be %p', async (timeout) => {
		const service = await scriptedServer(listOf(3));
		const { json } = await getMany(service.url, { requestOptions: { timeout } });
		expect(idsOf(json)).toEqual(idsOf(rowsUpTo(3)));
	});

	it.each([LONGEST + 1, NaN, -1, 'soon'])(
		'is refused by name if it is %p, which would end at once',
		async (timeout) => {
			const service = await scriptedServer(listOf(3));
			const options = { requestOptions: { timeout } as INodeParameters };
			const { message } = shownError(await getMany(service.url, options));
			expect(message).toContain("'Request Options → Timeout' is ");
			expect(message).toContain(`it must be a whole number from 0 to ${LONGEST}`);
			expect(service.calls()).toEqual([]);
		},
	);
});

const host = 'proxy.example.com';

it.each<[RequestSettings, Partial<IHttpRequestOptions>]>([
	[{ proxy: `http://${host}` }, { proxy: { protocol: 'http', host, port: 80 } }],
	[{ proxy: `https://${host}` }, { proxy: { protocol: 'https', host, port: 443 } }],
	[{ proxy: `https://${host}:3128` }, { proxy: { protocol: 'https', host, port: 3128 } }],
	[{ timeout: 0 }, { timeout: 30_000 }],
	[{ timeout: 1234 }, { timeout: 1234 }],
])('Request Options %j send a request with %j', (settings, options) => {
	expect(requestOptions(settings)).toMatchObject(options);
});
