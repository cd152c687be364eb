import assert from 'node:assert/strict';
import { test } from 'node:test';

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

test('the credential test of another web server says that there is no such service', async () => {
	const { status, message } = await testCredential({ baseUrl: n8n.baseUrl });
	assert.equal(status, 'Error');
	assert.match(message, /Base URL/);
});
