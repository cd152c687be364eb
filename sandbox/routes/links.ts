import type { FastifyInstance } from 'fastify';
import { linkCreateSchema, linkEditSchema } from '../../contract/schemas/link';
import type { SandboxContext } from '../context';
import type { StoredLink } from '../data/links';
import { notFound } from '../behaviour/errors';
import { checkExpiryDate, presentLink } from '../operations/linkExpiry';
import { endpoint } from './v1';

/** docs/service.md, Links: POST /v1/links, GET /v1/links/{id}, PATCH …/edit, DELETE …/delete. */
export function linkRoutes(app: FastifyInstance, context: SandboxContext): void {
	const present = (stored: StoredLink) =>
		presentLink(stored, context.store.nowMs, context.switches);

	endpoint(app, context, 'linkCreate', (request) => {
		const body = linkCreateSchema.parse(request.body);
		checkExpiryDate(body.expiry_date, context.store.nowMs, context.switches);
		return { status: context.switches.createStatus, body: present(context.store.createLink(body)) };
	});

	endpoint(app, context, 'linkGet', (_request, id) => {
		const stored = context.store.links.get(id);
		if (!stored) throw notFound('link', id);
		return { body: present(stored) };
	});

	endpoint(app, context, 'linkEdit', (request, id) => {
		const stored = context.store.editLink(id, linkEditSchema.parse(request.body));
		if (!stored) throw notFound('link', id);
		return { body: present(stored) };
	});

	// The state after a delete is not documented: the link is gone, and reading it is a 404.
	endpoint(app, context, 'linkDelete', (_request, id) => {
		if (!context.store.links.remove(id)) throw notFound('link', id);
		return { status: context.switches.deleteStatus };
	});
}
