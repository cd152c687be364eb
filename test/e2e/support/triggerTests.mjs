import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openGate } from './gate.mjs';
import { createdRow, refundedRow } from './triggerScene.mjs';
import { until } from './until.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./triggerScene.mjs').startTriggerScene>>} Scene */

/** More than a page of the service. */
const MANY = 105;

/**
 * What must hold however n8n keeps the trigger's state.
 *
 * @param {Scene} scene
 */
export function testTrigger(scene) {
	const { sandbox } = scene;

	test('the example saves every new charge once, and none that was there before', async (t) => {
		const flow = await scene.importExample(t);
		await flow.publish();
		const first = scene.insertCharges(3);
		await flow.untilSaved(first.map(createdRow));
		const then = scene.insertCharges(MANY);
		await flow.expectSavedOnce([...first, ...then].map(createdRow));
	});

	test('a refund is saved as an event of its own, of a new charge as of one from before', async (t) => {
		const flow = await scene.importExample(t);
		await flow.publish();
		const created = scene.insertCharges(1).map(createdRow);
		await flow.untilSaved(created);
		const refunds = [`${created[0]?.charge_id}`, await scene.unrefundedOldCharge()].map((id) =>
			refundedRow(sandbox.refundCharge(id)),
		);
		await flow.expectSavedOnce([...created, ...refunds]);
	});

	test('a poll that fails is a failed execution that says why, and the next poll delivers', async (t) => {
		const flow = await scene.importExample(t);
		await flow.publish();
		const fault = sandbox.addFault({
			match: { path: '/v1/charges' },
			action: {
				status: 500,
				body: { error: { code: 'down', message: 'The database is on fire' } },
			},
		});
		t.after(() => sandbox.removeFault(fault));
		const charges = scene.insertCharges(2);
		await until(
			async () => (await flow.failed()).length > 0,
			async () => `no execution failed:\n${await scene.lastLogLines()}`,
		);
		sandbox.removeFault(fault);

		const [execution] = await flow.failed();
		const { error } = execution?.data.resultData ?? {};
		assert.match(`${error?.message}`, /The database is on fire/);
		assert.equal((await flow.saved()).active, true);
		await flow.untilSaved(charges.map(createdRow));
		await flow.expectEmittedOnce(charges.map(createdRow));
	});

	test('an n8n that starts while the service is down delivers later what came in meanwhile, once', async (t) => {
		const gate = await openGate(sandbox.url);
		const credential = await scene.createCredential({ baseUrl: gate.url });
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const before = scene.insertCharges(2);
		await flow.untilSaved(before.map(createdRow));

		await gate.shut();
		const meanwhile = scene.insertCharges(3);
		await scene.restartN8n();
		// The first text is the package's, about the poll that comes with a start. With durable cursors there is none, and
		// n8n says the second one of the first poll that is due.
		const failed = /The first poll failed and will be repeated|Poll failed; backing off/;
		await until(
			async () => failed.test(await scene.logOfThisRun()),
			async () => `no poll failed:\n${await scene.lastLogLines()}`,
		);
		await gate.open();
		await flow.expectSavedOnce([...before, ...meanwhile].map(createdRow));
		assert.equal((await flow.saved()).active, true);
	});
}

/**
 * What the tests before left behind in n8n. To be called last.
 *
 * @param {Scene} scene
 * @param {string[]} [otherSecrets]
 */
export function testTraces(scene, otherSecrets = []) {
	test('n8n logs no complaint about the package but those that a user must know', async () => {
		const expected =
			/The first poll failed and will be repeated: No connection|There is no charge yet that matches/;
		assert.deepEqual(
			(await scene.complaints()).filter(
				(line) => /PaymentCollection|\bcharges?\b|unhandled/i.test(line) && !expected.test(line),
			),
			[],
		);
	});

	test('no API key, card number or token is in the log, the executions, the workflows', async () => {
		const secrets = [scene.apiKey, ...otherSecrets, ...(await scene.cardNumbersAndTokens())];
		assert.ok(secrets.length > 100, 'there is nothing to search for');

		const texts = await scene.everythingKept();
		assert.ok(Object.keys(texts).length > 5, 'there is nothing to search in');
		for (const [name, text] of Object.entries(texts)) {
			for (const secret of secrets) assert.ok(!text.includes(secret), `${name} has ${secret}`);
		}
	});
}
