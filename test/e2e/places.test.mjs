import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NEWEST_LINE } from '../../scripts/n8n-server/install.mjs';
import { startScriptedModel } from './support/examples/scriptedModel.mjs';
import {
	LANGCHAIN,
	agentsModule,
	aiAgent,
	createSubWorkflow,
	mcpServerTrigger,
} from './support/places.mjs';
import { n8n, startService } from './support/session.mjs';
import { idLocator, refundOf, ticketFor } from './support/workflows.mjs';

/** All places in which n8n runs the action node for a model, with a read, a link, a refund, a refusal, an unknown outcome and a key. */

const model = await startScriptedModel(n8n);
const subModel = await startScriptedModel(n8n);

const fromAI = (/** @type {string} */ name) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;

const TOOLS = {
	Look_up: {
		resource: 'charge',
		operation: 'getAll',
		filters: { search: fromAI('search') },
		output: 'selectedFields',
		fields: ['total', 'payer_name'],
	},
	Create: ticketFor(fromAI('price')),
	Refund: refundOf(fromAI('charge'), fromAI('amount'), { maximumAmount: '20' }),
	Refund_with_key: refundOf(fromAI('charge'), fromAI('amount'), { idempotencyKey: 'return-1' }),
};

const { id: project } = await n8n.request('GET', '/rest/projects/personal');
const hasAgents = await n8n.exists(`/rest/projects/${project}/agents/v2`);
const types = await n8n.nodeTypes();
const isThere = (/** @type {string} */ type, /** @type {number} */ version) =>
	types.some((one) => one.name === LANGCHAIN + type && [one.version].flat().includes(version));
const newest = isThere('agent', 3.1) ? 3.1 : 3;
/** Older versions of n8n lack some places; the newest has to have all. */
const isNewest = (process.env['N8N_LINE'] || NEWEST_LINE) === NEWEST_LINE;

/** @type {[name: string, isThere: boolean, hasKeys: boolean, start: import('./support/places.mjs').Start][]} */
const PLACES = [
	['n8n’s Agents', hasAgents, false, agentsModule],
	['MCP Server Trigger', isThere('mcpTrigger', 2), false, mcpServerTrigger],
	['AI Agent 2.2', isThere('agent', 2.2), false, aiAgent({ agent: 2.2 })],
	[`AI Agent ${newest}`, isThere('agent', newest), true, aiAgent({ agent: newest })],
	['Execute step on a tool', isNewest, false, aiAgent({ agent: newest, isToolAlone: true })],
	['AI Agent Tool 2.2', isThere('agentTool', 2.2), false, aiAgent({ agent: 2.2, subAgent: 2.2 })],
	['AI Agent Tool 3', isThere('agentTool', 3), true, aiAgent({ agent: newest, subAgent: 3 })],
];

for (const [name, , hasKeys, start] of PLACES.filter(([, isPlace]) => isPlace || isNewest)) {
	test(`${name}: a model reads and writes, and each error says what was not done`, async () => {
		const { sandbox, credential } = await startService({ counts: { charges: 3, links: 0 } });
		const call = await start({ n8n, credential, model, subModel, tools: TOOLS });
		const charge = sandbox.insertCharge({ currency: 'EUR', total: '80.00' });
		const refunded = () =>
			sandbox.store.charges.get(charge.id)?.charge.refunds.map(({ amount }) => amount);
		const refundCall = (/** @type {string} */ amount, tool = 'Refund') =>
			call(tool, { charge: charge.id, amount });
		const failOnce = (/** @type {string} */ path) =>
			sandbox.addFault({ match: { method: 'POST', path, times: 1 }, action: { status: 500 } });

		const nobody = await call('Look_up', { search: 'Nobody' });
		assert.match(nobody, /No charges were found with 'Search' Nobody\./);
		const found = await call('Look_up', { search: '' });
		assert.ok(found.includes(charge.id) && found.includes('80.00'), found);
		assert.ok(found.includes(charge.source.card_holder_name), found);
		assert.ok(!found.includes('currency'), 'a field that is not selected reached the model');
		assert.ok(
			!found.includes(`${charge.source.card_data?.card_number}`),
			'card data reached the model',
		);
		assert.match(await call('Create', { price: '12.50' }), /12\.50/);
		assert.equal(sandbox.store.links.all().length, 1);

		assert.match(await refundCall('5.00'), /"refund_total":\s*"5\.00"/);
		assert.match(await refundCall('5.00'), /Refunded by an earlier call\. Nothing more was sent/);
		assert.deepEqual(refunded(), ['5.00']);

		assert.match(
			await refundCall('99'),
			/'Maximum Amount' of 20 – NOT refunded\. .*a person has to decide/,
		);
		assert.match(
			await call('Create', { price: 'ten' }),
			/ – the link was NOT created by this request\. Use digits/,
		);

		const keyed = [
			await refundCall('6.00', 'Refund_with_key'),
			await refundCall('6.00', 'Refund_with_key'),
		];
		assert.match(
			keyed.join('\n'),
			hasKeys
				? /"11\.00"[^]*was used before/
				: /can’t be used here.* sub-workflow.*\n.*can’t be used/,
		);

		failOnce('/v1/charges');
		assert.match(
			await refundCall('7.00'),
			/UNKNOWN whether charge .* was refunded.* check the charge in/,
		);
		assert.match(
			await refundCall('7.00'),
			/NOT refunded: it is unknown .* might still be carried out/,
		);
		failOnce('/v1/links');
		assert.match(
			await call('Create', { price: '3.00' }),
			/UNKNOWN whether the link was created.*First look for the link/,
		);
		assert.deepEqual(refunded(), hasKeys ? ['5.00', '6.00'] : ['5.00']);
		assert.equal(sandbox.store.links.all().length, 1);
	});
}

test('a sub-workflow as the tool has keys even where n8n remembers none', async () => {
	const { sandbox, credential } = await startService({ counts: { charges: 0 } });
	const { id } = sandbox.insertCharge({ currency: 'EUR', total: '80.00' });
	const refundOnce = refundOf(id, '5.00', { idempotencyKey: 'return-1' });
	const workflowId = await createSubWorkflow(n8n, credential, refundOnce);
	const tools = { Refund: { workflowId: idLocator(workflowId) } };
	const call = await mcpServerTrigger({ n8n, credential, model, subModel, tools });
	assert.match(await call('Refund', {}), /"refund_total":\s*"5\.00"/);
	assert.match(await call('Refund', {}), /was used before: nothing was sent/);
});
