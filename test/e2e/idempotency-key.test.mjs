import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import {
	NODE_TYPE,
	TRIGGER,
	TRIGGER_NODE,
	createWorkflowOfOne,
	runOfOne,
} from './support/oneNode.mjs';
import { startOwnServers } from './support/servers.mjs';
import { until } from './support/until.mjs';

/**
 * The Idempotency Key of both writes, with n8n's real database behind it. Each test has a workflow of its own, so that
 * none sees another one's keys.
 */

const { n8n, sandbox, credential, restartN8n } = await startOwnServers();

/** @typedef {Record<string, unknown>} Parameters */

/** What the two writes need, and how to count what the service carried out. */
const WRITES = {
	create: () => {
		const before = sandbox.store.links.all().length;
		return {
			path: '/v1/links',
			/** @type {Parameters} */
			parameters: {
				resource: 'link',
				operation: 'create',
				currency: 'USD',
				items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
			},
			done: () => sandbox.store.links.all().length - before,
		};
	},
	refund: () => {
		const { id } = sandbox.insertCharge({
			currency: 'USD',
			total: '100.00',
			refund_total: '0.00',
			refunds: [],
		});
		return {
			path: `/v1/charges/${id}/refund`,
			/** @type {Parameters} */
			parameters: {
				resource: 'charge',
				operation: 'refund',
				chargeId: { __rl: true, mode: 'id', value: id },
				amount: '5.00',
			},
			done: () => sandbox.store.charges.get(id)?.charge.refunds.length ?? 0,
		};
	},
};

/**
 * @param {Parameters} parameters of a write
 * @param {Parameters} options of it
 */
const createWorkflow = async (parameters, options = { idempotencyKey: 'order-1' }) =>
	await createWorkflowOfOne(n8n, credential, { ...parameters, options });

const USED_BEFORE = /“order-1” was used before: nothing was sent/;

for (const [name, start] of Object.entries(WRITES)) {
	test(`${name}: a second execution fails, and says what the first one did`, async () => {
		const { parameters, done } = start();
		const workflow = await createWorkflow(parameters);
		const first = await runOfOne(n8n, workflow);
		assert.equal(first.status, 'success', first.message);
		const second = await runOfOne(n8n, workflow);
		assert.equal(second.status, 'error');
		assert.match(second.message, USED_BEFORE);
		assert.equal(done(), 1);
	});

	test(`${name}: two executions at once do it once`, async () => {
		const { parameters, done, path } = start();
		const rule = sandbox.addFault({
			match: { method: 'POST', path },
			action: { delayMs: 500, afterExecuting: true },
		});
		const workflow = await createWorkflow(parameters);
		const once = async () => await runOfOne(n8n, workflow);
		const outcomes = await Promise.all([once(), once()]);
		sandbox.removeFault(rule);
		assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['error', 'success']);
		assert.equal(done(), 1);
	});

	test(`${name}: after a refusal the key is free again, and after an unknown outcome it stays used`, async () => {
		const { parameters, done, path } = start();
		const workflow = await createWorkflow(parameters);
		const match = { method: 'POST', path, times: 1 };
		sandbox.addFault({ match, action: { status: 422 } });
		assert.match((await runOfOne(n8n, workflow)).message, /NOT/);
		sandbox.addFault({ match, action: { status: 500 } });
		assert.match((await runOfOne(n8n, workflow)).message, /^UNKNOWN/);
		assert.match((await runOfOne(n8n, workflow)).message, USED_BEFORE);
		assert.equal(done(), 0);
	});

	test(`${name}: without the option it is done each time`, async () => {
		const { parameters, done } = start();
		const workflow = await createWorkflow(parameters, {});
		for (const times of [1, 2]) {
			const { status, message } = await runOfOne(n8n, workflow);
			assert.equal(status, 'success', message);
			assert.equal(done(), times);
		}
	});
}

const PAYMENT = {
	type: NODE_TYPE,
	typeVersion: 1,
	credentials: { paymentCollectionApi: credential },
};
const to = (/** @type {string[]} */ ...nodes) => ({
	main: nodes.map((node) => [{ node, type: 'main', index: 0 }]),
});

