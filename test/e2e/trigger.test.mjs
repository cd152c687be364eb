import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { everySeconds } from './support/examples/exampleCopy.mjs';
import { created, refunded, startTrigger } from './support/trigger.mjs';

/** The trigger with n8n's default settings, which save its state with the workflow. */

const scene = await startTrigger({ cron: everySeconds(2) });
const { n8n, sandbox, importExample, insertCharges, killWhile } = scene;

/** More than a page of the service. */
const MANY = 105;
const WRONG_KEY = 'wrong-key-4d1f7a90';

test('the example saves each new charge and refund once, and no older one', async (t) => {
	// The first page of the list doesn't show these.
	const charges = sandbox.store.charges.all().slice(100);
	const old = charges.find(({ charge }) => charge.refunds.length === 0);
	assert.ok(old);
	const flow = await importExample(t);
	await flow.publish();
	const [first, ...others] = insertCharges(3);
	assert.ok(first);
	await flow.untilSaved([first, ...others].map(created));
	const then = insertCharges(MANY);
	const refunds = [old.charge, first].map(({ id }) => refunded(sandbox.refundCharge(id)));
	await flow.expectSavedOnce([...[first, ...others, ...then].map(created), ...refunds]);

	const row = (await flow.rows()).find(({ event_id }) => event_id === created(first));
	const { id, total, currency, source } = first;
	assert.deepEqual(
		[row?.['charge_id'], row?.['total'], row?.['currency'], row?.['payer']],
		[id, total, currency, source.name],
	);
});

test('an n8n that was killed, and restarts while the service refuses the key, emits the events of that time later, once', async (t) => {
	const flow = await importExample(t);
	await flow.publish();
	const events = insertCharges(2).map(created);
	// The data of an execution would be lost if n8n was killed during it.
	await flow.expectSavedOnce(events);
	const comeIn = () => void events.push(...insertCharges(3).map(created));
	await killWhile(401, comeIn);
	await flow.expectSavedOnce(events);
	assert.equal((await n8n.workflow(flow.id)).active, true);
});

test('publishing with a wrong key fails with the reason, and works with the right one', async (t) => {
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

test('a trigger that is renamed and published again loses and repeats no event', async (t) => {
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

	// n8n saves the state with the workflow, under the node's current name.
	const { staticData } = await n8n.workflow(flow.id);
	const { cursor } = /** @type {Record<string, any>} */ (staticData)[`node:${trigger.name}`];
	assert.equal(JSON.parse(cursor.text).polledAt, cursor.polledAt);
});

test('no API key, card number or token is in the log, the executions or the workflows', async () => {
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
			// Includes all charges that polls emitted.
			.slice(0, 300)
			.flatMap(({ charge: { source } }) => [source?.token, source?.card_data?.card_number])
			.filter(Boolean),
	];
	assert.ok(secrets.length > 100, 'there is nothing to search for');
	for (const [where = '', text = ''] of [['the log', await scene.log()], ...answers])
		for (const secret of secrets) assert.ok(!text.includes(`${secret}`), `${where} has ${secret}`);
});
