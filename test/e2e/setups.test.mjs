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
 * An n8n with other settings than in the other tests: the package is installed with npm, and settings of newer versions
 * of n8n are switched on one after another.
 */

const INSTALL_TIMEOUT_MS = 120_000;

/**
 * Installs the package as the README says, with npm's default settings: packed in the checkout, then installed in n8n's
 * folder for community packages. It must bring no other package.
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

/** Settings that n8n 3 needs if its SSRF protection is on. */
const SSRF = { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' };
const CRON = everySeconds(2);
const scene = await startTrigger({ cron: CRON, env: SSRF, install: installByHand });
const { n8n, sandbox, credential, insertCharges, restartN8n } = scene;

test('after an installation with npm, both nodes work, and errors keep their message and advice', async () => {
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

test('the test of a credential succeeds, or names n8n’s SSRF protection if that refuses the URL', async () => {
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

test('each charge starts the workflow once, even if n8n restarts, is killed, or publishes again', async (t) => {
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
			// The data of an execution would be lost if n8n was killed during it.
			await flow.expectSavedOnce(events);

			const log = await scene.logOfThisRun();
			assert.match(log, /Scheduler started/);
			assert.equal(/Poll returned/.test(log), 'N8N_SCHEDULER_POLL_TRIGGERS_ENABLED' in env);
			const isDurable = 'N8N_POLLER_DURABLE_CURSORS_ENABLED' in env;
			assert.equal((await state()) === before, isDurable, 'the state is not where it should be');

			// n8n with durable cursors does not poll at its start: a scheduled poll meets the failure.
			if (isDurable) await scene.killWhile(500, comeIn);
			else await restartN8n({ isKilled: true, whileDown: comeIn });
			await flow.expectSavedOnce(events);
		});

	await t.test('two poll times that are due together emit each charge once', async () => {
		const cron = CRON.flatMap((expression) => [expression, `${expression} `]);
		const twice = await scene.importExample(t, { cron });
		await twice.publish();
		await twice.expectSavedOnce(insertCharges(2).map(created));
	});
});
