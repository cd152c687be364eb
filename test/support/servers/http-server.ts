import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { forgetAll } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';

/** A request as it arrived, in order of arrival. */
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
	/** Milliseconds since the server started. */
	at: number;
}

export type Answer =
	| {
			kind: 'reply';
			status: number;
			headers?: Record<string, string>;
			body?: string;
			delayMs?: number;
	  }
	/** Promises `declaredLength` bytes, sends `body` and cuts the line. */
	| { kind: 'partial'; body: string; declaredLength: number }
	/** Cuts the line: before the body was read, or when the whole request was there. */
	| { kind: 'reset'; when: 'beforeReading' | 'afterReading' }
	| { kind: 'hang' }
	/** A success whose body never comes to its end: a blank every few milliseconds. */
	| { kind: 'trickle' };

export type Handler = (request: RecordedRequest, count: number) => Answer | Promise<Answer>;

export interface Rule {
	method?: string;
	path?: string | RegExp;
	/** Query parameters that must have these values; others may be there as well. */
	query?: Record<string, string>;
	/** One answer for ever, answers in turn (the last one stays), or a function. */
	answer: Answer | Answer[] | Handler;
}

const TRICKLE_MS = 10;

// --- Answers ---------------------------------------------------------------------------------

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
	return {
		kind: 'reply',
		status,
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	};
}

/** The service's error body. */
export function failure(
	status: number,
	message: string,
	code = 'error',
	headers: Record<string, string> = {},
): Answer {
	return json({ error: { message, code } }, status, headers);
}

export function html(body = '<html><body>Sign in</body></html>', status = 200): Answer {
	return { kind: 'reply', status, headers: { 'content-type': 'text/html' }, body };
}

export function text(body: string, status = 200, contentType = 'text/plain'): Answer {
	return { kind: 'reply', status, headers: { 'content-type': contentType }, body };
}

export function empty(status = 204): Answer {
	return { kind: 'reply', status };
}

export function redirect(location: string, status = 302): Answer {
	return { kind: 'reply', status, headers: { location } };
}

export function partial(body: string, declaredLength = body.length + 100): Answer {
	return { kind: 'partial', body, declaredLength };
}

export function reset(when: 'beforeReading' | 'afterReading' = 'afterReading'): Answer {
	return { kind: 'reset', when };
}

export function hang(): Answer {
	return { kind: 'hang' };
}

export function trickle(): Answer {
	return { kind: 'trickle' };
}

export function delayed(delayMs: number, answer: Answer): Answer {
	return answer.kind === 'reply' ? { ...answer, delayMs } : answer;
}

/** More than a request needs to arrive that is ready to be sent. */
const TURNS = 100;

/** The answer, held back until all that may be sent meanwhile has arrived: for turns of the event loop, not for a time. */
export async function afterOthers(answer: Answer): Promise<Answer> {
	for (let turn = 0; turn < TURNS; turn += 1) {
		await new Promise((resolve) => setImmediate(resolve));
	}
	return answer;
}

// --- Server ----------------------------------------------------------------------------------

export interface ScriptedServer {
	/** Without a trailing slash. */
	url: string;
	requests: RecordedRequest[];
	/** "GET /v1/charges" for every request, in order of arrival. */
	calls(): string[];
	maxInFlight(): number;
	/** Requests being answered at the moment. */
	inFlight(): number;
	/** Resolves as soon as that many requests have arrived. */
	arrived(count: number): Promise<void>;
	/** Takes another script from now on. */
	script(script: Handler | Rule[]): void;
	/** Forgets the requests so far. */
	forget(): void;
	/** Answers what is under way, and no connection is made any more. */
	leave(): void;
	close(): Promise<void>;
}

const openServers = new Set<ScriptedServer>();

async function closeServers(): Promise<void> {
	await Promise.all([...openServers].map(async (server) => await server.close()));
}

// Imported by a test file, it cleans up after it: no test has to remember to.
if (typeof afterAll === 'function') afterAll(closeServers);

