import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { parse } from 'node:querystring';
import { text as textOf } from 'node:stream/consumers';

import { forgetAll } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';

export interface RecordedRequest {
	method: string;
	path: string;
	/** A parameter given several times is an array. */
	query: Record<string, string | string[]>;
	headers: IncomingHttpHeaders;
	/** Parsed if it is JSON, else the text; undefined when there was none. */
	body: unknown;
	/** Requests being answered at its arrival, itself included. */
	inFlight: number;
}

export type Answer =
	| {
			kind: 'reply';
			status: number;
			headers?: Record<string, string>;
			body?: string;
	  }
	/** Promises more bytes than `body` has, sends it and cuts the line. */
	| { kind: 'partial'; body: string }
	/** Cuts the line when the whole request is there. */
	| { kind: 'reset' }
	| { kind: 'hang' }
	/** A success whose body never comes to its end: a blank every few milliseconds. */
	| { kind: 'trickle' };

export type Handler = (request: RecordedRequest, count: number) => Answer | Promise<Answer>;

const TRICKLE_MS = 10;

export const text = (
	body: string,
	status = 200,
	contentType = 'text/plain',
	headers: Record<string, string> = {},
): Answer => ({
	kind: 'reply',
	status,
	headers: { 'content-type': contentType, ...headers },
	body,
});

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
	text(JSON.stringify(body), status, 'application/json', headers);

export const failure = (
	status: number,
	message: string,
	code = 'error',
	headers: Record<string, string> = {},
): Answer => json({ error: { message, code } }, status, headers);

export const html = (body = '<html><body>Sign in</body></html>', status = 200): Answer =>
	text(body, status, 'text/html');

export const empty = (status = 204): Answer => ({ kind: 'reply', status });

export const redirect = (location: string, status = 302): Answer => ({
	kind: 'reply',
	status,
	headers: { location },
});

export const partial = (body: string): Answer => ({ kind: 'partial', body });

export const reset = (): Answer => ({ kind: 'reset' });

export const hang = (): Answer => ({ kind: 'hang' });

export const trickle = (): Answer => ({ kind: 'trickle' });

/** A URL that refuses connections. The port of a closed server could be used again at once. */
export const NOBODY = { url: 'http://127.0.0.1:1' };

/** More than a request needs to arrive that is ready to be sent. */
const TURNS = 100;

/** The answer, held back until all that may be sent meanwhile has arrived: for turns of the event loop, not for a time. */
export async function afterOthers(answer: Answer): Promise<Answer> {
	for (let turn = 0; turn < TURNS; turn += 1) {
		await new Promise((resolve) => setImmediate(resolve));
	}
	return answer;
}

const openServers = new Set<ScriptedServer>();

// Imported by a test file, it cleans up after it: no test has to remember to.
if (typeof afterAll === 'function')
	afterAll(async () => {
		await Promise.all([...openServers].map(async (server) => await server.close()));
	});

/** Has any server listen on a free port. @returns its host and port */
export async function listening(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server on a free port of 127.0.0.1 that answers as the script says. */
export async function scriptedServer(handler: Handler): Promise<ScriptedServer> {
	// An earlier service may have had the same port, and charges of the same IDs.
	forgetAll();
	const server = new ScriptedServer(handler);
	await server.start();
	return server;
}

/** A server that answers all alike. */
export const always = async (answer: Answer): Promise<ScriptedServer> =>
	await scriptedServer(() => answer);

export class ScriptedServer {
	/** Without a trailing slash. */
	url = '';
	readonly requests: RecordedRequest[] = [];
	private readonly server = createServer((request, response) => void this.take(request, response));
	private open = 0;
	private most = 0;

	constructor(private readonly handler: Handler) {}

	async start(): Promise<void> {
		this.url = `http://${await listening(this.server)}`;
		openServers.add(this);
	}

	/** "GET /v1/charges" for every request, in order of arrival. */
	calls(): string[] {
		return this.requests.map(({ method, path }) => `${method} ${path}`);
	}

	maxInFlight(): number {
		return this.most;
	}

	async arrived(count: number): Promise<void> {
		while (this.requests.length < count) await new Promise(setImmediate);
	}

	/** Resolves when no request is in flight and none follows. */
	async settled(): Promise<void> {
		for (let quiet = 0, before = -1; quiet < 20; quiet += 1) {
			if (this.open > 0 || this.requests.length !== before) quiet = 0;
			before = this.requests.length;
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	/** Answers what is under way, and no connection is made any more. */
	leave(): void {
		this.server.close();
	}

	async close(): Promise<void> {
		openServers.delete(this);
		const isClosed = this.server.listening ? once(this.server, 'close') : undefined;
		this.server.close();
		this.server.closeAllConnections();
		await isClosed;
	}

	private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.open += 1;
		this.most = Math.max(this.most, this.open);
		response.once('close', () => (this.open -= 1));
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		const recorded: RecordedRequest = {
			method: request.method ?? 'GET',
			path: url.pathname,
			query: { ...parse(url.search.slice(1)) } as RecordedRequest['query'],
			headers: request.headers,
			body: undefined,
			inFlight: this.open,
		};
		const count = this.requests.push(recorded);
		try {
			recorded.body = parseBody(await textOf(request));
			await this.send(await this.handler(recorded, count), response);
		} catch (error) {
			// A mistake in a script must be seen in the test, not as a hanging request.
			if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' });
			response.end(`The test's script failed: ${String(error)}`);
		}
	}

	private async send(answer: Answer, response: ServerResponse): Promise<void> {
		const type = { 'content-type': 'application/json' };
		switch (answer.kind) {
			case 'hang':
				return;
			case 'trickle': {
				response.writeHead(200, type);
				const timer = setInterval(() => response.write(' '), TRICKLE_MS);
				response.once('close', () => clearInterval(timer));
				return;
			}
			case 'reset':
				response.socket?.resetAndDestroy();
				return;
			case 'partial':
				response.writeHead(200, { ...type, 'content-length': answer.body.length + 100 });
				response.write(answer.body, () => response.socket?.destroy());
				return;
			case 'reply': {
				const { status, headers, body } = answer;
				if (!this.server.listening) response.setHeader('connection', 'close');
				response.writeHead(status, headers).end(body);
			}
		}
	}
}

function parseBody(body: string): unknown {
	try {
		return body === '' ? undefined : (JSON.parse(body) as unknown);
	} catch {
		return body;
	}
}
