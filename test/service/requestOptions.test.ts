import { request as httpRequest, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';
import { ENDPOINTS } from '../../contract/constants';
import { openTransport } from '../../nodes/shared/service/transport';
import { useFakeClock } from '../support/clock';

import { getMany, idsOf, listOf, rowsUpTo, shownError } from '../support/lists';
import { OPERATIONS, runOperation, uuid } from '../support/operations';
import { json, scriptedServer } from '../support/servers/http-server';

/** A forward proxy that notes who asked for what. */
async function startProxy(): Promise<{ server: Server; port: number; seen: string[] }> {
	const seen: string[] = [];
	const server = createServer((incoming, outgoing) => {
		seen.push(`${incoming.headers['proxy-authorization'] ?? 'nobody'} ${incoming.url ?? ''}`);
		const onward = httpRequest(
			incoming.url ?? '',
			{ method: incoming.method, headers: incoming.headers },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			},
		);
		incoming.pipe(onward);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, port: (server.address() as AddressInfo).port, seen };
}

describe('the proxy of Request Options', () => {
	it.each(['', 'ada:s%40fe@'])('carries the requests, logged in as "%s"', async (login) => {
		const { server: proxy, port, seen } = await startProxy();
		const service = await scriptedServer(listOf(3));
		const { json } = await getMany(service.url, {
			requestOptions: { proxy: `http://${login}127.0.0.1:${port}`, allowUnauthorizedCerts: true },
		});
		proxy.close();
		expect(idsOf(json)).toEqual(idsOf(rowsUpTo(3)));
		expect(seen).toHaveLength(1);
		const expected = login === '' ? 'nobody' : `Basic ${btoa('ada:s@fe')}`;
		expect(seen[0]?.startsWith(expected)).toBe(true);
	});

	it.each([
		...['no proxy', 'http://', ':3128', 'http://ada:100%@proxy.example', 'http://%ff:x@a.example'],
		...['file:///etc', 'socks5://ada:s@127.0.0.1:1'],
	])('is refused by name when it is "%s"', async (proxy) => {
		const service = await scriptedServer(listOf(3));
		const result = await getMany(service.url, { requestOptions: { proxy } });
		const { message, description } = shownError(result);
		expect(message).toContain('Request Options → Proxy must be a URL');
		expect(description).toContain('write % as %25');
		expect(service.calls()).toEqual([]);
		// When debugging, n8n logs the whole node of an error.
		const logs = result.logs.filter(({ level }) => level !== 'debug');
		expect(JSON.stringify(logs)).not.toContain('ada:');
	});
});

describe('the timeout of Request Options', () => {
	const LONGEST = 2_147_483_647;

	it.each([String(LONGEST), '', null])('may be %p', async (timeout) => {
		const service = await scriptedServer(listOf(3));
		const { json } = await getMany(service.url, { requestOptions: { timeout } });
		expect(idsOf(json)).toEqual(idsOf(rowsUpTo(3)));
	});

	it.each([LONGEST + 1, NaN, -1, 'soon'])(
		'is refused by name when it is %p: no timer is that long, and it would end at once',
		async (timeout) => {
			const service = await scriptedServer(listOf(3));
			const requestOptions = { timeout } as INodeParameters;
			const { message } = shownError(await getMany(service.url, { requestOptions }));
			expect(message).toContain('Request Options → Timeout is ');
			expect(message).toContain(`it must be a whole number from 0 to ${LONGEST}`);
			expect(service.calls()).toEqual([]);
		},
	);

	it('that can’t be used leaves no write in doubt', async () => {
		const service = await scriptedServer(() => json({ id: uuid(1) }));
		const { error } = await runOperation(service, {
			...OPERATIONS['link create'],
			items: [{ key: 'x' }],
			requestOptions: { timeout: LONGEST + 1 },
		});
		expect(error?.message).not.toContain('UNKNOWN');
		expect(service.requests).toEqual([]);
	});
});

/** What the transport hands to n8n's HTTP helper. */

const request = { endpoint: ENDPOINTS.chargeList };

/** A context of which n8n's helper notes what it is asked for, and answers as it is told. */
function contextOf(answer: (tries: number) => IDataObject): {
	context: IAllExecuteFunctions;
	asked: IHttpRequestOptions[];
} {
	const asked: IHttpRequestOptions[] = [];
	const context = {
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example.com', apiKey: 'key' }),
		helpers: {
			httpRequestWithAuthentication: async (_name: string, options: IHttpRequestOptions) => {
				asked.push(options);
				return await Promise.resolve({ headers: {}, ...answer(asked.length) });
			},
		},
	} as unknown as IAllExecuteFunctions;
	return { context, asked };
}

it.each([
	['http://proxy.example.com', 80],
	['https://proxy.example.com', 443],
	['https://proxy.example.com:3128', 3128],
])('a proxy at %s is asked at port %i', async (proxy, port) => {
	const { context, asked } = contextOf(() => ({ statusCode: 200, body: {} }));
	await (await openTransport(context, { settings: { proxy } })).send(request);
	expect(asked).toMatchObject([{ proxy: { host: 'proxy.example.com', port } }]);
});

it.each([
	[undefined, 30_000],
	[0, 30_000],
	[1234, 1234],
])('a timeout of %p means that an answer is waited for so many ms: %i', async (timeout, wait) => {
	const { context, asked } = contextOf(() => ({ statusCode: 200, body: {} }));
	await (await openTransport(context, { settings: { timeout } })).send(request);
	expect(asked).toMatchObject([{ timeout: wait }]);
});

it('a deadline shortens the wait for an answer, and ends the tries', async () => {
	const clock = useFakeClock();
	const { context, asked } = contextOf((tries) => ({ statusCode: tries === 1 ? 200 : 503 }));
	const transport = await openTransport(context);
	await transport.send(request, { deadlineMs: clock.now() + 5_000 });
	await expect(transport.send(request, { deadlineMs: clock.now() + 100 })).rejects.toThrow('503');
	expect(asked.map(({ timeout }) => timeout)).toEqual([5_000, 100]);
});

it('says right before each try that the request goes out', async () => {
	useFakeClock();
	const order: string[] = [];
	const { context } = contextOf((tries) => {
		order.push(`try ${tries}`);
		return tries === 1 ? { statusCode: 429 } : { statusCode: 200, body: {} };
	});
	const transport = await openTransport(context);
	await transport.send(request, { beforeSend: () => order.push('before') });
	expect(order).toEqual(['before', 'try 1', 'before', 'try 2']);
});
