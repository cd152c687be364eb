import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EXAMPLES, parametersIn, typesOf } from '../support/pageExamples.cjs';
import { n8n, startService } from './support/session.mjs';
import { idLocator, createWorkflowOfOne, NODE_TYPE } from './support/workflows.mjs';

/** Each operation in every version of n8n. Their results are compared with the service's in test/action and test/package. */

const { sandbox, credential } = await startService({ counts: { charges: 120, customers: 120 } });

const { id: chargeId } = sandbox.insertCharge();
const customerIds = sandbox.store.customers.all().map(({ id }) => id);
const [customerId = ''] = customerIds;
const linkId = `${sandbox.store.links.at(0)?.link.id}`;

/** Operations of which docs/operations.md has no example, and a list of three pages. */
const OTHERS = [
	{ name: 'charge get', ids: [chargeId], parameters: { chargeId: idLocator(chargeId) } },
	{ name: 'customer get', ids: [customerId], parameters: { customerId: idLocator(customerId) } },
	{
		name: 'customer getAll',
		ids: customerIds,
		parameters: { returnAll: true, options: { pageSize: 50 } },
	},
	{ name: 'link get', ids: [linkId], parameters: { linkId } },
];

/** @param {Record<string, unknown>} parameters */
const run = async (parameters) =>
	await (await createWorkflowOfOne(n8n, credential, parameters)).run();

test('every operation that n8n offers is tried here', async () => {
	const nodeType = (await n8n.nodeTypes()).find(({ name }) => name === NODE_TYPE);
	const offered = (nodeType?.properties ?? [])
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			// n8n adds a choice that has no action, for a request by hand.
			options.flatMap((option) =>
				'action' in option && 'value' in option
					? [`${displayOptions?.show?.['resource']} ${option.value}`]
					: [],
			),
		);
	const tried = [...OTHERS, ...EXAMPLES].map(({ name }) => name);
	assert.deepEqual(offered.sort(), [...new Set(tried)].sort());
});

for (const { name, ids, parameters } of OTHERS) {
	test(`${name} returns the records with these IDs`, async () => {
		const [resource, operation] = name.split(' ');
		const { output, message } = await run({ resource, operation, ...parameters });
		assert.deepEqual(
			output.map(({ id }) => id),
			ids,
			message,
		);
	});
}

for (const { name, block, output: shown } of EXAMPLES) {
	test(`${name} returns the fields that docs/operations.md shows`, async () => {
		const { output, message } = await run(parametersIn(block, sandbox));
		const [first] = output;
		assert.ok(first, message);
		assert.deepEqual(typesOf(shown, first), typesOf(shown));
	});
}
