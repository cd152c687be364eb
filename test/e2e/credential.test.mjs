import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LINK, TRIGGER, nodeOf } from './support/browser/workflows.mjs';
import { createWorkflowOfOne, outcomeOf } from './support/oneNode.mjs';
import { connect } from './support/session.mjs';

const { n8n, sandbox } = connect();

/** @param {Record<string, string>} data */
const testCredential = async (data) =>
	await n8n.testCredential({
		name: 'Tried out',
		type: 'paymentCollectionApi',
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...data },
	});

test('the credential test passes with the right key', async () => {
	assert.deepEqual(await testCredential({}), { status: 'OK', message: 'Connection successful!' });
});

test('the credential test passes when the address was pasted with a space and a slash', async () => {
	assert.equal((await testCredential({ baseUrl: ` ${sandbox.url}/ ` })).status, 'OK');
});

test('the credential test names a wrong key as what is wrong', async () => {
	const { status, message } = await testCredential({ apiKey: 'not-the-key' });
	assert.equal(status, 'Error');
	assert.match(message, /does not accept this API Key/);
});

test('the credential test takes an address that ends in /v1', async () => {
	assert.equal((await testCredential({ baseUrl: `${sandbox.url}/v1/` })).status, 'OK');
});

test('the credential test says in words that nobody listens at the address', async () => {
	const { status, message } = await testCredential({ baseUrl: 'http://127.0.0.1:1' });
	assert.equal(status, 'Error');
	assert.match(message, /^The connection was refused/);
});

test('the credential test says in words that the host is not found', async () => {
	const { message } = await testCredential({ baseUrl: 'https://no-such-host.invalid' });
	assert.match(message, /^The host name in Base URL was not found/);
});

test('the credential test of another web server says that there is no such service', async () => {
	const { status, message } = await testCredential({ baseUrl: n8n.baseUrl });
	assert.equal(status, 'Error');
	assert.match(message, /Base URL/);
});

/**
 * What a node gives for two items, with an expression in the credential.
 *
 * @param {Record<string, string>} data of the credential
 * @param {Record<string, unknown>} parameters of the node
 */
const runForTwoItems = async (data, parameters) => {
	const credential = await n8n.createCredential({
		name: 'Of each item',
		type: 'paymentCollectionApi',
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...data },
	});
	try {
		const node = {
			...nodeOf('For each', parameters, credential),
			onError: 'continueRegularOutput',
		};
		const workflow = await createWorkflowOfOne(n8n, node, { items: 2 });
		return outcomeOf(await n8n.run(workflow, { trigger: TRIGGER })).succeeded;
	} finally {
		await n8n.send('DELETE', `/rest/credentials/${credential.id}`);
	}
};

test('an expression in the credential gives each request the key of its item', async () => {
	const [first, second] = await runForTwoItems(
		{ apiKey: `={{ $itemIndex === 0 ? "${sandbox.apiKey}" : "not-the-key" }}` },
		{ ...LINK, currency: 'EUR' },
	);
	assert.equal(first?.['currency'], 'EUR');
	assert.match(String(second?.['error']), /HTTP 401.* NOT created/);
});
