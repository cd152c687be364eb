import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { everySeconds } from './support/examples/exampleCopy.mjs';
import { created, startTrigger, testTrigger } from './support/trigger.mjs';

/** The trigger where n8n keeps its state as it does by default: with the workflow. */

const scene = await startTrigger({ cron: everySeconds(2) });
const { n8n, sandbox, importExample, insertCharges } = scene;

const WRONG_KEY = 'wrong-key-4d1f7a90';

testTrigger(scene);

test('publishing with a wrong key fails and says so, and works with the right one', async (t) => {
	const data = { baseUrl: sandbox.url, apiKey: WRONG_KEY };
	const content = { name: 'Another account', type: CREDENTIAL_TYPE, data };
	const credential = await n8n.createCredential(content);
	const flow = await importExample(t, { credential });
	await assert.rejects(flow.publish(), (error) => {
		assert.match(`${error}`, /X-API-KEY is wrong.*HTTP 401/);
		assert.doesNotMatch(`${error}`, new RegExp(WRONG_KEY));
		return true;
	});

	data.apiKey = sandbox.apiKey;
	await n8n.request('PATCH', `/rest/credentials/${credential.id}`, content);
	await flow.publish();
	await flow.expectSavedOnce(insertCharges(1).map(created));
});

test('a trigger that is renamed and published again drops nothing and repeats nothing', async (t) => {
	const flow = await importExample(t);
	await flow.publish();
	const events = insertCharges(2).map(created);
	await flow.untilSaved(events);

	const { nodes, connections } = await n8n.workflow(flow.id);
	const [trigger] = nodes;
	assert.ok(trigger);
	const { [trigger.name]: outputs, ...others } = connections;
	trigger.name = 'Something was paid';
	await n8n.updateWorkflow(flow.id, {
		nodes,
		connections: { ...others, [trigger.name]: outputs },
	});
	await flow.publish();
	events.push(...insertCharges(2).map(created));
	await flow.expectSavedOnce(events);

	// n8n keeps the state with the workflow, under the name that the node has now.
	const { staticData } = await n8n.workflow(flow.id);
	const { cursor } = /** @type {Record<string, any>} */ (staticData)[`node:${trigger.name}`];
	assert.equal(JSON.parse(cursor.text).polledAt, cursor.polledAt);
});

test('no API key, card number or token is in the log, the executions, the workflows', async () => {
	const { results } = await n8n.request('GET', '/rest/executions?limit=100');
	const workflows = await n8n.request('GET', '/rest/workflows');
	const paths = [
		...results.map((/** @type {{ id: string }} */ { id }) => `/rest/executions/${id}`),
		...workflows.map((/** @type {{ id: string }} */ { id }) => `/rest/workflows/${id}`),
	];
	assert.ok(results.length > 5 && workflows.length > 5, 'there is nothing to search in');
	const answers = await Promise.all(
		paths.map(async (path) => [path, JSON.stringify(await n8n.request('GET', path))]),
	);
	const secrets = [
		sandbox.apiKey,
		WRONG_KEY,
		...sandbox.store.charges
			.all()
			// All that a poll can have emitted, and some more.
			.slice(0, 300)
			.flatMap(({ charge: { source } }) => [source?.token, source?.card_data?.card_number])
			.filter(Boolean),
	];
	assert.ok(secrets.length > 100, 'there is nothing to search for');
	for (const [where = '', text = ''] of [['the log', await scene.log()], ...answers])
		for (const secret of secrets) assert.ok(!text.includes(`${secret}`), `${where} has ${secret}`);
});
