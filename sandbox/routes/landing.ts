import type { FastifyInstance } from 'fastify';
import { API_KEY_HEADER, ENDPOINTS } from '../../contract/endpoints';
import { CONTROL_PREFIX } from '../control/prefix';

/** What somebody sees who opens the sandbox's address in a browser. */
export function landingPage(app: FastifyInstance): void {
	app.get('/', async (_request, reply) =>
		reply
			.type('text/plain; charset=utf-8')
			.send(
				[
					'Payment collection service, sandbox. No money moves.',
					'',
					`With an ${API_KEY_HEADER} header:`,
					...Object.values(ENDPOINTS).map(({ method, path }) => `  ${method.padEnd(6)} ${path}`),
					'',
					`Steered at ${CONTROL_PREFIX} (from this machine, no key).`,
					'',
				].join('\n'),
			),
	);
}
