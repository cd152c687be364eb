import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { openGate } from './gate.mjs';
import {
	HARDLY_EVER,
	createdRow,
	insertCharges,
	refundedRow,
	statusRow,
	unrefundedOldCharge,
} from './triggerScene.mjs';
import { until } from './until.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./triggerScene.mjs').startTriggerScene>>} Scene */

/** More than a page of the service. */
const MANY = 105;
/** n8n has one process, and each test's polls load it. */
const AT_ONCE = 3;
const SECOND_MS = 1_000;
const WRONG_KEY = 'wrong-key-4d1f7a90';
const ON_FIRE = { error: { code: 'down', message: 'The database is on fire' } };
const NOBODY = '00000000-0000-4000-8000-000000000000';

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
		const first = insertCharges(sandbox, 3);
		await flow.untilSaved(first.map(createdRow));
		const then = insertCharges(sandbox, MANY);
		await flow.expectSavedOnce([...first, ...then].map(createdRow));
	});

	testTestEvents(scene);

	// Each with a service of its own, since they wait most of the time.
	describe('at the same time', { concurrency: AT_ONCE }, () => {
		testTelling(scene);
		testFaults(scene);
		testChanges(scene);
	});

	testRestart(scene);
	testImportAgain(scene);
}

/** @param {Scene} scene */
function testTelling(scene) {
	test('an item is the event, its event_id and the simplified charge, if nothing else is chosen', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, {
			credential,
			parameters: { events: undefined, simplify: undefined },
		});
		await flow.publish();
		const charge = sandbox.insertCharge();
		await flow.untilSaved([createdRow(charge)]);

		const [item] = await flow.emitted();
		assert.ok(item);
		assert.deepEqual(Object.entries(item).slice(0, 2), [
			['event', 'charge.created'],
			['event_id', `charge.created:${charge.id}`],
		]);
		const { id, created, reference_id, status, currency, total } = charge;
		assert.deepEqual(item, { ...item, id, created, reference_id, status, currency, total });
		assert.ok(!('source' in item) && !('items' in item), 'the whole charge was told');
	});

	test('a refund is saved as an event of its own, of a new charge as of one from before', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const created = insertCharges(sandbox, 1).map(createdRow);
		await flow.untilSaved(created);
		const refunds = [`${created[0]?.['charge_id']}`, await unrefundedOldCharge(sandbox)].map((id) =>
			refundedRow(sandbox.refundCharge(id)),
		);
		await flow.expectSavedOnce([...created, ...refunds]);
	});

	test('a charge that gets a status of the filter later is told then: as created, or as changed where that is chosen', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const filters = { status: 'captured, settled' };
		const flow = await scene.importExample(t, { credential, parameters: { filters } });
		const events = ['charge.created', 'charge.statusChanged'];
		const watching = await scene.importExample(t, { credential, parameters: { filters, events } });
		const fromBefore = sandbox.insertCharge({ status: 'pending' });
		await flow.publish();
		await watching.publish();

		const atOnce = sandbox.insertCharge({ status: 'captured' });
		const waiting = sandbox.insertCharge({ status: 'pending' });
		sandbox.insertCharge({ status: 'declined' });
		await flow.untilSaved([createdRow(atOnce)]);
		await watching.untilSaved([createdRow(atOnce)]);

		const later = [
			sandbox.setChargeStatus(fromBefore.id, 'settled'),
			sandbox.setChargeStatus(waiting.id, 'captured'),
		];
		const again = sandbox.setChargeStatus(atOnce.id, 'settled');
		await flow.expectSavedOnce([atOnce, ...later].map(createdRow));
		await watching.expectSavedOnce([createdRow(atOnce), ...[...later, again].map(statusRow)]);
	});
}

