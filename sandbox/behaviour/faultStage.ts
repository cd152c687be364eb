import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxContext } from '../context';
import { CONTROL_PREFIX } from '../control/prefix';
import { errorBody } from './errors';
import type { FaultAction } from './faults';
import type { RequestEntry } from './requestLog';
import { keyOf } from '../routes/v1';

/** A staged delay must not keep a process alive whose sandbox was closed. */
const DETACHED = { ref: false };

/** What is kept about a request from its arrival to its end. */
interface Stage {
	entry: RequestEntry;
	fault: FaultAction | undefined;
}

/**
 * Logs every request but those to the control surface, and does to it what the fault rules say: before it
 * is executed in onRequest, after that and before a byte of the answer goes out in onSend.
 */
export function stageFaults(app: FastifyInstance, context: SandboxContext): void {
	const stages = new WeakMap<FastifyRequest, Stage>();

	app.addHook('onRequest', async (request, reply) => {
		const { path, query } = targetOf(request.url);
		if (path.startsWith(CONTROL_PREFIX)) return;
		const facts = { method: request.method, path, query };
		const key = keyOf(request);
		const entry = context.log.start({
			...facts,
			keySent: key !== undefined,
			keyRight: key === context.apiKey,
		});
		reply.raw.once('close', () => context.log.end(entry, null));
		const fault = context.faults.take(facts);
		stages.set(request, { entry, fault });
		if (!fault) return;
		if (fault.delayMs !== undefined && !fault.afterExecuting)
			await wait(fault.delayMs, undefined, DETACHED);
		if (fault.resetBefore) {
			reply.hijack();
			request.raw.socket.resetAndDestroy();
		} else if (fault.hang === 'before') {
			reply.hijack();
		} else if (replacesAnswer(fault) && !fault.afterExecuting) {
			return reply.send(replace(reply, fault));
		}
	});

	app.addHook('preValidation', async (request) => {
		const stage = stages.get(request);
		if (stage && request.body !== undefined) stage.entry.body = request.body;
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const stage = stages.get(request);
		if (!stage) return payload;
		const answer = await afterExecuting(context, request, reply, payload, stage.fault);
		if (!request.raw.socket.destroyed) context.log.end(stage.entry, reply.statusCode);
		return answer;
	});
}

/** Path and query of a request target; of a parameter that is given twice, the last value. */
function targetOf(target: string): { path: string; query: Record<string, string> } {
	const end = target.indexOf('?');
	if (end < 0) return { path: target, query: {} };
	const query = Object.fromEntries(new URLSearchParams(target.slice(end + 1)));
	return { path: target.slice(0, end), query };
}

async function afterExecuting(
	{ store }: SandboxContext,
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
	fault: FaultAction | undefined,
): Promise<unknown> {
	if (!fault) return payload;
	for (let left = fault.insertCharges ?? 0; left > 0; left -= 1) store.insertCharge();
	for (let left = fault.removeCharges ?? 0; left > 0; left -= 1) {
		const newest = store.charges.at(0);
		if (newest) store.charges.remove(newest.charge.id);
	}
	if (fault.afterExecuting && fault.delayMs !== undefined)
		await wait(fault.delayMs, undefined, DETACHED);
	if (fault.resetAfter) {
		request.raw.socket.resetAndDestroy();
		return payload;
	}
	if (fault.hang === 'after') return never();
	if (fault.cutOff) return cutOff(reply, String(payload));
	const answer = fault.afterExecuting && replacesAnswer(fault) ? replace(reply, fault) : payload;
	// Last, so that a rule may set the content type too.
	reply.headers(fault.headers ?? {});
	return answer;
}

/** Promises the whole answer, sends half of it and resets the connection; the framework gets nothing to send. */
async function cutOff(reply: FastifyReply, answer: string): Promise<never> {
	const half = Buffer.from(answer).subarray(0, Math.floor(Buffer.byteLength(answer) / 2));
	reply.raw.writeHead(reply.statusCode, {
		'Content-Type': 'application/json; charset=utf-8',
		'Content-Length': Buffer.byteLength(answer),
	});
	reply.raw.write(half, () => reply.raw.socket?.destroy());
	return never();
}

/** What the framework waits for when there is to be no answer. */
async function never(): Promise<never> {
	return new Promise<never>(() => undefined);
}

function replacesAnswer({ status, body, html, malformedJson, redirectTo }: FaultAction): boolean {
	return [status, body, html, malformedJson, redirectTo].some((part) => part !== undefined);
}

/** Sets status and type of the answer that a fault puts in place of the real one, and returns its body. */
function replace(reply: FastifyReply, fault: FaultAction): string {
	const { status, body, html, malformedJson, redirectTo } = fault;
	if (redirectTo !== undefined) {
		reply.code(status ?? 302).header('Location', redirectTo);
		return '';
	}
	reply.code(status ?? 200);
	if (html) {
		reply.type('text/html; charset=utf-8');
		return typeof html === 'string'
			? html
			: '<!doctype html><title>Gateway</title><h1>Gateway</h1>';
	}
	if (typeof body === 'string') {
		reply.type('text/plain; charset=utf-8');
		return body;
	}
	reply.type('application/json; charset=utf-8');
	if (malformedJson) return '{"count": 3, "results": [{"id": "';
	return JSON.stringify(
		body ?? errorBody('staged_fault', `A fault rule answered ${status ?? 200}`),
	);
}
