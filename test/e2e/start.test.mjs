import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { execa } from 'execa';
import getPort from 'get-port';

import { ROOT } from '../../scripts/lib/project.mjs';
import { N8nClient } from '../../scripts/n8n-server/client/index.mjs';
import { readExamples } from '../../scripts/n8n-server/demo.mjs';
import { SandboxClient } from './support/sandboxClient.mjs';
import { until } from './support/until.mjs';

const userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-start-'));
after(() => rm(userFolder, { recursive: true, force: true }));

/** @param {string[]} args */
function npmStart(...args) {
	const child = execa('npm', ['start', '--', ...args], { cwd: ROOT, all: true, reject: false });
	const output = { text: '' };
	child.all.on('data', (data) => (output.text += data));
	return { child, output };
}

/**
 * @param {string} url
 * @returns {Promise<boolean>} whether nobody listens there
 */
const isSilent = async (url) =>
	await fetch(url).then(
		() => false,
		() => true,
	);

/**
 * Starts the demo, waits until it says that it is ready, and sends npm the given signal when the work is done. After
 * that, nothing may be left running.
 *
 * @param {NodeJS.Signals} signal
 * @param {(demo: { n8n: N8nClient, sandbox: SandboxClient, email: string, password: string }) => Promise<void>} work
 */
async function withDemo(signal, work) {
	const host = '127.0.0.1';
	const [port, sandboxPort] = [await getPort({ host }), await getPort({ host })];
	const urls = { n8n: `http://${host}:${port}`, sandbox: `http://${host}:${sandboxPort}` };
	const ports = ['--port', `${port}`, '--sandbox-port', `${sandboxPort}`];
	const { child, output } = npmStart(
		...ports,
		'--user-folder',
		userFolder,
		'--charges-per-minute',
		'600',
	);
	try {
		await until(
			() => output.text.includes('Ctrl-C stops everything') || child.exitCode !== null,
			() => output.text,
		);
		const [, email] = output.text.match(/e-mail +(\S+)/) ?? [];
		const [, password] = output.text.match(/password +(\S+)/) ?? [];
		assert.ok(email && password, output.text);
		const n8n = new N8nClient(urls.n8n);
		const sandbox = new SandboxClient(urls.sandbox, '');
		await work({ n8n, sandbox, email, password });
	} finally {
		child.kill(signal);
		await child;
		await until(
			async () => (await isSilent(urls.n8n)) && (await isSilent(urls.sandbox)),
			() => `after ${signal} to npm something still listens`,
			15_000,
		);
	}
}

test('npm start leads to an n8n that one can log in to, with the examples and a working credential', async () => {
	await withDemo('SIGTERM', async ({ n8n, sandbox, email, password }) => {
		await n8n.logIn({ email, password });
		const workflows = await n8n.request('GET', '/rest/workflows');
		const examples = (await readExamples()).map(({ workflow }) => workflow.name);
		assert.deepEqual(workflows.map(({ name }) => name).sort(), examples.sort());
		assert.deepEqual(
			workflows.filter(({ active }) => active).map(({ name }) => name),
			['New charges to a table'],
		);
		assert.ok(await n8n.dataTables.find('payment_collection_events'), 'the table is missing');
		const { id } = workflows.find(({ name }) => name === 'Create a payment link');
		const execution = await n8n.run(id, { trigger: 'When clicking ‘Execute workflow’' });
		assert.equal(execution.status, 'success');

		const before = (await sandbox.counts()).charges;
		await until(
			async () => (await sandbox.counts()).charges > before,
			() => 'no new charge arrived in the sandbox',
			10_000,
		);
	});
});

test('a second npm start goes on with the same n8n, and a killed npm leaves nothing behind', async () => {
	await withDemo('SIGKILL', async ({ n8n, email, password }) => {
		await n8n.logIn({ email, password });
		const workflows = await n8n.request('GET', '/rest/workflows');
		const { id } = workflows.find(({ name }) => name === 'Create a payment link');
		assert.equal((await n8n.executions(id)).length, 1, 'the execution of the first start is gone');
		const { active } = workflows.find(({ name }) => name === 'New charges to a table');
		assert.ok(active, 'the published workflow is not published any more');
	});
});

test('a port in use is one clear line', async (t) => {
	const server = createServer().listen(0, '127.0.0.1');
	t.after(() => server.close());
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	const { child, output } = npmStart('--port', `${port}`);
	await child;
	assert.equal(child.exitCode, 1);
	assert.match(output.text, new RegExp(`^Error: port ${port} is in use\\..*--port`, 'm'));
});
