import assert from 'node:assert/strict';
import { test } from 'node:test';

import getPort from 'get-port';

import { browserTests } from '../support/browser/open.mjs';
import { createWorkflowOf, FAULTS, nodeOf } from '../support/browser/workflows.mjs';
import { connect } from '../support/session.mjs';

const { n8n, sandbox, credential } = connect();
const inBrowser = await browserTests(n8n);

const workflowId = await createWorkflowOf(
	n8n,
	'Things that are wrong',
	FAULTS.map(({ name, parameters }) => nodeOf(name, parameters, credential)),
);

test(
	'the panel says what is wrong with a field, and nothing is sent',
	inBrowser(async (editor) => {
		await sandbox.forgetRequests();
		for (const { name, says } of FAULTS) {
			// Anew each time: n8n's editor fails at running a second step of a workflow whose first one failed.
			await editor.openWorkflow(workflowId);
			await editor.openNode(name);
			await editor.execute();
			assert.match(await editor.error(), says, name);
		}
		// Triggers of other tests may ask for charges.
		const writes = (await sandbox.requests()).filter(({ method }) => method !== 'GET');
		assert.deepEqual(writes, []);
	}),
);

/** @type {[string, { baseUrl?: string, apiKey?: string }, RegExp][]} */
const CREDENTIALS = [
	['that is right', {}, /Connection tested successfully/],
	['with a wrong key', { apiKey: 'not-the-key' }, /does not accept this API Key/],
	[
		'whose address nobody listens at',
		{ baseUrl: `http://127.0.0.1:${await getPort({ host: '127.0.0.1' })}` },
		/refused/,
	],
];

for (const [name, fields, says] of CREDENTIALS) {
	test(
		`saving a credential ${name} says so`,
		inBrowser(async (editor) => {
			try {
				await editor.openNewCredential('Payment Collection API');
				await editor.fill('baseUrl', fields.baseUrl ?? sandbox.url);
				await editor.fill('apiKey', fields.apiKey ?? sandbox.apiKey);
				assert.match(await editor.saveCredential(), says);
			} finally {
				// With a second one, n8n no longer takes the first one by itself.
				/** @type {{ id: string }[]} */
				const all = await n8n.request('GET', '/rest/credentials');
				for (const { id } of all)
					if (id !== credential.id) await n8n.send('DELETE', `/rest/credentials/${id}`);
			}
		}),
	);
}
