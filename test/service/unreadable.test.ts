import { createServer } from 'node:net';

import '../support/clock';
import { OPERATIONS, runOperation, uuid } from '../support/operations';
import { listening } from '../support/servers/http-server';

/** Answers that Node's HTTP parser or its decoders refuse, byte by byte as they come. */

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

it.each([
	['a broken chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`],
	['gzip that is none', `${OK}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`],
	['brotli that is none', `${OK}Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}`],
	['headers without end', `${OK}X-Long: ${'a'.repeat(70_000)}\r\n\r\n{}`],
	['no HTTP at all', 'SSH-2.0-OpenSSH_9.7\r\n'],
])('%s is no fault of the connection, and is not tried again', async (_what, bytes) => {
	let connections = 0;
	const server = createServer((socket) => {
		connections += 1;
		socket.on('error', () => undefined);
		socket.once('data', () => socket.end(bytes));
	});
	const url = `http://${await listening(server)}`;
	const run = async (name: 'charge getAll' | 'link create') =>
		(await runOperation({ url }, { ...OPERATIONS[name], items: [{ key: uuid(1) }] })).error;
	expect((await run('charge getAll'))?.message).toMatch(/^The service’s response can’t be read \(/);
	expect(connections).toBe(1);
	expect((await run('link create'))?.message).toMatch(
		/^UNKNOWN whether the link was created.*response/,
	);
	expect(connections).toBe(2);
	server.close();
});