/** @param {Scene} scene */
function testTestEvents(scene) {
	const { sandbox } = scene;

	test('a test event is the newest charge and takes nothing away from the trigger', async (t) => {
		const flow = await scene.importExample(t, { cron: HARDLY_EVER });
		await flow.publish();
		const older = sandbox.insertCharge({ created: new Date(Date.now() - SECOND_MS).toISOString() });
		const newest = sandbox.insertCharge();
		const before = await flow.saved();

		const execution = await flow.fetchTestEvent();
		assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
		assert.deepEqual(
			flow.emittedBy(execution).map(({ event_id }) => event_id),
			[`charge.created:${newest.id}`],
		);
		assert.deepEqual((await flow.saved()).staticData, before.staticData);
		assert.deepEqual(await flow.rows(), [createdRow(newest)]);

		// The poll that comes with publishing finds both. So the newest one is saved a second time: into the same row.
		await flow.unpublish();
		await flow.publish();
		await flow.untilSaved([createdRow(older), createdRow(newest)]);
		await flow.expectEmittedOnce([createdRow(older), createdRow(newest)]);
		assert.deepEqual(await flow.rows(), [createdRow(newest), createdRow(older)]);
	});

	test('a test event that there is none of is a clear message', async (t) => {
		const filters = { search: 'nobody paid for this' };
		const flow = await scene.importExample(t, { parameters: { filters } });
		const execution = await flow.fetchTestEvent();
		assert.equal(execution.status, 'error');
		assert.match(
			`${execution.data.resultData.error?.message}`,
			/^There is no charge yet that matches the filters/,
		);
		assert.deepEqual(await flow.rows(), []);
	});
}

/** @param {Scene} scene */
function testFaults(scene) {
	test('publishing with a wrong key fails and says so, and works with the right one', async (t) => {
		const { sandbox } = await scene.startService(t);
		const right = { baseUrl: sandbox.url };
		const credential = await scene.createCredential({ ...right, apiKey: WRONG_KEY });
		const flow = await scene.importExample(t, { credential });
		await assert.rejects(flow.publish(), (error) => {
			assert.match(`${error}`, /X-API-KEY is wrong.*HTTP 401/);
			assert.doesNotMatch(`${error}`, new RegExp(WRONG_KEY));
			return true;
		});

		await scene.updateCredential(credential, right);
		await flow.publish();
		await flow.expectSavedOnce(insertCharges(sandbox, 1).map(createdRow));
	});

	test('a poll that can read nothing is a failed execution that says why, and the next poll delivers', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const fault = sandbox.addFault({
			match: { path: '/v1/charges' },
			action: { status: 500, body: ON_FIRE },
		});
		t.after(() => sandbox.removeFault(fault));
		const charges = insertCharges(sandbox, 2);
		await until(
			async () => (await flow.failed()).length > 0,
			async () => `no execution failed:\n${await scene.lastLogLines()}`,
		);
		sandbox.removeFault(fault);

		const [execution] = await flow.failed();
		const { error } = execution?.data.resultData ?? {};
		assert.match(`${error?.message}`, /The database is on fire/);
		assert.equal((await flow.saved()).active, true);
		await flow.expectSavedOnce(charges.map(createdRow));
	});

	test('a poll that can read all but one page fails no execution, and what it could not read is told later', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const fault = sandbox.addFault({
			match: { path: '/v1/charges', page: 2 },
			action: { status: 500, body: ON_FIRE },
		});
		t.after(() => sandbox.removeFault(fault));
		const charges = insertCharges(sandbox, MANY);
		const warning = /A page of the charge list could not be read and will be read again: 500/;
		await until(
			async () => warning.test(await scene.logOfThisRun()),
			async () => `nothing is said of the page:\n${await scene.lastLogLines()}`,
		);
		sandbox.removeFault(fault);
		await flow.expectSavedOnce(charges.map(createdRow));
		assert.deepEqual(await flow.failed(), []);
	});
}

