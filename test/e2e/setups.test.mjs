import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { PACKAGE_NAME, ROOT } from '../../scripts/lib/project.mjs';
import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { everySeconds } from './support/examples/exampleCopy.mjs';
import {
	created,
	DEBUG,
	DURABLE_CURSORS,
	SCHEDULED_POLLS,
	SCHEDULER,
	startTrigger,
} from './support/trigger.mjs';
import { idLocator, createWorkflowOfOne, NODE_TYPE } from './support/workflows.mjs';

/**
 * An n8n that is set up in other ways than those of the other tests: the package is installed with npm, and the settings
 * that newer versions of n8n bring are switched on one after another.
 */

const INSTALL_TIMEOUT_MS = 120_000;

/**
 * Installs the package as the README says, with npm as it is on a new machine: packed in the checkout, then brought into
 * the folder in which n8n keeps community packages. It is to come alone.
 *
 * @param {string} userFolder n8n's
 */
async function installByHand(userFolder) {
	const npm = execa({ cwd: ROOT, stdout: 'pipe', stderr: 'pipe' });
	const { stdout: registry } = await npm`npm config get registry`;
	const { stdout: tarball } = await npm`npm pack --silent --pack-destination ${userFolder}`;
	const nodes = join(userFolder, '.n8n', 'nodes');
	const home = join(userFolder, 'home');
	await Promise.all([nodes, home].map((folder) => mkdir(folder, { recursive: true })));
	// Run by npm, this program has the settings of this checkout in its environment.
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const env = { ...Object.fromEntries(own), HOME: home, npm_config_registry: registry };
	const quick = execa({ cwd: nodes, env, extendEnv: false, timeout: INSTALL_TIMEOUT_MS });
	await quick`npm init --yes`;
	await quick`npm install --omit=peer ${join(userFolder, tarball)}`;
	const installed = await readdir(join(nodes, 'node_modules'));
	assert.deepEqual(
		installed.filter((name) => !name.startsWith('.')),
		[PACKAGE_NAME],
	);
}

/** As n8n 3 asks for it where its SSRF protection is on. */
const SSRF = { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' };
const scene = await startTrigger({ cron: everySeconds(2), env: SSRF, install: installByHand });
const { n8n, sandbox, credential, insertCharges, restartN8n } = scene;

test('installed with npm, both nodes have their names and work, and errors keep their message and advice', async () => {
	const names = (await n8n.nodeTypes()).map(({ name }) => name);
	assert.ok(names.includes(NODE_TYPE) && names.includes(`${NODE_TYPE}Trigger`));

	const getting = async (/** @type {string} */ value) => {
		const parameters = { resource: 'charge', operation: 'get', chargeId: idLocator(value) };
		return await (await createWorkflowOfOne(n8n, credential, parameters)).run();
	};
	const { id } = sandbox.insertCharge();
	assert.equal((await getting(id)).output[0]?.['id'], id);

	const { error: refused } = await getting('no-uuid');
	assert.equal(refused?.name, 'NodeOperationError');
	assert.match(refused.message, /^'Charge' is "no-uuid": it must be a UUID/);
	assert.equal(
		refused.description,
		"To find a charge by its reference, such as #1042, choose 'From List' and search for it. Nothing was sent.",
	);
	const fault = sandbox.addFault({ match: { path: '/v1/charges' }, action: { status: 403 } });
	const { error: forbidden } = await getting(id);
	sandbox.removeFault(fault);
	assert.equal(forbidden?.name, 'NodeApiError');
	assert.match(forbidden.message, /HTTP 403/);
	assert.match(
		`${forbidden.description}`,
		/^Check 'API Key' .* might be wrong, or not have permission to do this/,
	);
});

test('the test of a credential says that it works, and where n8n’s SSRF protection refuses the address, it says so', async () => {
	const testOf = async (/** @type {Record<string, string>} */ data) =>
		await n8n.testCredential({ name: 'Tested', type: CREDENTIAL_TYPE, data });
	const right = await testOf({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	assert.deepEqual([right.status, right.message], ['OK', 'Connection successful!']);
	const { status, message } = await testOf({ baseUrl: 'http://10.255.255.1', apiKey: 'key' });
	assert.equal(status, 'Error');
	assert.match(
		message,
		/^n8n itself does not send .*N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/,
	);
});

/** @type {{ name: string, env: Record<string, string> }[]} */
const STEPS = [
	{ name: 'the scheduler alone', env: SCHEDULER },
	{ name: 'polls on the scheduler, but no durable cursors', env: SCHEDULED_POLLS },
	{ name: 'durable cursors', env: DURABLE_CURSORS },
];

test('each charge starts the workflow once, over restarts, publishing again and a killed n8n', async (t) => {
	const flow = await scene.importExample(t);
	/** @type {string[]} */
	const events = [];
	const comeIn = () => void events.push(...insertCharges(3).map(created));
	const state = async () => JSON.stringify((await n8n.workflow(flow.id)).staticData);
	await flow.publish();
	comeIn();
	await flow.expectSavedOnce(events);

	for (const { name, env } of STEPS)
		await t.test(`with ${name}`, async () => {
			const before = await state();
			await restartN8n({ whileDown: comeIn, env: { ...DEBUG, ...env } });
			await flow.untilSaved(events);
			await n8n.unpublish(flow.id);
			comeIn();
			await flow.publish();
			// An execution that n8n is killed in would not show what it was given.
			await flow.expectSavedOnce(events);

			// Or this would prove nothing.
			const log = await scene.logOfThisRun();
			assert.match(log, /Scheduler started/);
			assert.equal(/Poll returned/.test(log), 'N8N_SCHEDULER_POLL_TRIGGERS_ENABLED' in env);
			const isApart = 'N8N_POLLER_DURABLE_CURSORS_ENABLED' in env;
			assert.equal((await state()) === before, isApart, 'the state is not where it should be');

			// With durable cursors, other tests do that.
			if (isApart) return;
			await restartN8n({ isKilled: true, whileDown: comeIn });
			await flow.expectSavedOnce(events);
		});
});
