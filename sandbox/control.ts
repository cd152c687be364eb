import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CHARGE_TYPES } from '../contract/constants';
import { chargeSchema, refundSchema } from '../contract/schemas/charge';
import { customerSchema } from '../contract/schemas/customer';
import { uuid } from '../contract/schemas/primitives';
import { iso } from './data/world';
import { ServiceError } from './errors';
import { describeFaults, type FaultRule } from './faults';
import type { Service } from './service';
import { describeSwitches } from './switches';
import type { LazyTable } from './table';

/** Everything below this path steers the sandbox: neither logged nor hit by fault rules. */
export const CONTROL_PREFIX = '/_sandbox';

/** Enough for any demo, and no way to fill the memory by a typing error. */
const MAX_INSERTED = 10_000;
const SAMPLE_IDS = 5;

const insertSchema = z
	.strictObject({
		count: z.number().int().min(1).max(MAX_INSERTED).default(1),
		charge: chargeSchema
			.partial()
			.extend({ customer_id: uuid.optional(), type: z.enum(CHARGE_TYPES).optional() })
			.strict()
			.optional(),
	})
	.refine(({ count, charge }) => count === 1 || charge?.id === undefined, {
		message: 'charge.id: several charges cannot share an id',
	});
const insertCustomersSchema = z.strictObject({
	count: insertSchema.innerType().shape.count,
	customer: customerSchema.omit({ id: true }).partial().strict().optional(),
});
const statusSchema = z.strictObject({ status: z.string().min(1) });
const resetSchema = z.strictObject({ seed: z.number().int().optional() });

interface ControlRequest {
	id: string;
	/** An empty object where none was sent. */
	body: object;
}

/** Each path, in words and in code. One that returns nothing answers 204. */
const ROUTES: Record<string, [string, (service: Service, request: ControlRequest) => unknown]> = {
	'GET /': ['this list, all switches, and what fault rules are made of', describe],
	'GET /state': ['seed, time, counts, switches and ids to try', stateOf],
	'POST /switches': [
		'changes the named switches',
		(service, { body }) => {
			service.setSwitches(body);
			return service.switches;
		},
	],
	'GET /faults': ['fault rules in force', ({ faults }) => ({ faults })],
	'POST /faults': [
		'adds a rule: { match, action }',
		(service, { body }) => ({ id: service.addFault(body as FaultRule) }),
	],
	'DELETE /faults': ['removes every rule', (service) => service.clearFaults()],
	'DELETE /faults/:id': ['removes one', (service, { id }) => service.removeFault(Number(id))],
	'POST /charges': [
		'new charges: { count } or { charge: { any fields } }',
		(service, { body }) => {
			const { count, charge } = insertSchema.parse(body);
			return { charges: Array.from({ length: count }, () => service.insertCharge(charge)) };
		},
	],
	'POST /customers': [
		'new customers: { count } or { customer: { any fields but the id } }',
		(service, { body }) => {
			const { count, customer } = insertCustomersSchema.parse(body);
			return { customers: Array.from({ length: count }, () => service.insertCustomer(customer)) };
		},
	],
	'POST /charges/:id/refund': [
		'refunds { amount }, or all that is left',
		(service, { id, body }) => service.refundCharge(id, refundSchema.partial().parse(body).amount),
	],
	'POST /charges/:id/status': [
		'moves a charge to { status }',
		(service, { id, body }) => service.setChargeStatus(id, statusSchema.parse(body).status),
	],
	'DELETE /charges/:id': ['removes a charge', ({ store }, { id }) => store.charges.remove(id)],
	'POST /links/:id/pay': ['pays a link', ({ store }, { id }) => store.payLink(id)],
	'GET /requests': [
		'requests in the order in which they came',
		({ maxInFlight, requests }) => ({ maxInFlight, requests }),
	],
	'DELETE /requests': ['forgets them', (service) => service.clearRequests()],
	'POST /reset': [
		'back to the start, with { seed } if given',
		(service, { body }) => {
			service.reset(resetSchema.parse(body).seed);
			return stateOf(service);
		},
	],
};

/** Method and path of a route. */
function addressOf(route: string): [string, string] {
	const [method = '', path = ''] = route.split(' ');
	return [method, CONTROL_PREFIX + path.replace(/\/$/, '')];
}

function describe({ switches }: Service): object {
	const paths = Object.entries(ROUTES).map(([route, [meaning]]) => [
		addressOf(route).join(' '),
		meaning,
	]);
	return {
		paths: Object.fromEntries(paths) as Record<string, string>,
		switches: describeSwitches(switches),
		faults: describeFaults(),
	};
}

/** The samples are ids to try where the service has no list. */
function stateOf({ store, switches, faults, url }: Service) {
	const { charges, customers, links, invoices, checkoutSessions } = store;
	const tables = { charges, customers, links, invoices, checkoutSessions };
	const ofEach = (describeOne: (table: LazyTable<object>) => unknown) =>
		Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, describeOne(table)]));
	return {
		url,
		seed: store.options.seed,
		now: iso(store.nowMs),
		counts: ofEach(({ size }) => size),
		samples: ofEach((table) => table.slice(0, SAMPLE_IDS).map(idOf)),
		switches,
		faults: faults.length,
	};
}

/** Charges and links are stored together with fields that no answer has. */
const idOf = (row: { id?: string; charge?: { id: string }; link?: { id: string } }) =>
	row.id ?? row.charge?.id ?? row.link?.id;

/** No key is asked for, so it is only for callers on the same machine, even when the service listens wider. */
export const isThisMachine = (address: string): boolean =>
	/^(127\.|::1$|::ffff:127\.)/.test(address);

export function controlRoutes(app: FastifyInstance, service: Service): void {
	for (const [route, [, run]] of Object.entries(ROUTES)) {
		const [method, url] = addressOf(route);
		app.route<{ Params: { id?: string }; Body: object | undefined }>({
			method,
			url,
			handler: async ({ ip, params: { id = '' }, body }, reply) => {
				if (!isThisMachine(ip)) {
					throw new ServiceError(403, 'forbidden', 'The control surface is for this machine only');
				}
				const answer = run(service, { id, body: body ?? {} });
				return answer === undefined ? reply.code(204).send() : answer;
			},
		});
	}
}
