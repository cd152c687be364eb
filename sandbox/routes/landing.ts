import type { FastifyInstance } from 'fastify';
import { performance } from 'node:perf_hooks';
import type { SandboxContext } from '../context';
import { isThisMachine } from '../control/access';
import { html, page } from '../pages/html';
import { endpointList, overview } from '../pages/landing';

/** What somebody sees who opens the sandbox's address in a browser; to other machines, only that it is one. */
export function landingPage(app: FastifyInstance, context: SandboxContext): void {
	app.get('/', async (request, reply) =>
		reply
			.type('text/html; charset=utf-8')
			.headers({
				'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
				'Cache-Control': 'no-store',
			})
			.send(
				page(
					'Payment collection sandbox',
					html`${isThisMachine(request.ip) ? overview(context, performance.now()) : ''}
					${endpointList()}`,
				),
			),
	);
}
