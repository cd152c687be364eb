import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import { API_KEY_HEADER } from '../contract/constants';
import { errorBody } from './errors';
import { type FaultAction, type RequestFacts, takeFault } from './faults';
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
 * Logs every request but those below one path, and does to it what the fault rules say: in onRequest, before it is
 * executed, or in onSend, after that and before a byte of the answer goes out.
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
		const fault = takeFault(service.faults, facts);
		stages.set(request, { entry, fault });
		if (!fault || fault.afterExecuting) return;
		const body = await carryOut(reply, fault);
		if (body !== undefined) return reply.send(body);
	});

	app.addHook('preValidation', async (request) => {
		const stage = stages.get(request);
		if (stage && request.body !== undefined) stage.entry.body = request.body;
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const stage = stages.get(request);
		if (!stage) return payload;
		const { entry, fault } = stage;
		for (let left = fault?.insertCharges ?? 0; left > 0; left -= 1) service.insertCharge();
		const body = fault?.afterExecuting ? await carryOut(reply, fault) : undefined;
		// Last, so that a rule may set the content type too.
		reply.headers(fault?.headers ?? {});
		if (!request.raw.socket.destroyed) service.log.end(entry, reply.statusCode);
		return body ?? payload;
	});
}

/** The last value counts of a parameter that is given twice. */
function factsOf({ method, url }: FastifyRequest): RequestFacts {
	const [path = '', ...query] = url.split('?');
	return { method, path, query: Object.fromEntries(new URLSearchParams(query.join('?'))) };
}

/** Does to a request what a fault says, and returns the body in place of the real one, if any. */
async function carryOut(reply: FastifyReply, fault: FaultAction): Promise<string | undefined> {
	const { delayMs, reset, hang, status, body, html, malformedJson, redirectTo } = fault;
	if (delayMs !== undefined) await wait(delayMs, undefined, DETACHED);
	if (reset) reply.raw.socket?.resetAndDestroy();
	// fastify waits for this promise for ever.
	if (reset || hang) return new Promise<never>(() => undefined);
	const parts = [status, body, html, malformedJson, redirectTo];
	return parts.some((part) => part !== undefined) ? replace(reply, fault) : undefined;
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
