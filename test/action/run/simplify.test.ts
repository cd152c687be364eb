import { KEPT_CHARGE_FIELDS } from '../../../contract/recordFields';
import { chargeSchema } from '../../../contract/schemas/charge';
import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import type { Sandbox } from '../../../sandbox';
import { runNode, runRouting } from '../../support/engine';
import { LIST_OPERATIONS, insertPlantedCharge, listSandbox } from '../../support/lists';
import { shownFor } from '../../support/operations';
import { findSecrets } from '../../support/secrets/secrets';

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
