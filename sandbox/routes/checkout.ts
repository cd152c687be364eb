import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context';
import { notFound } from '../behaviour/errors';
import { endpoint } from './v1';

/** docs/service.md, Checkout sessions: GET /v1/checkout/{id}. */
export function checkoutRoutes(app: FastifyInstance, context: SandboxContext): void {
	endpoint(app, context, 'checkoutGet', (_request, id) => {
		const session = context.store.checkoutSessions.get(id);
		if (!session) throw notFound('checkout session', id);
		return { body: session };
	});
}
