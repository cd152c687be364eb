import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';

import { execa } from 'execa';
import getPort from 'get-port';

import { startMailbox } from '../../scripts/demo/mailbox.mjs';
import { ROOT } from '../../scripts/lib/project.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { N8nClient, outputOf } from '../../scripts/n8n-server/client/index.mjs';
import { manualTriggerOf, readExamples } from '../../scripts/n8n-server/demo.mjs';
import { chatMessage } from './support/examples/exampleCopy.mjs';
import { asUser } from './support/examples/forms.mjs';
import { until } from './support/until.mjs';

const PUBLISHED = [
	'Accounting ledger in PostgreSQL',
	'Export contacts in batches',
	'Ledger page',
	'New charges to a table',
	'New customers to a table',
	'Payment link by email',
	'Payment link from a form',
	'Refund agent with approval',
	'Refund with approval',
	'Wait until a checkout session is over',
];

const userFolder = temporaryFolder('n8n-e2e-start');

/** @param {string[]} args */
function npmStart(args) {
	const child = execa('npm', ['start', '--', ...args], {
		cwd: ROOT,
		all: true,
		reject: false,
		// A group of its own, as a terminal gives it, which Ctrl-C is for.
		detached: true,
	});
	const output = { text: '' };
	child.all.on('data', (data) => (output.text += data));
	return { child, output };
}

/**
 * Starts the demo, waits until it says that it is ready, and ends it when the work is done. After that, nothing may be
 * left running.
 *
 * @param {object} options
 * @param {string[]} [options.args]
 * @param {(npm: number) => void} options.end
 * @param {(demo: { n8n: N8nClient, said: (what: string) => string }) => Promise<void>} work said: what follows in a line
 */
async function withDemo({ args = [], end }, work) {
	const host = '127.0.0.1';
	const port = await getPort({ host });
	const ports = ['--port', `${port}`];
	for (const option of ['--sandbox-port', '--mail-port'])
		ports.push(option, `${await getPort({ host })}`);
	const { child, output } = npmStart([...ports, '--user-folder', userFolder, ...args]);
	const said = (/** @type {string} */ what) => {
		const [, words] = output.text.match(new RegExp(`^ *${what} +(\\S+)`, 'm')) ?? [];
		return words ?? assert.fail(`no ${what} in ${output.text}`);
	};
	const isRunning = () => child.exitCode === null && child.signalCode === null;
	try {
		await until(() =>
			assert.ok(output.text.includes('Ctrl-C stops everything') || !isRunning(), output.text),
		);
		const n8n = new N8nClient(`http://${host}:${port}`);
		await n8n.logIn({ email: said('e-mail'), password: said('password') });
		await work({ n8n, said });
	} finally {
		if (child.pid && isRunning()) end(child.pid);
		await child;
	}
	for (const server of ['n8n', 'Sandbox', 'database', 'Mailbox'])
		await until(async () => {
			const { hostname, port: serverPort } = new URL(said(server));
			const socket = connect(Number(serverPort), hostname);
			await assert.rejects(once(socket, 'connect'), `${server} still listens`);
		});
}

/**
 * Opens the ledger's page as a person does, until it says that it agrees with the service: a poll's time at most.
 *
 * @param {(what: string) => string} said
 */
async function untilLedgerAgrees(said) {
	const headers = asUser({ user: said('user'), password: said('user +\\S+ +password') });
	await until(async () => {
		const page = await fetch(said('Ledger'), { headers });
		assert.match(await page.text(), /The ledger agrees with the service/);
	});
}

/**
 * Asks the agent for a refund in its chat, and approves it in the mailbox, as a person does.
 *
 * @param {N8nClient} n8n
 * @param {string} mailbox its address
 */
async function refundByAgent(n8n, mailbox) {
	const example = 'Refund agent with approval';
	/** @type {{ id: string, name: string }[]} */
	const workflows = await n8n.request('GET', '/rest/workflows');
	const { id = '' } = workflows.find(({ name }) => name === example) ?? {};
	await n8n.publish(id);
	const item = chatMessage(example, 'Refund 1 of the last charge');
	const execution = await n8n.start(id, { trigger: 'When chat message received', item });
	const link = await until(async () => {
		const page = (await (await fetch(mailbox)).text()).replaceAll(/&#(\d+);/g, (_sign, code) =>
			String.fromCharCode(Number(code)),
		);
		return /href="([^"]*)"[^>]*>Approve</.exec(page)?.[1] ?? assert.fail('no mail came');
	}, 30_000);
	// The mail is there before n8n waits for its answer.
	const headers = { 'user-agent': 'Mozilla/5.0 Chrome/142.0.0.0' };
	await until(async () => assert.ok((await fetch(link, { headers })).ok));
	const ended = await n8n.finishedExecution(execution);
	assert.match(`${outputOf(ended, 'Refund agent')[0]?.json['output']}`, /Refunded 1/);
}

let password = '';

test('npm start shows an n8n with a login and examples that ran, and Ctrl-C ends everything', async () => {
	const ctrlC = (/** @type {number} */ npm) => process.kill(-npm, 'SIGINT');
	await withDemo({ end: ctrlC }, async ({ n8n, said }) => {
		password = said('password');
		/** @type {{ name: string, active: boolean }[]} */
		const workflows = await n8n.request('GET', '/rest/workflows');
		const examples = await readExamples();
		assert.deepEqual(
			workflows.map(({ name }) => name).sort(),
			examples.map(({ workflow }) => workflow.name).sort(),
		);
		const active = workflows.filter((workflow) => workflow.active);
		assert.deepEqual(active.map(({ name }) => name).sort(), PUBLISHED);
		for (const { workflow } of examples) {
			const manual = (await n8n.executions(workflow.id)).filter(({ mode }) => mode === 'manual');
			assert.deepEqual(
				manual.map(({ status }) => status),
				manualTriggerOf(workflow) ? ['success'] : [],
				`there is nothing to see of "${workflow.name}"`,
			);
		}
		const startPage = await (await fetch(said('Ready after .+ Open'))).text();
		for (const { workflow } of examples)
			assert.match(startPage, new RegExp(`/workflow/${workflow.id}"[^>]*>${workflow.name}<`));
		assert.ok(startPage.includes(said('e-mail')) && startPage.includes(password), startPage);
		for (const [, form = ''] of startPage.matchAll(/"([^"]*\/form\/[^"]*)"/g))
			assert.equal((await fetch(form)).status, 200, form);
		await untilLedgerAgrees(said);
		await refundByAgent(n8n, said('Mailbox'));
		assert.match(await (await fetch(said('Mailbox'))).text(), /<mark>Approved at /);
	});
});

test('a second npm start uses the same n8n, and a killed npm leaves no process behind', async () => {
	const kill = (/** @type {number} */ npm) => process.kill(npm, 'SIGKILL');
	await withDemo({ end: kill }, async ({ said }) => {
		assert.equal(said('password'), password);
		await untilLedgerAgrees(said);
	});
});

test('a port that is in use is reported in one line', async (t) => {
	const { url, close } = await startMailbox();
	t.after(close);
	const { port } = new URL(url);
	const { child, output } = npmStart(['--port', port]);
	await child;
	assert.equal(child.exitCode, 1);
	assert.match(output.text, new RegExp(`^Error: port ${port} is in use\\..*--port`, 'm'));
});
