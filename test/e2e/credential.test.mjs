import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { connect, startService } from './support/session.mjs';

const { n8n } = connect();
const { sandbox } = await startService(n8n);

/** @type {[string, { baseUrl?: string, apiKey?: string }, { status: string, message: RegExp }][]} */
const CREDENTIALS = [
	['that is right', {}, { status: 'OK', message: /^Connection successful!$/ }],
	[
		'with a wrong key',
		{ apiKey: 'not-the-key' },
		{ status: 'Error', message: /does not accept this API Key/ },
	],
	[
		'whose address nobody listens at',
		{ baseUrl: 'http://127.0.0.1:1' },
		{ status: 'Error', message: /^The connection was refused/ },
	],
];

for (const [what, data, expected] of CREDENTIALS) {
	test(`the test of a credential ${what} says so`, async () => {
		const { status, message } = await n8n.testCredential({
			name: 'Tried out',
			type: CREDENTIAL_TYPE,
			data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...data },
		});
		assert.equal(status, expected.status);
		assert.match(message, expected.message);
	});
}
