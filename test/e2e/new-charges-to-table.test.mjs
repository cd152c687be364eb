import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
	HARDLY_EVER,
	STATIC_DATA,
	createdRow,
	startTriggerScene,
} from './support/triggerScene.mjs';
import { testTraces, testTrigger } from './support/triggerTests.mjs';

const WRONG_KEY = 'wrong-key-4d1f7a90';
const SECOND_MS = 1_000;

const scene = await startTriggerScene(STATIC_DATA);
const { sandbox } = scene;

testTrigger(scene);

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
	assert.ok(before.staticData, 'nothing was remembered that a test event could change');
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
	const flow = await scene.importExample(t, { filters: { search: 'nobody paid for this' } });
	const execution = await flow.fetchTestEvent();
	assert.equal(execution.status, 'error');
	assert.match(
		`${execution.data.resultData.error?.message}`,
		/^There is no charge yet that matches the filters/,
	);
	assert.deepEqual(await flow.rows(), []);
});

test('publishing with a wrong key fails and says so, and works with the right one', async (t) => {
	const credential = await scene.createCredential({ apiKey: WRONG_KEY });
	const flow = await scene.importExample(t, { credential });
	await assert.rejects(flow.publish(), (error) => {
		assert.match(`${error}`, /X-API-KEY is wrong.*HTTP 401/);
		assert.doesNotMatch(`${error}`, new RegExp(WRONG_KEY));
		return true;
	});

	await scene.updateCredential(credential, {});
	await flow.publish();
	await flow.untilSaved(scene.insertCharges(1).map(createdRow));
});

testTraces(scene, [WRONG_KEY]);
