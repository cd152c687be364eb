/**
 * `npm start`: from a bare clone, a real n8n with this package in it, connected to the embedded payment sandbox.
 */

import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Command } from 'commander';
import { execa } from 'execa';
import getPort from 'get-port';
import { lock } from 'proper-lockfile';

import { build } from './build.mjs';
import { startChatModel } from './demo/chatModel.mjs';
import { startMailbox } from './demo/mailbox.mjs';
import { answerOf } from './demo/standIn.mjs';
import { startPageOf } from './demo/startPage.mjs';
import { isStopping, main, UserError, wholeNumber } from './lib/program.mjs';
import { cacheFolder, ROOT } from './lib/project.mjs';
import { startSandbox } from './lib/sandbox.mjs';
import {
	basicAuthCredential,
	chatModelCredential,
	claimUserFolder,
	headerCredential,
	postgresCredential,
	setUpDemo,
	smtpCredential,
} from './n8n-server/demo.mjs';
import { ensureN8n } from './n8n-server/install.mjs';
import { startPostgres } from './n8n-server/postgres.mjs';
import { KEEPS_WAITING_AGENTS, placePackage, startN8n } from './n8n-server/server.mjs';

const MAX_PORT = 65_535;
/** The sources of dist/. */
const SOURCES = ['contract', 'credentials', 'icons', 'nodes'];
const SETTLED_MS = 100;

const command = new Command('npm start --')
	.description('Starts a real n8n with this package, and a payment sandbox for it to talk to.')
	.option('--port <number>', "n8n's port", wholeNumber(MAX_PORT), 5678)
	.option('--sandbox-port <number>', "the sandbox's port", wholeNumber(MAX_PORT), 4010)
	.option('--mail-port <number>', "the mailbox's port", wholeNumber(MAX_PORT), 4020)
	.option('--charges-per-minute <number>', 'new charges in the sandbox', wholeNumber(600), 4)
	.option('--seed <number>', 'same seed, same records in the sandbox', wholeNumber(2 ** 32 - 1), 1)
	.option('--user-folder <path>', 'where n8n keeps its data')
	.option(
		'--dev',
		'n8n loads the nodes and the credential again after each change of their sources',
	)
	.option('--reset', 'begins with a new n8n: what the last one kept in the user folder is deleted')
	.addHelpText(
		'after',
		`
The first start installs n8n and PostgreSQL: 2.5 GB in 2 to 5 minutes. While they run, nothing is asked of any other
machine. n8n keeps its data from one start to the next; the sandbox begins anew each time, with the same records for the
same seed, and with it the ledger and its database. Ctrl-C stops everything.`,
	);

/**
 * @param {number} port
 * @param {string} option the one to choose another port with
 */
async function requireFreePort(port, option) {
	if ((await getPort({ port, host: '127.0.0.1' })) === port) return;
	throw new UserError(
		`port ${port} is in use. Stop what listens there, or choose another: npm start -- --${option} ${port + 1}`,
	);
}

/**
 * Builds the package after each change. n8n notices the new files (N8N_DEV_RELOAD) and updates the open editor.
 *
 * @param {string} userFolder of n8n
 */
function rebuildOnChange(userFolder) {
	let builds = Promise.resolve();
	const rebuild = async () => {
		// A new process, since this one keeps the modules of contract/ as they were.
		await execa(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
		await placePackage(userFolder);
	};
	/** @type {NodeJS.Timeout | undefined} */
	let wait;
	const onChange = () => {
		clearTimeout(wait);
		// An editor writes a file in several steps.
		wait = setTimeout(() => {
			builds = builds.then(rebuild).catch(({ message }) => console.error(message));
		}, SETTLED_MS);
	};
	for (const folder of SOURCES) watch(join(ROOT, folder), { recursive: true }, onChange);
}

await main(
	async () => {
		const { port, sandboxPort, mailPort, chargesPerMinute, seed, dev, reset, ...options } = command
			.parse()
			.opts();
		const started = Date.now();
		await requireFreePort(port, 'port');
		await requireFreePort(sandboxPort, 'sandbox-port');
		await requireFreePort(mailPort, 'mail-port');
		const { version } = await ensureN8n();
		await build();

		const userFolder = resolve(options['userFolder'] ?? join(cacheFolder(), `demo-${version}`));
		await mkdir(userFolder, { recursive: true });
		// A killed demo keeps its lock for 10 s.
		await lock(userFolder, { retries: { retries: 12, factor: 1 } }).catch((error) => {
			if (error.code !== 'ELOCKED') throw error;
			throw new UserError('the demo is running. Stop it, or choose another --user-folder.');
		});
		await claimUserFolder(userFolder, { reset });
		// The sandbox begins anew, so the charges in the last demo's database don't exist anymore.
		const database = join(userFolder, 'postgres');
		await rm(database, { recursive: true, force: true });
		const postgres = await startPostgres({ folder: database });
		// A new key makes the trigger begin again, too.
		const apiKey = randomUUID();
		const sandbox = await startSandbox({ port: sandboxPort, seed, chargesPerMinute, apiKey });
		/** @type {import('../sandbox/html.js').Page} */
		let startPage = { title: 'n8n is starting …', refresh: 2 };
		const mailbox = await startMailbox({ port: mailPort, startPage: () => startPage });
		const chatModel = await startChatModel(answerOf);
		console.log('Starting n8n (usually 15 s) …');
		const env = { ...KEEPS_WAITING_AGENTS, ...(dev && { N8N_DEV_RELOAD: 'true' }) };
		const n8n = await startN8n({ userFolder, port, env });
		if (dev) rebuildOnChange(userFolder);
		console.log('Importing the examples, and running each once …');
		const { client } = n8n;
		// No secrets: n8n listens on this machine alone.
		const header = { name: 'X-Order-Key', value: 'demo' };
		const user = { user: 'demo', password: 'demo' };
		const others = [
			postgresCredential(postgres),
			smtpCredential(mailbox.smtp),
			chatModelCredential(chatModel),
			headerCredential(header),
			basicAuthCredential(user),
		];
		const demo = await setUpDemo({ client, userFolder, sandbox, others, show: true });
		const pages = { mailbox: mailbox.url, sandbox: sandbox.url };
		startPage = startPageOf({ n8n: n8n.url, user, header, pages, ...demo });

		const { url } = n8n;
		console.log(`
Ready after ${Math.round((Date.now() - started) / 1000)} s. Open ${new URL('/', mailbox.url)}

n8n         ${url}/home/workflows
  e-mail    ${demo.owner.email}
  password  ${demo.owner.password}
  log       ${n8n.logFile}
Ledger      ${url}/webhook/payment-ledger
  user      ${user.user}  password ${user.password}
  database  ${postgres.url}
Mailbox     ${mailbox.url}
Sandbox     ${sandbox.url}  ${chargesPerMinute} new charges a minute

Ctrl-C stops everything.`);
		const exitCode = await n8n.ended;
		if (!isStopping())
			throw new UserError(`n8n ended by itself (${exitCode}). Its log is ${n8n.logFile}`);
	},
	{ untilStopped: true },
);
