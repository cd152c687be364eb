import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { API_KEY_HEADER, ENDPOINTS, type EndpointName } from '../../contract/constants';
import { uuid } from '../../contract/schemas/primitives';
import type { SandboxContext } from '../context';
import { ServiceError } from '../behaviour/errors';
import { serialise } from '../store/timestamps';

/** What routes answer: a body, and a status when it is not 200. */
interface Answer {
	status?: number;
	body?: unknown;
}

export type Handler = (request: FastifyRequest, id: string) => Answer;

const uuidParams = z.object({ id: uuid });
const anyParams = z.object({ id: z.string().default('') });

/**
 * Registers one endpoint of the contract. docs/service.md, Authentication: every endpoint requires the key.
 * Link, invoice and charge ids must be UUIDs; a checkout session's is documented as any text.
 */
export function endpoint(
	app: FastifyInstance,
	context: SandboxContext,
	name: EndpointName,
	handler: Handler,
): void {
	const { method, path } = ENDPOINTS[name];
	const takesUuid = path.includes('{id}') && name !== 'checkoutGet';
	app.route({
		method: method satisfies HTTPMethods,
		url: path.replace('{id}', ':id'),
		exposeHeadRoute: false,
		// Before the body is read: a wrong key is told of first, whatever else is wrong.
		onRequest: (request, _reply, done) => done(refusal(request, context, name)),
		handler: async (request, reply) => {
			const { id } = (takesUuid ? uuidParams : anyParams).parse(request.params);
			const { status = 200, body } = handler(request, id);
			reply.code(status);
			if (body === undefined) return reply.send();
			return reply
				.type('application/json; charset=utf-8')
				.send(serialise(body, context.switches.timestampFormat));
		},
	});
}

export function keyOf(request: FastifyRequest): string | undefined {
	const header = request.headers[API_KEY_HEADER.toLowerCase()];
	return Array.isArray(header) ? header.join(', ') : header;
}

/** Why a request may not go on: its key, or what the switches forbid that key. */
function refusal(
	request: FastifyRequest,
	{ apiKey, switches }: SandboxContext,
	name: EndpointName,
): ServiceError | undefined {
	const key = keyOf(request);
	if (key === undefined) return unauthenticated(`${API_KEY_HEADER} is missing`);
	if (key !== apiKey) return unauthenticated(`${API_KEY_HEADER} is wrong`);
	if (!switches.forbidden.includes(name)) return undefined;
	return new ServiceError(403, 'forbidden', 'The key may not use this endpoint');
}

function unauthenticated(message: string): ServiceError {
	return new ServiceError(401, 'authentication_failed', message);
}
