import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { outputOf } from '../../scripts/n8n-server/client/index.mjs';
import { nodeOf, TRIGGER } from './support/browser/workflows.mjs';
import { createWorkflowOfOne } from './support/oneNode.mjs';
import { startOwnServers } from './support/ownServers.mjs';
import { readProcessedData } from './support/processedData.mjs';

/**
 * The Idempotency Key of both writes, with n8n's real database behind it. Each test has a workflow of its own, so that
 * none sees another one's keys.
 */

const NODE = 'Write';
const servers = await startOwnServers();
const { sandbox } = servers;

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
 * Manual trigger → as many items as wanted → the write.
 *
 * @param {Parameters} parameters
 * @param {{ items?: number }} [options]
 */
async function createWorkflow(parameters, { items } = {}) {
	const { client, credential } = servers.n8n;
	const json = { order: 'order-1', nothing: '' };
	const id = await createWorkflowOfOne(client, nodeOf(NODE, parameters, credential), {
		items,
		json,
	});
	return {
		run: async () => await servers.n8n.client.run(id, { trigger: TRIGGER }),
		/** Starts it and does not wait for its end. */
		start: async () => await servers.n8n.client.start(id, { trigger: TRIGGER }),
		/** How many keys n8n remembers for it: the same number in the node's list and in the workflow's. */
		keys: async () => {
			const rows = await readProcessedData(servers.folder);
			const [inNode = 0, inWorkflow = 0, ...more] = rows
				.filter(({ workflowId }) => workflowId === id)
				.map(({ value }) => value.data.length);
			assert.deepEqual([inWorkflow, more], [inNode, []]);
			return inNode;
		},
	};
}

/** @param {import('../../scripts/n8n-server/client/types.mjs').Execution} execution */
const messageOf = (execution) => String(execution.data.resultData.error?.message ?? '');

/**
 * @param {() => boolean} condition
 * @param {string} what
 */
async function until(condition, what) {
	for (let waited = 0; !condition(); waited += 50) {
		assert.ok(waited < 20_000, `waited in vain for ${what}`);
		await sleep(50);
	}
}

const KEY = { idempotencyKey: '={{ $json.order }}' };

for (const [name, start] of Object.entries(WRITES)) {
	test(`${name}: the same key twice in one input is done once`, async () => {
		const { parameters, done } = start();
		const workflow = await createWorkflow(
			{ ...parameters, options: { ...KEY, onRepeatedKey: 'skip' } },
			{ items: 2 },
		);
		const execution = await workflow.run();
		assert.equal(execution.status, 'success', messageOf(execution));
		assert.equal(outputOf(execution, NODE).length, 1);
		assert.equal(done(), 1);
		assert.equal(await workflow.keys(), 1);
	});

	test(`${name}: a second execution fails, and says what the first one did`, async () => {
		const { parameters, done } = start();
		const workflow = await createWorkflow({ ...parameters, options: KEY });
		const first = await workflow.run();
		assert.equal(first.status, 'success', messageOf(first));
		const second = await workflow.run();
		assert.equal(second.status, 'error');
		assert.match(messageOf(second), /“order-1” was used before: nothing was sent/);
		assert.equal(done(), 1);
	});

	test(`${name}: two executions at once do it once`, async () => {
		const { parameters, done, path } = start();
		const rule = sandbox.addFault({
			match: { method: 'POST', path },
			action: { delayMs: 500, afterExecuting: true },
		});
		const workflow = await createWorkflow({ ...parameters, options: KEY });
		const ids = await Promise.all([workflow.start(), workflow.start()]);
		const executions = await Promise.all(
			ids.map(async (id) => await servers.n8n.client.finishedExecution(id)),
		);
		sandbox.removeFault(rule);
		assert.deepEqual(executions.map(({ status }) => status).sort(), ['error', 'success']);
		assert.equal(done(), 1);
	});

	test(`${name}: after a refusal the key is free again`, async () => {
		const { parameters, done, path } = start();
		sandbox.addFault({ match: { method: 'POST', path, times: 1 }, action: { status: 422 } });
		const workflow = await createWorkflow({ ...parameters, options: KEY });
		assert.match(messageOf(await workflow.run()), /NOT/);
		assert.equal(await workflow.keys(), 0);
		const second = await workflow.run();
		assert.equal(second.status, 'success', messageOf(second));
		assert.equal(done(), 1);
	});

	test(`${name}: after an unknown outcome the key stays used`, async () => {
		const { parameters, done, path } = start();
		sandbox.addFault({ match: { method: 'POST', path, times: 1 }, action: { status: 500 } });
		const workflow = await createWorkflow({ ...parameters, options: KEY });
		assert.match(messageOf(await workflow.run()), /^UNKNOWN/);
		assert.match(messageOf(await workflow.run()), /was used before/);
		assert.equal(await workflow.keys(), 1);
		assert.equal(done(), 0);
	});

	test(`${name}: a key whose expression gives nothing is refused`, async () => {
		const { parameters, done } = start();
		for (const idempotencyKey of ['={{ $json.nothing }}', '={{ $json.missing }}', '={{ null }}']) {
			const workflow = await createWorkflow({ ...parameters, options: { idempotencyKey } });
			assert.match(messageOf(await workflow.run()), /^Idempotency Key is empty/);
			assert.equal(await workflow.keys(), 0);
		}
		assert.equal(done(), 0);
	});

	test(`${name}: without the option nothing is stored`, async () => {
		const { parameters, done } = start();
		const workflow = await createWorkflow(parameters);
		for (let time = 0; time < 2; time += 1) {
			const execution = await workflow.run();
			assert.equal(execution.status, 'success', messageOf(execution));
		}
		assert.equal(await workflow.keys(), 0);
		assert.equal(done(), 2);
	});
}

test('n8n killed between sending and saving: the next run does neither write again', async () => {
	const writes = await Promise.all(
		Object.values(WRITES).map(async (start) => {
			const write = start();
			sandbox.addFault({
				match: { method: 'POST', path: write.path, times: 1 },
				action: { delayMs: 60_000, afterExecuting: true },
			});
			const workflow = await createWorkflow({ ...write.parameters, options: KEY });
			await workflow.start();
			return { ...write, workflow };
		}),
	);
	await until(() => writes.every(({ done }) => done() === 1), 'both writes to be carried out');

	await servers.restartN8n({ isKilled: true });
	for (const { workflow, done } of writes) {
		assert.match(messageOf(await workflow.run()), /was used before: nothing was sent/);
		assert.equal(done(), 1);
	}
});
