import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
	DURABLE_CURSORS,
	createdRow,
	insertCharges,
	startTriggerScene,
} from './support/triggerScene.mjs';
import { testTraces, testTrigger } from './support/triggerTests.mjs';

const scene = await startTriggerScene(DURABLE_CURSORS);

testTrigger(scene);

test('two poll times that are due together deliver each charge once', async (t) => {
	const twice = DURABLE_CURSORS.cron.flatMap((expression) => [expression, `${expression} `]);
	const flow = await scene.importExample(t, { cron: twice });
	await flow.publish();
	await flow.expectSavedOnce(insertCharges(scene.sandbox, 2).map(createdRow));
});

test('a node that changes the static data of the workflow takes nothing from the trigger', async (t) => {
	const { sandbox, credential } = await scene.startService(t);
	const flow = await scene.importExample(t, { credential });
	await flow.countExecutions();
	await flow.publish();
	const told = [];
	for (let round = 0; round < 2; round += 1) {
		told.push(...insertCharges(sandbox, 2).map(createdRow));
		await flow.untilSaved(told);
		await flow.untilPolledTwice();
	}
	const { staticData } = await flow.saved();
	assert.ok(staticData?.['global']?.count > 0, JSON.stringify(staticData));
	await scene.restartN8n();
	await flow.expectSavedOnce(told);
});

test('n8n kept the state in durable cursors, or these tests would prove nothing', async () => {
	assert.match(await scene.log(), /Poll failed; backing off/);
});

testTraces(scene);
