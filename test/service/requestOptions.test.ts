import { request as httpRequest, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getMany, idsOf, listOf, rowsUpTo, shownError } from '../support/lists';
import { scriptedServer } from '../support/servers/http-server';

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
		...['no proxy', 'file:///etc', 'http://', 'http://[::1', 'http://a b', ':3128'],
		...['http://ada:100%@proxy.example', 'http://%zz@proxy.example', 'http://%ff:x@proxy.example'],
	])('is refused by name when it is "%s"', async (proxy) => {
		const service = await scriptedServer(listOf(3));
		const result = await getMany(service.url, { requestOptions: { proxy } });
		const { message, description } = shownError(result);
		expect(message).toContain('Request Options → Proxy must be a URL');
		expect(description).toContain('write % as %25');
		expect(service.calls()).toEqual([]);
	});
});