/** Starts a server on a free port of 127.0.0.1 that answers as the script says. */
export async function scriptedServer(script: Handler | Rule[]): Promise<ScriptedServer> {
	// An earlier service may have had the same port, and charges of the same IDs.
	forgetAll();
	let handler = toHandler(script);
	const startedAt = Date.now();
	const requests: RecordedRequest[] = [];
	const sockets = new Set<Socket>();
	const delays = new Set<NodeJS.Timeout>();
	let waiting: Array<{ count: number; resolve: () => void }> = [];
	let inFlight = 0;
	let maxInFlight = 0;

	const server = createServer((request, response) => {
		inFlight += 1;
		maxInFlight = Math.max(maxInFlight, inFlight);
		response.once('close', () => {
			inFlight -= 1;
		});
		const arrivedAt = { inFlight, at: Date.now() - startedAt };
		void respond(request, response, arrivedAt).catch((error: unknown) => {
			// A mistake in a script must be seen in the test, not as a hanging request.
			const message = error instanceof Error ? error.message : String(error);
			if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' });
			response.end(`The test's script failed: ${message}`);
		});
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});

	async function respond(
		request: IncomingMessage,
		response: ServerResponse,
		arrival: Pick<RecordedRequest, 'inFlight' | 'at'>,
	): Promise<void> {
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		const recorded: RecordedRequest = {
			method: request.method ?? 'GET',
			path: url.pathname,
			query: toQuery(url.searchParams),
			headers: request.headers,
			body: undefined,
			...arrival,
		};
		requests.push(recorded);
		const count = requests.length;
		recorded.body = parseBody(await readBody(request));
		waiting = waiting.filter(({ count: wanted, resolve }) => {
			if (count < wanted) return true;
			resolve();
			return false;
		});
		const answer = await handler(recorded, count);
		switch (answer.kind) {
			case 'hang':
				return;
			case 'trickle': {
				response.writeHead(200, { 'content-type': 'application/json' });
				const timer = setInterval(() => response.write(' '), TRICKLE_MS);
				response.once('close', () => clearInterval(timer));
				return;
			}
			case 'reset':
				request.socket.resetAndDestroy();
				return;
			case 'partial':
				response.writeHead(200, {
					'content-type': 'application/json',
					'content-length': String(answer.declaredLength),
				});
				response.write(answer.body, () => request.socket.destroy());
				return;
			case 'reply':
				if (answer.delayMs !== undefined) await delay(answer.delayMs, delays);
				if (!server.listening) response.setHeader('connection', 'close');
				response.writeHead(answer.status, answer.headers);
				response.end(answer.body);
		}
	}

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});

	const scripted: ScriptedServer = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		calls: () => requests.map(({ method, path }) => `${method} ${path}`),
		maxInFlight: () => maxInFlight,
		inFlight: () => inFlight,
		arrived: async (count) => {
			if (requests.length >= count) return;
			await new Promise<void>((resolve) => waiting.push({ count, resolve }));
		},
		script: (next) => {
			handler = toHandler(next);
		},
		forget: () => {
			requests.length = 0;
			maxInFlight = inFlight;
		},
		leave: () => void server.close(),
		close: async () => {
			openServers.delete(scripted);
			for (const timer of delays) clearTimeout(timer);
			for (const socket of sockets) socket.destroy();
			if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	openServers.add(scripted);
	return scripted;
}

function toHandler(script: Handler | Rule[]): Handler {
	if (typeof script === 'function') return script;
	const used = new Map<Rule, number>();
	return async (request, count) => {
		const rule = script.find((candidate) => matches(candidate, request));
		if (rule === undefined) {
			return text(`No rule for ${request.method} ${request.path}`, 599);
		}
		const { answer } = rule;
		if (typeof answer === 'function') return await answer(request, count);
		if (!Array.isArray(answer)) return answer;
		const turn = used.get(rule) ?? 0;
		used.set(rule, turn + 1);
		return answer[Math.min(turn, answer.length - 1)] ?? empty();
	};
}

function matches(rule: Rule, request: RecordedRequest): boolean {
	if (rule.method !== undefined && rule.method !== request.method) return false;
	if (typeof rule.path === 'string' && rule.path !== request.path) return false;
	if (rule.path instanceof RegExp && !rule.path.test(request.path)) return false;
	return Object.entries(rule.query ?? {}).every(([name, value]) => request.query[name] === value);
}

function toQuery(parameters: URLSearchParams): RecordedRequest['query'] {
	const query: RecordedRequest['query'] = {};
	for (const name of new Set(parameters.keys())) {
		const values = parameters.getAll(name);
		query[name] = values.length > 1 ? values : (values[0] ?? '');
	}
	return query;
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

function parseBody(body: string): unknown {
	if (body === '') return undefined;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}

async function delay(ms: number, timers: Set<NodeJS.Timeout>): Promise<void> {
	await new Promise<void>((resolve) => {
		const timer = setTimeout(() => {
			timers.delete(timer);
			resolve();
		}, ms);
		timers.add(timer);
	});
}
