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
	const { version, serial, checksum, text, accountsChecksum, accounts } = cursor;
	const names = ['version', 'serial', 'checksum', 'text', 'accountsChecksum', 'accounts'];
	assert.deepEqual(Object.keys(cursor), names);
	assert.equal(version, 10);
	assert.ok(serial > 1);
	for (const sum of [checksum, accountsChecksum]) assert.equal(typeof sum, 'string');
	assert.equal(typeof JSON.parse(text), 'object');
	assert.equal(JSON.parse(accounts).length, 1);
});

testTraces(scene);
