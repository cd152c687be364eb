import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { chatMessage } from '../support/examples/exampleCopy.mjs';
import { startScriptedModel } from '../support/examples/scriptedModel.mjs';
import { n8n, startExample } from '../support/session.mjs';

const CHAT = 'When chat message received';
const LOOK_UP = 'Look_up_charges';
const CREATE = 'Create_a_link';
const REFUND = 'Refund_a_charge';

const REPAIR = { item: 'Repair', price: '12.50', quantity: 2 };

const model = await startScriptedModel(n8n);

/**
 * A service and a copy of the example for one test alone.
 *
 * @param {import('node:test').TestContext} t
 */
async function startAgent(t) {
	const { sandbox, flow } = await startExample(
		t,
		'payment-agent.json',
		{ counts: { charges: 5 } },
		{ credentials: [model.credential] },
	);
	return {
		sandbox,
		/**
		 * Sends a chat message and waits for the answer.
		 *
		 * @param {import('../support/examples/scriptedModel.mjs').Turn[]} script
		 */
		async chat(script, sessionId = randomUUID()) {
			model.play(script);
			const execution = await flow.succeed(CHAT, chatMessage(sessionId));
			return outputOf(execution, 'Payment agent')[0]?.json['output'];
		},
		/**
		 * @param {import('../support/examples/scriptedModel.mjs').ToolCall} call
		 * @returns {Promise<string>} the tool's refusal as the model reads it, or the execution's error in n8n 1 and early
		 *   versions of n8n 2, in which a failed tool ends the execution
		 */
		async refusal(call, sessionId = randomUUID()) {
			model.play([[call], 'It can not be done.']);
			const { error } = (await flow.run(CHAT, chatMessage(sessionId))).data.resultData;
			return error === undefined ? (model.results().at(-1) ?? '') : JSON.stringify(error);
		},
		/** @returns writes that reached the service */
		writes: () =>
			sandbox.requests
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path }) => `${method} ${path}`),
		refundTotal: (/** @type {string} */ id) => sandbox.store.charges.get(id)?.charge.refund_total,
	};
}

test('the agent creates one link for each order in a conversation, in the currency of the shop', async (t) => {
	const { sandbox, chat, refusal, writes } = await startAgent(t);
	const conversation = randomUUID();
	const create = (/** @type {string} */ order, price = REPAIR.price) => ({
		tool: CREATE,
		input: { ...REPAIR, price, order, currency: 'JPY' },
	});
	await chat([[create('1001')], [create('1002')], 'Done.'], conversation);
	for (const again of [create('1001'), create('1001', '99')])
		assert.match(await refusal(again, conversation), /Idempotency Key/);
	assert.equal(writes().length, 2);
	const created = sandbox.store.links.all().slice(0, 2);
	assert.deepEqual(
		created.map(({ link }) => `${link.amount} ${link.currency}`),
		['25.00 EUR', '25.00 EUR'],
	);
});

test('the agent refunds up to the limit, which none of its arguments can raise, and reads no card data', async (t) => {
	const { sandbox, chat, refusal, writes, refundTotal } = await startAgent(t);
	const { id, source } = sandbox.insertCharge({ currency: 'USD', total: '80.00' });
	const refund = (/** @type {Record<string, unknown>} */ input) =>
		refusal({ tool: REFUND, input: { chargeId: id, ...input } });
	assert.match(await refund({ amount: '50.01' }), /Maximum Amount/);
	const raised = { maximumAmount: '100', options: { maximumAmount: '100' } };
	assert.match(await refund({ amount: '70', ...raised }), /Maximum Amount/);
	await refund({ amount: '5e1' });
	assert.deepEqual(writes(), []);

	const answer = await chat([
		[{ tool: LOOK_UP, input: { search: id } }],
		[{ tool: REFUND, input: { chargeId: id, amount: '50' } }],
		'Done.',
	]);
	assert.equal(answer, 'Done.');
	const [found = '', done = ''] = model.results();
	assert.ok(found.includes(id) && found.includes('80.00'), found);
	for (const secret of [source.card_data.card_number, source.token])
		assert.ok(!JSON.stringify(model.requests).includes(secret), 'card data reached the model');
	assert.match(done, /"refund_total":\s*"50\.00"/);
	assert.equal(refundTotal(id), '50.00');
});

test('the agent refunds once in a conversation, however often the model asks for it', async (t) => {
	const { sandbox, chat, refusal, refundTotal } = await startAgent(t);
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '80.00' });
	const conversation = randomUUID();
	const call = { tool: REFUND, input: { chargeId: id, amount: '10' } };
	await chat([[call], 'Done.'], conversation);
	for (const repeated of [call, call])
		assert.match(await refusal(repeated, conversation), /Idempotency Key/);
	assert.equal(refundTotal(id), '10.00');

	await chat([[call], 'Done.']);
	assert.equal(refundTotal(id), '20.00');
});
