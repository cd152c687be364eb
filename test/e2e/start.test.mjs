import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { execa, execaNode } from 'execa';
import getPort from 'get-port';

import { ROOT } from '../../scripts/lib/project.mjs';
import { N8nClient } from '../../scripts/n8n-server/client/index.mjs';
import { canRun, readExamples } from '../../scripts/n8n-server/demo.mjs';
import { SandboxClient } from './support/sandboxClient.mjs';
import { until } from './support/until.mjs';

const PUBLISHED = [
	'Accounting ledger in PostgreSQL',
	'Ledger page',
	'New charges to a table',
	'Payment link from a form',
	'Refund with approval',
	'Wait until a checkout session is settled',
];
const TABLE = 'payment_collection_events';
const LEDGER = 'Accounting ledger in PostgreSQL';

const userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-start-'));
after(() => rm(userFolder, { recursive: true, force: true }));

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function npmStart(args, env = {}) {
	const child = execa('npm', ['start', '--', ...args], {
		cwd: ROOT,
		env,
		all: true,
		reject: false,
	});
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
 * @param {string[]} args
 * @param {(demo: { n8n: N8nClient, sandbox: SandboxClient, email: string, password: string }) => Promise<void>} work
 */
async function withDemo(signal, args, work) {
	const host = '127.0.0.1';
	const [port, sandboxPort] = [await getPort({ host }), await getPort({ host })];
	const urls = { n8n: `http://${host}:${port}`, sandbox: `http://${host}:${sandboxPort}` };
	const ports = ['--port', `${port}`, '--sandbox-port', `${sandboxPort}`];
	const rate = ['--charges-per-minute', '600'];
	const { child, output } = npmStart([...ports, '--user-folder', userFolder, ...rate, ...args]);
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

/**
 * @param {N8nClient} n8n
 * @returns {Promise<{ id: string, name: string, active: boolean }[]>}
 */
const workflowsOf = async (n8n) => await n8n.request('GET', '/rest/workflows');

/**
 * Opens the ledger's page as a person does, until it says that it agrees with the service: a poll's time at most.
 *
 * @param {string} n8nUrl
 */
async function untilLedgerAgrees(n8nUrl) {
	const open = async () => await (await fetch(`${n8nUrl}/webhook/payment-ledger`)).text();
	await until(async () => (await open()).includes('The ledger agrees with the service'), open);
}

/** @type {string[]} */
const passwords = [];

test('npm start leads to an n8n that one can log in to, with the examples, which ran, and a working credential', async () => {
	await withDemo('SIGTERM', [], async ({ n8n, sandbox, email, password }) => {
		passwords.push(password);
		await n8n.logIn({ email, password });
		const workflows = await workflowsOf(n8n);
		const examples = (await readExamples()).map(({ workflow }) => workflow.name);
		assert.deepEqual(workflows.map(({ name }) => name).sort(), examples.sort());
		assert.deepEqual(
			workflows
				.filter(({ active }) => active)
				.map(({ name }) => name)
				.sort(),
			PUBLISHED,
		);
		for (const { workflow } of await readExamples()) {
			const manual = (await n8n.executions(workflow.id)).filter(({ mode }) => mode === 'manual');
			assert.deepEqual(
				manual.map(({ status }) => status),
				canRun(workflow) ? ['success'] : [],
				`there is nothing to see of "${workflow.name}"`,
			);
		}
		await untilLedgerAgrees(n8n.baseUrl);
		const before = (await sandbox.counts()).charges;
		await until(
			async () => (await sandbox.counts()).charges > before,
			() => 'no new charge arrived in the sandbox',
			10_000,
		);

		// As in a demo of a time when the example had fewer columns.
		const table = await n8n.dataTables.find(TABLE);
		assert.ok(table, 'the table is missing');
		const payer = (await n8n.dataTables.columns(table)).find(({ name }) => name === 'payer');
		const columns = `/rest/projects/${table.projectId}/data-tables/${table.id}/columns`;
		await n8n.send('DELETE', `${columns}/${payer?.id}`);
	});
});

test('a second npm start goes on with the same n8n, needs no network, and a killed npm leaves nothing behind', async () => {
	await withDemo('SIGKILL', ['--offline'], async ({ n8n, email, password }) => {
		assert.deepEqual([password], passwords);
		await n8n.logIn({ email, password });
		const workflows = await workflowsOf(n8n);
		for (const { workflow } of await readExamples()) {
			const { id, name } = workflow;
			const manual = (await n8n.executions(id)).filter(({ mode }) => mode === 'manual');
			// The sandbox has begun anew, and the ledger with it: it was reconciled with all charges.
			const expected = (canRun(workflow) ? 1 : 0) + (name === LEDGER ? 1 : 0);
			assert.equal(manual.length, expected, `"${name}" ran again, or its execution is gone`);
		}
		await untilLedgerAgrees(n8n.baseUrl);
		const table = await n8n.dataTables.find(TABLE);
		assert.ok(table);
		const columns = (await n8n.dataTables.columns(table)).map(({ name }) => name);
		assert.ok(columns.includes('payer'), 'a column that the example needs is missing');
		const filling = workflows.find(({ name }) => name === 'New charges to a table');
		assert.ok(filling?.active, 'the published workflow is not published any more');
		const { id } = workflows.find(({ name }) => name === 'Create a payment link') ?? { id: '' };
		await n8n.updateWorkflow(id, { name: 'Mine' });
	});
});

test('npm start -- --reset begins with a new n8n', async () => {
	await withDemo('SIGTERM', ['--reset'], async ({ n8n, email, password }) => {
		assert.ok(!passwords.includes(password), 'the owner is still the old one');
		await n8n.logIn({ email, password });
		const names = (await workflowsOf(n8n)).map(({ name }) => name);
		assert.ok(names.includes('Create a payment link') && !names.includes('Mine'));
	});
});

test('npm start -- --offline without n8n is one clear line', async (t) => {
	const cache = await mkdtemp(join(tmpdir(), 'n8n-e2e-cache-'));
	t.after(() => rm(cache, { recursive: true, force: true }));
	const { child, output } = npmStart(['--offline'], { XDG_CACHE_HOME: cache });
	await child;
	assert.equal(child.exitCode, 1);
	assert.match(output.text, /^Error: n8n .* is not installed in .*--offline installs nothing\./m);
});

test('npm start -- --postgres takes an address alone, and does not repeat its password', async () => {
	const port = await getPort({ host: '127.0.0.1' });
	/** @type {[string, RegExp][]} */
	const wrong = [
		['127.0.0.1/payments', /^Error: --postgres is the address of a database, such as postgres:/m],
		[
			`postgres://me:secret-word@127.0.0.1:${port}/payments`,
			/^Error: the database payments on 127\.0\.0\.1:\d+ can't be used: .*ECONNREFUSED/m,
		],
	];
	for (const [address, message] of wrong) {
		const { child, output } = npmStart(['--port', `${port}`, '--postgres', address]);
		await child;
		assert.equal(child.exitCode, 1);
		assert.match(output.text, message);
		// npm itself repeats the command.
		assert.doesNotMatch(output.text.replace(/^> .*$/gm, ''), /secret-word/);
	}
});

test('npm start -- --offline without the development packages is one clear line', async (t) => {
	const checkout = await mkdtemp(join(tmpdir(), 'n8n-e2e-checkout-'));
	t.after(() => rm(checkout, { recursive: true, force: true }));
	await mkdir(join(checkout, 'scripts'));
	for (const part of ['package-lock.json', 'scripts/run.mjs', 'scripts/lib'])
		await cp(join(ROOT, part), join(checkout, part), { recursive: true });
	const { exitCode, stderr } = await execaNode(
		join(checkout, 'scripts', 'run.mjs'),
		['scripts/start.mjs', '--offline'],
		{ reject: false },
	);
	assert.equal(exitCode, 1);
	assert.match(
		stderr,
		/^Error: the development packages .* --offline installs nothing\. Run npm ci\.$/,
	);
});

test('a port in use is one clear line', async (t) => {
	const server = createServer().listen(0, '127.0.0.1');
	t.after(() => server.close());
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	const { child, output } = npmStart(['--port', `${port}`]);
	await child;
	assert.equal(child.exitCode, 1);
	assert.match(output.text, new RegExp(`^Error: port ${port} is in use\\..*--port`, 'm'));
});
