import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
	STATIC_DATA,
	createdRow,
	insertCharges,
	startTriggerScene,
} from '../support/triggerScene.mjs';
import { testTraces, testTrigger } from '../support/triggerTests.mjs';

const scene = await startTriggerScene(STATIC_DATA);

testTrigger(scene);

test('n8n keeps the state with the workflow, under the name that the node has now', async (t) => {
	const flow = await scene.importExample(t);
	await flow.publish();
	await flow.untilSaved(insertCharges(scene.sandbox, 1).map(createdRow));
	await flow.rename('Something was paid');
	await flow.publish();

	const { staticData } = await flow.saved();
	const { cursor } = /** @type {Record<string, any>} */ (staticData)['node:Something was paid'];
	assert.deepEqual(Object.keys(cursor), ['version', 'serial', 'polledAt', 'checksum', 'text']);
	const { version, serial, polledAt, checksum, text } = cursor;
	for (const number of [version, serial]) assert.ok(number > 1);
	assert.equal(typeof checksum, 'string');
	assert.equal(JSON.parse(text).polledAt, polledAt);
});

testTraces(scene);
