import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import { API_KEY_HEADER } from '../contract/constants';
import { errorBody } from './errors';
import type { FaultAction, RequestFacts } from './faults';
import type { RequestEntry } from './requestLog';
import type { Service } from './service';

/** A staged delay must not keep a process alive whose sandbox was closed. */
const DETACHED = { ref: false };

/** A request from its arrival to its end. */
interface Stage {
	entry: RequestEntry;
	fault: FaultAction | undefined;
}

/**
 * Logs every request but those below one path, and does to it what the fault rules say: before it
 * is executed in onRequest, after that and before a byte of the answer goes out in onSend.
 */
export function logAndStage(
	app: FastifyInstance,
	service: Service,
	{ except }: { except: string },
): void {
	const stages = new WeakMap<FastifyRequest, Stage>();

	app.addHook('onRequest', async (request, reply) => {
		const facts = factsOf(request);
		if (facts.path.startsWith(except)) return;
		const key = request.headers[API_KEY_HEADER.toLowerCase()];
		const entry = service.log.start({
			...facts,
			keySent: key !== undefined,
			keyRight: key === service.apiKey,
		});
		reply.raw.once('close', () => service.log.end(entry, null));
		const fault = service.faults.take(facts);
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
		const { entry, fault } = stage;
		const answer = fault ? await afterExecuting(service, reply, payload, fault) : payload;
		if (!request.raw.socket.destroyed) service.log.end(entry, reply.statusCode);
		return answer;
	});
}

/** The last value counts of a parameter that is given twice. */
function factsOf({ method, url }: FastifyRequest): RequestFacts {
	const [path = '', ...query] = url.split('?');
	return { method, path, query: Object.fromEntries(new URLSearchParams(query.join('?'))) };
}

async function afterExecuting(
	{ store }: Service,
	reply: FastifyReply,
	payload: unknown,
	fault: FaultAction,
): Promise<unknown> {
	for (let left = fault.insertCharges ?? 0; left > 0; left -= 1) store.insertCharge();
	if (fault.afterExecuting && fault.delayMs !== undefined)
		await wait(fault.delayMs, undefined, DETACHED);
	if (fault.resetAfter) {
		reply.raw.socket?.resetAndDestroy();
		return payload;
	}
	// fastify waits for this promise for ever.
	if (fault.hang === 'after') return new Promise<never>(() => undefined);
	const answer = fault.afterExecuting && replacesAnswer(fault) ? replace(reply, fault) : payload;
	// Last, so that a rule may set the content type too.
	reply.headers(fault.headers ?? {});
	return answer;
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
		return '<!doctype html><title>Gateway</title><h1>Gateway</h1>';
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
