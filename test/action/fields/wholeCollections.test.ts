import type { IDataObject, INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { runAsTool, runRouting } from '../../support/engine';
import { json, scriptedServer, type ScriptedServer } from '../../support/servers/http-server';
import { envelope, nodeOn, runOperation, triggerOn, uuid } from '../../support/operations';

/**
 * An expression in place of a whole collection. The editor offers none, but a workflow's JSON can contain one, and n8n
 * drops it before a node runs: filters would list all rows, and a refund would lose its Maximum Amount.
 */

let server: ScriptedServer;
beforeEach(async () => {
	const charge = { id: uuid(1), currency: 'USD', total: '20.00', refund_total: '0.00' };
	server = await scriptedServer(({ method }) =>
		json(method === 'GET' ? envelope(charge) : { id: uuid(1), message: 'Refunded' }),
	);
});

const EXPRESSION = '={{ $json.given }}';

const REFUND = { chargeId: { __rl: true, mode: 'id', value: uuid(1) }, amount: '5.00' };

/** One collection has a field that is named like a method of a text. The trace of all others is below. */
it.each<[string, string, string, INodeParameters]>([
	['charge', 'getAll', 'Filters', { filters: EXPRESSION }],
	['charge', 'refund', 'Options', { ...REFUND, options: EXPRESSION }],
])(
	'%s %s with one expression for %s is refused by name, before anything is sent',
	async (resource, operation, title, parameters) => {
		const refusal = `'${title}' is set by a single expression, whose result n8n doesn’t pass on`;
		const asked = { resource, operation, parameters };
		const maximum = { currency: 'USD', maximumAmount: '1.00' };
		for (const given of [maximum, { nobody: 1 }, undefined, null, 'USD', 5, [{}]]) {
			const items = [{ given } as IDataObject];
			const { error } = await runOperation(server, { ...asked, items });
			expect(error?.message).toContain(refusal);
			expect(error?.description).toContain('each with its own expression');
			await expect(runRouting({ ...nodeOn(server, asked), items })).rejects.toThrow(refusal);
		}
		expect(server.calls()).toEqual([]);
	},
);

it.each([
	{ filters: '={{ { "currency": "USD" } }}' },
	{ options: '={{ { "lookbackMinutes": 30 } }}' },
])('the trigger with %j is refused at activation and for a test event', async (parameters) => {
	const poller = triggerOn(server, { parameters });
	for (const outcome of [await poller.activate(), await poller.fetchTestEvent()]) {
		expect(outcome.error?.message).toContain('is set by a single expression');
	}
	expect(server.calls()).toEqual([]);
});

it.each<[string, INodeParameters]>([
	['Custom Fields', { additionalFields: { customFields: '={{ $json.given }}' } }],
	['Custom Fields', { additionalFields: { customFields: { field: '={{ $json.given }}' } } }],
	['Custom Fields', { additionalFields: { title: 'A', customFields: {} } }],
	['Items', { items: '={{ $json.given }}' }],
	['Items', { items: { item: '={{ $json.given }}' } }],
])(
	'a link with an empty list or one expression for it is refused by name, also by a tool: %s %j',
	async (title, parameters) => {
		const items = { item: [{ name: 'Ticket', amount: '1', quantity: 1 }] };
		const create = {
			resource: 'link',
			operation: 'create',
			parameters: { currency: 'USD', items, ...parameters },
		};
		const message = `'${title}' has 0 entries: at least 1 is required`;
		const advice = 'n8n doesn’t pass on a single expression for the whole of';
		const [{ answer }] = await runAsTool(nodeOn(server, create));
		expect(answer).toContain(message);
		expect(answer).toContain(advice);
		// An empty list of a required field is refused by n8n itself.
		if (title !== 'Items') {
			const { error } = await runOperation(server, create);
			const description = expect.stringContaining(advice) as string;
			expect(error).toMatchObject({ message, description });
		}
		expect(server.calls()).toEqual([]);
	},
);

const COLLECTIONS = [new PaymentCollection(), new PaymentCollectionTrigger()].flatMap(
	({ description }) =>
		description.properties
			.filter(({ type }) => type === 'collection')
			.map((field): [string, INodeProperties] => [
				JSON.stringify([description.name, field.displayOptions?.show, field.name]),
				field,
			]),
);

describe('the trace that such an expression leaves', () => {
	it.each(COLLECTIONS)('of %s can be stored by n8n', (_title, shown) => {
		const { displayOptions: _, ...field } = shown;
		const given = { [field.name]: EXPRESSION };
		const node = { typeVersion: 1 } as INode;
		const read = NodeHelpers.getNodeParameters([field], given, true, false, node, null);
		// A method of the text can't be cloned, and n8n could not publish the workflow.
		expect(structuredClone(read)).toEqual({ [field.name]: { length: EXPRESSION.length } });
	});

	it.each(COLLECTIONS)('of %s is never offered by the editor', (_title, { options = [] }) => {
		const trace = options.find(({ name }) => name === 'length');
		const isOffered = (values: INodeParameters) =>
			trace === undefined || NodeHelpers.displayParameter(values, trace, null, null);
		expect(isOffered({})).toBe(false);
		expect(isOffered({ title: 'x', page: 2 })).toBe(false);
		expect(isOffered({ length: 3 })).toBe(true);
	});
});