/** @param {Scene} scene */
function testRestart(scene) {
	const { sandbox } = scene;

	test('an n8n that starts while the service is down delivers later what came in meanwhile, once', async (t) => {
		const gate = await openGate(sandbox.url);
		const credential = await scene.createCredential({ baseUrl: gate.url });
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const before = insertCharges(sandbox, 2);
		await flow.untilSaved(before.map(createdRow));

		await gate.shut();
		const meanwhile = insertCharges(sandbox, 3);
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

/** @param {Scene} scene */
function testChanges(scene) {
	test('a trigger that is renamed and published again drops nothing and repeats nothing', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const before = insertCharges(sandbox, 2);
		await flow.untilSaved(before.map(createdRow));

		await flow.rename('Something was paid');
		await flow.publish();
		const after = insertCharges(sandbox, 2);
		await flow.expectSavedOnce([...before, ...after].map(createdRow));
	});

	test('a trigger that is renamed tells what came in since its last poll', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, { credential, cron: HARDLY_EVER });
		await flow.publish();
		const expected = [];
		for (const name of ['Something was paid', 'Paid']) {
			expected.push(...insertCharges(sandbox, 2).map(createdRow));
			await flow.rename(name);
			await flow.publish();
			await flow.untilSaved(expected);
		}
		await flow.expectEmittedOnce(expected);
	});

	test('a filter that matched nothing is put right: nothing old is told, and what comes then is', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const filters = { customerId: NOBODY };
		const flow = await scene.importExample(t, { credential, parameters: { filters } });
		await flow.publish();
		insertCharges(sandbox, 2);
		await flow.untilPolledTwice();

		await flow.change({ filters: {} });
		await flow.publish();
		await flow.expectSavedOnce(insertCharges(sandbox, 2).map(createdRow));
	});

	test('a trigger that is unpublished during a poll tells what that poll found when it is published again', async (t) => {
		const { sandbox, credential } = await scene.startService(t);
		const flow = await scene.importExample(t, { credential });
		await flow.publish();
		const before = insertCharges(sandbox, 1);
		await flow.untilSaved(before.map(createdRow));

		const slow = sandbox.addFault({
			match: { path: '/v1/charges', page: 1 },
			action: { delayMs: 3 * SECOND_MS },
		});
		const found = insertCharges(sandbox, 2);
		const isPolling = () => sandbox.requests.some(({ status }) => status === null);
		await until(isPolling, () => 'the trigger does not poll any more');
		await flow.unpublish();
		await until(
			() => !isPolling(),
			() => 'the poll does not end',
		);
		sandbox.removeFault(slow);
		// For what the poll does after that answer.
		await sleep(SECOND_MS);
		await flow.publish();
		const after = insertCharges(sandbox, 1);
		await flow.expectSavedOnce([...before, ...found, ...after].map(createdRow));
	});
}

/**
 * @param {Scene} scene
 * @param {(flow: Awaited<ReturnType<Scene['importExample']>>) => Promise<void>} [check] at the end
 */
export function testImportAgain(scene, check) {
	const { sandbox } = scene;

	test('a workflow that is imported again while it runs tells each charge once', async (t) => {
		const flow = await scene.importExample(t);
		await flow.publish();
		const first = insertCharges(sandbox, 2);
		await flow.untilSaved(first.map(createdRow));
		const file = await flow.exported();
		// The file has an older state than n8n.
		const second = insertCharges(sandbox, 2);
		await flow.untilSaved(second.map(createdRow));

		await scene.importByCommand(file);
		await flow.publish();
		const third = insertCharges(sandbox, 2);
		await flow.expectSavedOnce([...first, ...second, ...third].map(createdRow));
		await check?.(flow);
	});
}

/**
 * What the tests before left behind in n8n. To be called last.
 *
 * @param {Scene} scene
 */
export function testTraces(scene) {
	test('n8n logs no complaint about the package but those that a user must know', async () => {
		const expected =
			/The first poll failed and will be repeated: No connection|There is no charge yet that matches|A page of the charge list could not be read/;
		assert.deepEqual(
			(await scene.complaints()).filter(
				(line) => /PaymentCollection|\bcharges?\b|unhandled/i.test(line) && !expected.test(line),
			),
			[],
		);
	});

	test('no API key, card number or token is in the log, the executions, the workflows', async () => {
		const secrets = [scene.apiKey, WRONG_KEY, ...(await scene.cardNumbersAndTokens())];
		assert.ok(secrets.length > 100, 'there is nothing to search for');

		const texts = await scene.everythingKept();
		assert.ok(Object.keys(texts).length > 5, 'there is nothing to search in');
		for (const [name, text] of Object.entries(texts)) {
			for (const secret of secrets) assert.ok(!text.includes(secret), `${name} has ${secret}`);
		}
	});
}
