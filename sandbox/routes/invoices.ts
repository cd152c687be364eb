import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context';
import { notFound } from '../behaviour/errors';
import { endpoint } from './v1';

/** docs/service.md, Invoices: GET /v1/invoices/{id}. */
export function invoiceRoutes(app: FastifyInstance, context: SandboxContext): void {
	endpoint(app, context, 'invoiceGet', (_request, id) => {
		const invoice = context.store.invoices.get(id);
		if (!invoice) throw notFound('invoice', id);
		return { body: invoice };
	});
}
