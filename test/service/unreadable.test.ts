import { createServer } from 'node:net';

import '../support/clock';
import { OPERATIONS, OPERATION_NAMES, runExample, sent, uuid } from '../support/operations';
import { WRITES } from '../support/writeMatrix';
import { listening, scriptedServer, text, type Answer } from '../support/servers/http-server';

/** Responses that Node's HTTP parser or decoders refuse, and those that are nested too deeply. */

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

it.each([
	['a broken chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`],
	['invalid gzip', `${OK}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`],
	['invalid Brotli', `${OK}Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}`],
	['headers without end', `${OK}X-Long: ${'a'.repeat(70_000)}\r\n\r\n{}`],
	['no HTTP at all', 'SSH-2.0-OpenSSH_9.7\r\n'],
])('a response with %s is unreadable, and is not requested again', async (_what, bytes) => {
	let connections = 0;
	const server = createServer((socket) => {
		connections += 1;
		socket.on('error', () => undefined);
		socket.once('data', () => socket.end(bytes));
	});
	const url = `http://${await listening(server)}`;
	const run = async (name: 'charge getAll' | 'link create') =>
		(await runExample({ url }, OPERATIONS[name])).error;
	expect((await run('charge getAll'))?.message).toMatch(/^The service’s response can’t be read \(/);
	expect(connections).toBe(1);
	expect((await run('link create'))?.message).toMatch(
		/^UNKNOWN whether the link was created.*response/,
	);
	expect(connections).toBe(2);
	server.close();
});

const nested = (levels: number): Answer => {
	const status = '['.repeat(levels) + ']'.repeat(levels);
	return text(`{"id":"${uuid(1)}","message":"ok","status":${status}}`, 200, 'application/json');
};

describe.each(OPERATION_NAMES)('%s', (name) => {
	const run = async (answer: Answer) => {
		const testCase = OPERATIONS[name];
		const isRefund = name === 'charge refund';
		const server = await scriptedServer((request) =>
			isRefund && request.method === 'GET' ? testCase.answers(uuid(1), request) : answer,
		);
		const { error } = await runExample(server, testCase);
		return { message: error?.message ?? '', sent: sent(server) };
	};
	const isWrite = WRITES.some((write) => write.name === name);

	it.each([250, 100_000])('can’t read a response that is nested %i levels deep', async (levels) => {
		const { message, sent: requests } = await run(nested(levels));
		const words = 'The service’s response can’t be read \\(nested too deeply\\)';
		expect(message).toMatch(new RegExp(isWrite ? `^UNKNOWN .*${words}` : `^${words}`));
		const methods = requests.map(({ method }) => method);
		if (isWrite) expect(methods.filter((method) => method !== 'GET')).toHaveLength(1);
		else expect(methods).toEqual(['GET']);
	});

	it('reads a response that is nested up to 200 levels deep', async () => {
		const { message } = await run(nested(199));
		if (name === 'link get' || name === 'link create') expect(message).toBe('');
		else expect(message).not.toMatch(/can’t be read/);
	});
});