test('a webhook that delivers an order with three lines twice makes one link with three items', async (t) => {
	const path = randomUUID();
	const before = sandbox.store.links.all().length;
	const { id } = await n8n.createWorkflow({
		name: t.name,
		nodes: [
			{
				name: 'Order',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				webhookId: path,
				position: [0, 0],
				parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
			},
			{
				...PAYMENT,
				name: 'Link',
				position: [200, 0],
				parameters: {
					resource: 'link',
					operation: 'create',
					currency: '={{ $json.body.currency }}',
					itemsInput: 'json',
					itemsJson: '={{ $json.body.lines }}',
					options: { idempotencyKey: '=order-{{ $json.body.id }}', onRepeatedKey: 'skip' },
				},
			},
		],
		connections: { Order: to('Link') },
	});
	await n8n.publish(id);
	t.after(() => n8n.unpublish(id));
	const lines = ['Ticket', 'Lunch', 'Map'].map((name) => ({ name, amount: 12.5, quantity: '2' }));
	const deliver = async (/** @type {object} */ order) =>
		await fetch(`${n8n.baseUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ currency: 'EUR', ...order }),
		});
	await deliver({ id: 1042, lines });
	await deliver({ id: 1042, lines });
	// The newest first.
	const created = () => sandbox.store.links.all().slice(0, -before || undefined);
	assert.deepEqual(
		created().map(({ link }) => link.items.map(({ name, quantity }) => [name, quantity])),
		[lines.map(({ name }) => [name, 2])],
	);
	// Another order under its key is no repetition.
	assert.equal((await deliver({ id: 1042, lines: lines.slice(1) })).status, 500);
	assert.equal(created().length, 1);
});

test('a loop over orders that ends at a repeated key says why, and goes on with Always Output Data', async (t) => {
	const LOOP = 'Loop Over Items';
	/** @param {string} used the order whose key was used before @param {object} settings of the node */
	const loop = async (used, settings) => {
		const orders = Array.from({ length: 5 }, (_, index) => ({ order: `${used} ${index + 1}` }));
		const { id } = await n8n.createWorkflow({
			name: t.name,
			nodes: [
				TRIGGER_NODE,
				{
					name: 'Orders',
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					position: [200, 0],
					parameters: {
						jsCode: `const orders = ${JSON.stringify(orders)};
return [orders[1], ...orders].map((json) => ({ json }));`,
					},
				},
				{
					name: LOOP,
					type: 'n8n-nodes-base.splitInBatches',
					typeVersion: 3,
					position: [400, 0],
					parameters: { options: {} },
				},
				{
					...PAYMENT,
					name: 'Link',
					position: [600, 0],
					parameters: {
						resource: 'link',
						operation: 'create',
						currency: 'EUR',
						items: { item: [{ name: 'Ticket', amount: '5.00', quantity: 1 }] },
						additionalFields: { title: '={{ $json.order }}' },
						options: { idempotencyKey: '={{ $json.order }}', onRepeatedKey: 'skip' },
					},
					...settings,
				},
			],
			connections: {
				[TRIGGER]: to('Orders'),
				Orders: to(LOOP),
				[LOOP]: { main: [[], [{ node: 'Link', type: 'main', index: 0 }]] },
				Link: to(LOOP),
			},
		});
		const execution = await n8n.run(id, { trigger: TRIGGER });
		const hints = (execution.data.resultData.runData['Link'] ?? []).flatMap(
			({ hints: given = [] }) => given.map(({ message }) => message),
		);
		const links = sandbox.store.links.all().map(({ link }) => link.title);
		return {
			status: execution.status,
			hints,
			created: links.filter((title) => title.startsWith(used)).length,
		};
	};
	const ended = await loop('ended', {});
	assert.equal(ended.status, 'success');
	assert.match(ended.hints.join(), /^Skipped item 1: .*used before.*Always Output Data/);
	// The second order, the first, and then its key again.
	assert.equal(ended.created, 2);
	const whole = await loop('whole', { alwaysOutputData: true });
	assert.equal(whole.created, 5);
});

test('n8n killed between sending and saving: the next run does neither write again', async () => {
	const writes = await Promise.all(
		Object.values(WRITES).map(async (start) => {
			const write = start();
			sandbox.addFault({
				match: { method: 'POST', path: write.path, times: 1 },
				action: { delayMs: 60_000, afterExecuting: true },
			});
			const workflow = await createWorkflow(write.parameters);
			await n8n.start(workflow, { trigger: TRIGGER });
			return { ...write, workflow };
		}),
	);
	await until(
		() => writes.every(({ done }) => done() === 1),
		() => 'the writes were not carried out',
	);

	await restartN8n({ isKilled: true });
	for (const { workflow, done } of writes) {
		assert.match((await runOfOne(n8n, workflow)).message, USED_BEFORE);
		assert.equal(done(), 1);
	}
});
