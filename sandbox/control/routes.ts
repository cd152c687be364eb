import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context';
import { ServiceError } from '../behaviour/errors';
import { faultRuleSchema } from '../behaviour/faults';
import type { Operations } from '../operations/operations';
import { switchPatchSchema } from '../behaviour/switches';
import { isThisMachine } from './access';
import {
	faultParamsSchema,
	idParamsSchema,
	insertBodySchema,
	refundBodySchema,
	resetBodySchema,
	statusBodySchema,
} from './bodies';
import { CONTROL_PREFIX } from './prefix';
import { describeState, listFaults } from './state';

/** What there is, as GET /_sandbox answers it. */
const INDEX = {
	'GET /_sandbox/health': 'answers as soon as the sandbox works',
	'GET /_sandbox/state': 'seed, time, counts, switches, faults and ids to try',
	'POST /_sandbox/switches': 'changes the named switches',
	'GET /_sandbox/faults': 'fault rules in force',
	'POST /_sandbox/faults': 'adds a rule: { match, action }',
	'DELETE /_sandbox/faults': 'removes every rule',
	'DELETE /_sandbox/faults/{id}': 'removes one',
	'POST /_sandbox/charges': 'new charges: { count } or { charge: { any fields } }',
	'POST /_sandbox/charges/{id}/refund': 'refunds { amount }, or all that is left',
	'POST /_sandbox/charges/{id}/status': 'moves a charge to { status }',
	'DELETE /_sandbox/charges/{id}': 'removes a charge',
	'POST /_sandbox/links/{id}/pay': 'pays a link',
	'GET /_sandbox/requests': 'requests in the order in which they came',
	'DELETE /_sandbox/requests': 'forgets them',
	'POST /_sandbox/reset': 'back to the start, with { seed } if given',
};

/** The control surface: no key, so only for callers on the same machine, even when the service listens wider. */
export function controlRoutes(
	app: FastifyInstance,
	context: SandboxContext,
	operations: Operations,
): void {
	void app.register(
		async (scope) => {
			scope.addHook('onRequest', async (request) => {
				if (isThisMachine(request.ip)) return;
				throw new ServiceError(403, 'forbidden', 'The control surface is for this machine only');
			});

			scope.get('/', async () => INDEX);
			scope.get('/health', async () => ({ status: 'ok' }));
			scope.get('/state', async () => describeState(context));
			scope.post('/switches', async ({ body }) => {
				operations.setSwitches(switchPatchSchema.parse(body));
				return context.switches;
			});

			scope.get('/faults', async () => listFaults(context));
			scope.post('/faults', async ({ body }, reply) =>
				reply.code(201).send({ id: operations.addFault(faultRuleSchema.parse(body)) }),
			);
			scope.delete('/faults', async (_request, reply) => {
				operations.clearFaults();
				return reply.code(204).send();
			});
			scope.delete('/faults/:id', async ({ params }, reply) => {
				const { id } = faultParamsSchema.parse(params);
				if (operations.removeFault(id)) return reply.code(204).send();
				throw new ServiceError(404, 'not_found', `No fault rule ${id}`);
			});

			scope.post('/charges', async ({ body }, reply) => {
				const { count, charge } = insertBodySchema.parse(body ?? {});
				const charges = Array.from({ length: count }, () => operations.insertCharge(charge));
				return reply.code(201).send({ charges });
			});
			scope.post('/charges/:id/refund', async ({ params, body }) => {
				const { amount } = refundBodySchema.parse(body ?? {});
				return operations.refundCharge(idParamsSchema.parse(params).id, amount);
			});
			scope.post('/charges/:id/status', async ({ params, body }) => {
				const { status } = statusBodySchema.parse(body);
				return operations.setChargeStatus(idParamsSchema.parse(params).id, status);
			});
			scope.delete('/charges/:id', async ({ params }, reply) => {
				operations.removeCharge(idParamsSchema.parse(params).id);
				return reply.code(204).send();
			});
			scope.post('/links/:id/pay', async ({ params }) =>
				operations.payLink(idParamsSchema.parse(params).id),
			);

			scope.get('/requests', async () => ({
				maxInFlight: context.log.maxInFlight,
				requests: context.log.entries,
			}));
			scope.delete('/requests', async (_request, reply) => {
				operations.clearRequests();
				return reply.code(204).send();
			});
			scope.post('/reset', async ({ body }) => {
				operations.reset(resetBodySchema.parse(body ?? {}).seed);
				return describeState(context);
			});
		},
		{ prefix: CONTROL_PREFIX },
	);
}
