import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startOwnServers } from './support/servers.mjs';
import { until } from './support/until.mjs';
import { createWorkflowOfOne, refundOf, ticketFor } from './support/workflows.mjs';

/**
 * The Idempotency Key of both writes, with n8n's real database behind it. Each test has a workflow of its own, so that
 * none sees another one's keys.
 */

const { n8n, sandbox, credential, restartN8n } = await startOwnServers();

const options = { idempotencyKey: 'order-1' };

const WRITES = {
	create: () => {
		const before = sandbox.store.links.all().length;
		return {
			path: '/v1/links',
			parameters: ticketFor('12.50', { options }),
			done: () => sandbox.store.links.all().length - before,
		};
	},
	refund: () => {
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
		return {
			path: `/v1/charges/${id}/refund`,
			parameters: refundOf(id, '5.00', options),
			done: () => sandbox.store.charges.get(id)?.charge.refunds.length ?? 0,
		};
	},
};

const USED_BEFORE = /“order-1” was used before: nothing was sent/;

for (const [name, start] of Object.entries(WRITES)) {
	test(`${name}: two executions at once write once, and a later one fails`, async () => {
		const { parameters, done, path } = start();
		const rule = sandbox.addFault({
			match: { method: 'POST', path },
			action: { delayMs: 500, afterExecuting: true },
		});
		const workflow = await createWorkflowOfOne(n8n, credential, parameters);
		const outcomes = await Promise.all([workflow.run(), workflow.run()]);
		sandbox.removeFault(rule);
		assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['error', 'success']);
		assert.match((await workflow.run()).message, USED_BEFORE);
		assert.equal(done(), 1);
	});

	test(`${name}: a refusal frees the key, and an unknown outcome keeps it used`, async () => {
		const { parameters, done, path } = start();
		const workflow = await createWorkflowOfOne(n8n, credential, parameters);
		const match = { method: 'POST', path, times: 1 };
		sandbox.addFault({ match, action: { status: 422 } });
		assert.match((await workflow.run()).message, /NOT/);
		sandbox.addFault({ match, action: { status: 500 } });
		assert.match((await workflow.run()).message, /^UNKNOWN/);
		assert.match((await workflow.run()).message, USED_BEFORE);
		assert.equal(done(), 0);
	});
}

test('after n8n was killed between sending and saving, the next run repeats neither write', async () => {
	const writes = await Promise.all(
		Object.values(WRITES).map(async (start) => {
			const write = start();
			sandbox.addFault({
				match: { method: 'POST', path: write.path, times: 1 },
				action: { delayMs: 60_000, afterExecuting: true },
			});
			const workflow = await createWorkflowOfOne(n8n, credential, write.parameters);
			await workflow.start();
			return { ...write, workflow };
		}),
	);
	await until(() =>
		assert.deepEqual(
			writes.map(({ done }) => done()),
			[1, 1],
		),
	);

	await restartN8n({ isKilled: true });
	for (const { workflow, done } of writes) {
		assert.match((await workflow.run()).message, USED_BEFORE);
		assert.equal(done(), 1);
	}
});
