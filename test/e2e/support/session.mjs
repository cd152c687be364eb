import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { N8nClient } from '../../../scripts/n8n-server/client/index.mjs';
import { basicAuthCredential, CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from './examples/exampleCopy.mjs';

const text = process.env['E2E_SESSION'];
if (text === undefined) throw new Error('Run the end-to-end tests with npm run test:e2e');
const { url, cookie } = JSON.parse(text);

/** The n8n that run.mjs started for the test files, which share it. */
export const n8n = new N8nClient(url, cookie);

/** The user that n8n asks for before it shows a protected page of an example. */
export const USER = { user: 'someone', password: randomUUID() };

/**
 * A payment service that no other test sees, and n8n's credential for it.
 *
 * @param {import('../../../sandbox/index.js').SandboxOptions} [options]
 */
export async function startService(options) {
	const sandbox = await startSandbox(options);
	after(() => sandbox.close());
	const credential = await n8n.createCredential({
		name: 'A service of its own',
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	return { sandbox, credential };
}

/**
 * A copy of an example for one test alone, with such a service.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} file such as "accounting-ledger.json"
 * @param {import('../../../sandbox/index.js').SandboxOptions} service
 * @param {Parameters<typeof importCopy>[3]} [options]
 */
export async function startExample(t, file, service, options) {
	const { sandbox, credential } = await startService(service);
	const user = await n8n.createCredential(basicAuthCredential(USER));
	const credentials = [credential, user, ...(options?.credentials ?? [])];
	return { sandbox, flow: await importCopy(t, n8n, file, { ...options, credentials }) };
}

/** @param {import('../../../sandbox/index.js').Sandbox} sandbox */
export const chargesOf = ({ store }) => store.charges.all().map(({ charge }) => charge);

/**
 * A charge as no sandbox would make it.
 *
 * @param {import('../../../sandbox/index.js').Sandbox} sandbox
 * @param {Record<string, unknown>} draft
 */
export function insertOdd(sandbox, draft) {
	const stored = sandbox.store.charges.get(sandbox.insertCharge().id);
	assert.ok(stored);
	Object.assign(stored.charge, draft);
}
