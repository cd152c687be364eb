import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context';
import { presentLink } from '../operations/linkExpiry';
import { Html, html, page } from '../pages/html';

const NOTHING = new Html('');

/**
 * The pages that `url` of a link, an invoice and a checkout session points to, so that whoever clicks it in
 * a demo sees something. A link's page can pay: that makes a charge and counts towards its payment limit.
 */
export function hostedPages(app: FastifyInstance, context: SandboxContext): void {
	app.register(async (scope) => {
		// The button's form has no fields; whatever a browser sends with it is of no interest.
		scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

		scope.get<{ Params: { id: string } }>('/pay/:id', async (request, reply) => {
			const stored = context.store.links.get(request.params.id);
			reply.type('text/html; charset=utf-8');
			if (!stored) return reply.code(404).send(page('No such link', NOTHING));
			const link = presentLink(stored, context.store.nowMs, context.switches);
			if (link.status !== 'enabled')
				return reply.code(410).send(page('This link is closed', NOTHING));
			const items = link.items.map((item) => html`<li>${item.quantity} × ${item.name}</li>`);
			return page(
				link.title || 'Payment',
				html`<ul>
						${items}
					</ul>
					<p><strong>${link.amount} ${link.currency}</strong></p>
					<form method="post"><button>Pay (sandbox)</button></form>`,
			);
		});

		scope.post<{ Params: { id: string } }>('/pay/:id', async (request, reply) => {
			const stored = context.store.links.get(request.params.id);
			reply.type('text/html; charset=utf-8');
			if (!stored) return reply.code(404).send(page('No such link', NOTHING));
			const link = presentLink(stored, context.store.nowMs, context.switches);
			if (link.status !== 'enabled')
				return reply.code(410).send(page('This link is closed', NOTHING));
			const charge = context.store.payLink(link.id);
			if (stored.successUrl) return reply.redirect(stored.successUrl, 303);
			return page('Thank you', html`<p>Charge <code>${charge?.id ?? ''}</code></p>`);
		});

		scope.get<{ Params: { id: string } }>('/invoice/:id', async (request, reply) => {
			const invoice = context.store.invoices.get(request.params.id);
			reply.type('text/html; charset=utf-8');
			if (!invoice) return reply.code(404).send(page('No such invoice', NOTHING));
			return page(
				invoice.title,
				html`<p>${invoice.amount} ${invoice.currency}, ${invoice.status}</p>`,
			);
		});

		scope.get<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
			const session = context.store.checkoutSessions.get(request.params.id);
			reply.type('text/html; charset=utf-8');
			if (!session) return reply.code(404).send(page('No such checkout session', NOTHING));
			return page(
				'Checkout',
				html`<p>${session.amount} ${session.currency}, ${session.status}</p>`,
			);
		});
	});
}
