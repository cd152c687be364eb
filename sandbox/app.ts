import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { API_KEY_HEADER, ENDPOINTS, type EndpointName } from '../contract/constants';
import { uuid } from '../contract/schemas/primitives';
import { CONTROL_PREFIX, controlRoutes } from './control';
import { HANDLERS } from './endpoints';
import { ServiceError, toAnswer } from './errors';
import { pageRoutes } from './pages';
import type { Service } from './service';
import { logAndStage } from './stage';
import { serialise } from './timestamps';

/** The HTTP application: the contract's endpoints, the pages and the control surface. All else gets an error in the service's shape. */
export function buildApp(service: Service): FastifyInstance {
	const app = fastify({
		// A hanging or kept-alive connection must not hold up a close.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	// The service takes bodies of application/json. fastify would take text/plain as well.
	app.removeContentTypeParser('text/plain');

	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = toAnswer(error);
		void reply.code(status).send(body);
	});
	app.setNotFoundHandler(({ method, url }) => {
		throw new ServiceError(404, 'not_found', `Nothing at ${method} ${url}`);
	});

	logAndStage(app, service, { except: CONTROL_PREFIX });
	for (const name of Object.keys(ENDPOINTS) as EndpointName[]) endpoint(app, service, name);
	void pageRoutes(app, service);
	controlRoutes(app, service);
	return app;
}

const uuidParams = z.object({ id: uuid });
const anyParams = z.object({ id: z.string().default('') });

/**
 * Registers one endpoint of the contract. docs/service.md, Authentication: every endpoint requires the key.
 * Link, invoice and charge ids must be UUIDs; a checkout session's is documented as any text.
 */
function endpoint(app: FastifyInstance, service: Service, name: EndpointName): void {
	const { method, path } = ENDPOINTS[name];
	const params = path.includes('{id}') && name !== 'checkoutGet' ? uuidParams : anyParams;
	app.route({
		method,
		url: path.replace('{id}', ':id'),
		// Runs before the body is read: a wrong key is reported first, whatever else is wrong.
		onRequest: (request, _reply, done) => done(refusal(request, service, name)),
		handler: async (request, reply) => {
			const { id } = params.parse(request.params);
			const { query, body: sent, url: target } = request;
			const asked = { id, query, body: sent, target };
			const { status = 200, body } = HANDLERS[name].handle(service, asked);
			reply.code(status);
			if (body === undefined) return reply.send();
			return reply
				.type('application/json; charset=utf-8')
				.send(serialise(body, service.switches.timestampFormat));
		},
	});
}

/** Why a request may not go on: its key, or what the switches forbid that key. */
function refusal(
	{ headers }: FastifyRequest,
	{ apiKey, switches }: Service,
	name: EndpointName,
): ServiceError | undefined {
	const key = headers[API_KEY_HEADER.toLowerCase()];
	if (key !== apiKey) {
		const what = key === undefined ? 'missing' : 'wrong';
		return new ServiceError(401, 'authentication_failed', `${API_KEY_HEADER} is ${what}`);
	}
	if (!switches.forbidden.includes(name)) return undefined;
	return new ServiceError(403, 'forbidden', 'The key may not use this endpoint');
}
