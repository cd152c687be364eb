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

test('n8n kept the state in durable cursors, or these tests would prove nothing', async () => {
	assert.match(await scene.log(), /Poll failed; backing off/);
});

testTraces(scene);
