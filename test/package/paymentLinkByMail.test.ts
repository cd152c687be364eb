import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import type { INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { runNode } from '../support/engine';
import { credentialsFor, uuid } from '../support/operations';
// n8n's memory of keys.
import '../support/processedData';
import { json, reset, scriptedServer, type Answer } from '../support/servers/http-server';

interface ExampleNode {
	name: string;
	parameters: INodeParameters;
}

const file = join(__dirname, '../../examples/payment-link-by-mail.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: ExampleNode[] };
const parametersOf = (name: string) => nodes.find((node) => node.name === name)?.parameters ?? {};

const { assignments } = parametersOf('The result') as {
	assignments: { assignments: { name: string; value: string }[] };
};

/** What the node "The result" makes of what "Create the link" returns. */
function resultOf($json: object): Record<string, unknown> {
	const values = assignments.assignments.map(({ name, value }): [string, unknown] => {
		const expression = /^=\{\{([^]*)\}\}$/.exec(value)?.[1] ?? '';
		const evaluate = compileFunction(`return ${expression}`, ['$json']) as (
			json: object,
		) => unknown;
		return [name, evaluate($json)];
	});
	return Object.fromEntries(values);
}

const link = { id: uuid(1), url: 'https://pay.example/1', amount: '25.00', currency: 'EUR' };

/** The results of one order that is delivered several times, and what the service answers in turn. */
async function deliver(answers: Answer[], times: number, change: object = {}) {
	const left = [...answers];
	const server = await scriptedServer(() => left.shift() ?? json(link, 201));
	const order = {
		number: '1042',
		currency: 'EUR',
		lines: [{ name: 'Cup', amount: '12.50', quantity: 2 }],
	};
	const results: Record<string, unknown>[] = [];
	for (let count = 1; count <= times; count += 1) {
		const { json: items } = await runNode({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(server),
			items: [count === 1 ? order : { ...order, ...change }],
			onError: 'continueRegularOutput',
			parameters: parametersOf('Create the link'),
		});
		results.push(...items.map(resultOf));
	}
	return results;
}

/** By the words of the node, of which a change has to show here. */
describe('an order that comes again', () => {
	it('came before only if its link is known to have been created', async () => {
		expect(await deliver([json(link, 201)], 2)).toMatchObject([
			{ status: 'created', url: link.url, error: '' },
			{ status: 'already' },
		]);
	});

	it('has failed while that is in doubt', async () => {
		expect(await deliver([reset()], 3)).toMatchObject([
			{ status: 'failed', error: expect.stringMatching(/^UNKNOWN/) as string },
			...Array.from({ length: 2 }, () => ({
				status: 'failed',
				error: expect.stringContaining('in doubt') as string,
			})),
		]);
	});

	it('has failed with other lines', async () => {
		const [, again] = await deliver([json(link, 201)], 2, { currency: 'USD' });
		expect(again).toMatchObject({ status: 'failed' });
	});
});

it('an order whose link has no address has failed, and the error has the link’s ID', async () => {
	expect(await deliver([json({ id: link.id }, 201)], 1)).toMatchObject([
		{ status: 'failed', error: expect.stringContaining(link.id) as string },
	]);
});
