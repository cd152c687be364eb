import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { CHARGE_FIELDS, CUSTOMER_FIELDS, KEPT_CHARGE_FIELDS } from '../../../contract/recordFields';
import { chargeSchema } from '../../../contract/schemas/charge';
import { customerSchema } from '../../../contract/schemas/customer';
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

describe('a list of charges as a tool', () => {
	const [resource, operation] = ['charge', 'getAll'] as const;
	const kept: readonly string[] = KEPT_CHARGE_FIELDS;
	const all: readonly string[] = CHARGE_FIELDS;

	/** The names of the fields that leave it, on both paths by which n8n runs a tool. */
	async function fieldsOf(chosen: INodeParameters, nodeType = tool): Promise<string[]> {
		const options = {
			nodeType,
			credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
			parameters: { resource, operation, filters: { chargeId: charge }, ...chosen },
		};
		const result = await runNode(options);
		expect(result.error).toBeUndefined();
		const [older = []] = await runRouting(options);
		expect(older.map(({ json }) => json)).toEqual(result.json);
		expect(result.json).toHaveLength(1);
		expect(findSecrets(result.json)).toEqual([]);
		return Object.keys(result.json[0] ?? {});
	}

	it('is simplified unless told otherwise', async () => {
		expect(await fieldsOf({})).toEqual(kept);
		expect(await fieldsOf({ output: 'simplified' })).toEqual(kept);
	});

	it('gives all fields with Raw', async () => {
		expect((await fieldsOf({ output: 'raw' })).sort()).toEqual([...all].sort());
	});

	it('gives the ID and the selected fields with Selected Fields', async () => {
		const outputFields = [all[4], all[2]] as string[];
		expect(await fieldsOf({ output: 'selectedFields', outputFields })).toEqual([
			'id',
			...outputFields,
		]);
		expect(await fieldsOf({ output: 'selectedFields' })).toEqual(['id']);
	});

	it('goes on giving whole records where it was saved with Simplify off', async () => {
		expect((await fieldsOf({ simplify: false })).sort()).toEqual([...all].sort());
	});

	it('is not asked for Output outside of an agent', async () => {
		const chosen = { output: 'selectedFields', outputFields: ['created'] };
		expect(await fieldsOf(chosen, node)).toEqual(kept);
		expect(await fieldsOf({ ...chosen, simplify: false }, node)).toHaveLength(all.length);
	});

	it.each<[string, INodeParameters, PaymentCollection, string[]]>([
		['Simplify outside of an agent', {}, node, ['Simplify']],
		['Output in a tool', {}, tool, ['Output']],
		['the fields to select', { output: 'selectedFields' }, tool, ['Output', 'Fields']],
		['Simplify in a tool that was saved with it off', { simplify: false }, tool, ['Simplify']],
	])('the editor shows %s', (_what, chosen, { description }, shown) => {
		const values = { resource, operation, ...chosen };
		const names = description.properties
			.filter((one) => ['simplify', 'output', 'outputFields'].includes(one.name))
			.filter(({ type }) => type !== 'hidden')
			.filter((one) => NodeHelpers.displayParameter(values, one, { typeVersion: 1 }, description))
			.map(({ displayName }) => displayName);
		expect(names).toEqual(shown);
	});
});

it('refuses a field that there is not, by name', async () => {
	const { error } = await runNode({
		nodeType: tool,
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		parameters: {
			resource: 'charge',
			operation: 'getAll',
			output: 'selectedFields',
			outputFields: '={{ ["card_number"] }}',
		},
	});
	expect(error?.message).toMatch(/^Fields is "card_number": it must be one of /);
});

it('every operation that can simplify its records offers the same choice, of its own fields', () => {
	const fieldsNamed = (name: string) =>
		node.description.properties.filter((one) => one.name === name).flatMap(shownFor);
	const simplified = [...new Set(fieldsNamed('simplify'))].sort();
	expect(simplified).toEqual(expect.arrayContaining([...LIST_OPERATIONS]));
	for (const name of ['output', 'outputFields'])
		expect(fieldsNamed(name).sort()).toEqual(simplified);
});

it('every field of the contract can be selected, the ID first', () => {
	expect([...CHARGE_FIELDS].sort()).toEqual(Object.keys(chargeSchema.shape).sort());
	expect([...CUSTOMER_FIELDS].sort()).toEqual(Object.keys(customerSchema.shape).sort());
	expect([CHARGE_FIELDS[0], CUSTOMER_FIELDS[0]]).toEqual(['id', 'id']);
});
