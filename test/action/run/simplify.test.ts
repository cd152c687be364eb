import { KEPT_CHARGE_FIELDS, KEPT_CUSTOMER_FIELDS } from '../../../contract/recordFields';
import { chargeSchema } from '../../../contract/schemas/charge';
import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import type { Sandbox } from '../../../sandbox';
import { runNode, runRouting } from '../../support/engine';
import { LIST_OPERATIONS, insertPlantedCharge, listSandbox } from '../../support/lists';
import { envelope, runOperation, shownFor, uuid } from '../../support/operations';
import { findSecrets } from '../../support/secrets/secrets';
import { json as answer, scriptedServer } from '../../support/servers/http-server';

/** The node as n8n makes a tool of it, by its name. */
const tool = new PaymentCollection();
tool.description = { ...tool.description, name: `${tool.description.name}Tool` };
const node = new PaymentCollection();

let sandbox: Sandbox;
let charge: string;
beforeAll(async () => {
	sandbox = await listSandbox({ counts: { charges: 3 } });
	charge = insertPlantedCharge(sandbox);
});

it.each([
	['as a step, simplified', node, true, KEPT_CHARGE_FIELDS],
	['as a step, whole', node, false, Object.keys(chargeSchema.shape)],
	["as an agent's tool, simplified", tool, true, KEPT_CHARGE_FIELDS],
	["as an agent's tool, whole", tool, false, Object.keys(chargeSchema.shape)],
] as const)(
	'a charge leaves the node without secrets, %s',
	async (_where, nodeType, simplify, fields) => {
		const options = {
			nodeType,
			credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
			parameters: {
				resource: 'charge',
				operation: 'getAll',
				filters: { chargeId: charge },
				simplify,
			},
		};
		const { error, json } = await runNode(options);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(Object.keys(json[0] ?? {}).sort()).toEqual([...fields].sort());
		expect(findSecrets(json)).toEqual([]);
		// On the older path by which n8n runs a tool.
		const [older = []] = await runRouting(options);
		expect(older.map((item) => item.json)).toEqual(json);
	},
);

it('lists offer Simplify, turned on', () => {
	const fields = node.description.properties.filter(({ name }) => name === 'simplify');
	expect(fields.every((field) => field.default === true)).toBe(true);
	expect(fields.flatMap(shownFor)).toEqual(expect.arrayContaining([...LIST_OPERATIONS]));
});

describe('what the service leaves out of a record', () => {
	const KEPT = { charge: KEPT_CHARGE_FIELDS, customer: KEPT_CUSTOMER_FIELDS };

	/** In another order than Simplify's, with a field that is there and holds nothing. */
	const RECORD = { note: '', city: '', created: '2026-01-14T08:00:00Z', id: uuid(1) };

	it.each([
		['charge', 'get'],
		['charge', 'getAll'],
		['charge', 'getEvents'],
		['customer', 'get'],
		['customer', 'getAll'],
	] as const)('is null after Simplify, each field in its place: %s %s', async (kind, operation) => {
		const server = await scriptedServer(() => answer(envelope(RECORD)));
		const { error, json } = await runOperation(server, {
			resource: kind,
			operation,
			parameters: { [`${kind}Id`]: uuid(1), since: '2026-01-01T00:00:00Z', returnAll: true },
		});
		expect(error).toBeUndefined();
		const own = operation === 'getEvents' ? ['event', 'event_id'] : [];
		const given: Record<string, unknown> = { ...json[0] };
		expect(Object.keys(given)).toEqual([...own, ...KEPT[kind]]);
		for (const field of KEPT[kind])
			expect(given[field]).toBe(field in RECORD ? RECORD[field as keyof typeof RECORD] : null);
	});

	it('stays out of a whole record', async () => {
		const server = await scriptedServer(() => answer(envelope(RECORD)));
		const { json } = await runOperation(server, {
			resource: 'customer',
			operation: 'getAll',
			parameters: { simplify: false },
		});
		expect(json).toEqual([RECORD]);
	});
});
