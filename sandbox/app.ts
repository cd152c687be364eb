import fastify, { type FastifyInstance } from 'fastify';
import { ENDPOINTS } from '../contract/constants';
import type { SandboxContext } from './context';
import { controlRoutes } from './control/routes';
import { errorBody, invalid, ServiceError, toAnswer } from './behaviour/errors';
import { stageFaults } from './behaviour/faultStage';
import type { Operations } from './operations/operations';
import { chargeRoutes } from './routes/charges';
import { checkoutRoutes } from './routes/checkout';
import { customerRoutes } from './routes/customers';
import { hostedPages } from './routes/hostedPages';
import { invoiceRoutes } from './routes/invoices';
import { landingPage } from './routes/landing';
import { linkRoutes } from './routes/links';

/** The HTTP application: every endpoint of the contract, and an error body in the service's shape for all else. */
export function buildApp(context: SandboxContext, operations: Operations): FastifyInstance {
	const app = fastify({
		// A hanging or kept-alive connection must not hold up a close.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		// A path that can't be decoded never reaches the router; fastify's types allow no typed send here.
		frameworkErrors: (error, _request, reply) => {
			const { status, body } = toAnswer(invalid(error.message));
			reply.raw.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
		},
	});
	// General convention 1: bodies are application/json. fastify would take text/plain as well.
	app.removeContentTypeParser('text/plain');

	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = toAnswer(error);
		void reply.code(status).send(body);
	});
	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?')[0] ?? '';
		const allowed = methodsOf(path);
		if (allowed.length === 0) {
			throw new ServiceError(404, 'not_found', `Nothing at ${path}`);
		}
		return reply
			.code(405)
			.header('Allow', allowed.join(', '))
			.send(errorBody('method_not_allowed', `${request.method} is not allowed at ${path}`));
	});

	stageFaults(app, context);
	linkRoutes(app, context);
	invoiceRoutes(app, context);
	chargeRoutes(app, context);
	checkoutRoutes(app, context);
	customerRoutes(app, context);
	hostedPages(app, context);
	landingPage(app, context);
	controlRoutes(app, context, operations);
	return app;
}

/** The methods that the contract knows at a path. */
function methodsOf(path: string): string[] {
	return Object.values(ENDPOINTS)
		.filter((known) => new RegExp(`^${known.path.replace('{id}', '[^/]+')}$`).test(path))
		.map(({ method }) => method);
}
