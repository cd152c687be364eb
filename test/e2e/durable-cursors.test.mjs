import assert from 'node:assert/strict';
import { test } from 'node:test';

import { everySeconds } from './support/examples/exampleCopy.mjs';
import { created, DURABLE_CURSORS, startTrigger, testTrigger } from './support/trigger.mjs';

/**
 * The trigger where n8n keeps its state in one transaction with the execution that the poll starts. Not n8n's default
 * yet.
 */

const CRON = everySeconds(3);
const scene = await startTrigger({
	cron: CRON,
	env: DURABLE_CURSORS,
});

testTrigger(scene);

test('two poll times that are due together deliver each charge once', async (t) => {
	const cron = CRON.flatMap((expression) => [expression, `${expression} `]);
	const flow = await scene.importExample(t, { cron });
	await flow.publish();
	await flow.expectSavedOnce(scene.insertCharges(2).map(created));
});

test('n8n kept the state in durable cursors, or these tests would prove nothing', async () => {
	assert.match(await scene.log(), /Poll failed; backing off/);
});
