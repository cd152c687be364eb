/**
 * `npm start`: from a bare clone, a real n8n with this package in it, connected to the embedded payment sandbox.
 */

import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { Command } from 'commander';
import getPort from 'get-port';
import prettyMs from 'pretty-ms';

import { build } from './build.mjs';
import { wholeNumber } from './lib/arguments.mjs';
import { withLock } from './lib/lock.mjs';
import { isStopping, main, UserError } from './lib/program.mjs';
import { cacheFolder, ROOT } from './lib/project.mjs';
import { startSandbox } from './lib/sandbox.mjs';
import { claimUserFolder, setUpDemo } from './n8n-server/demo.mjs';
import { ensureN8n, N8N_DURATION, N8N_SIZE } from './n8n-server/install.mjs';
import { emptyLedger } from './n8n-server/ledger.mjs';
import { startN8n } from './n8n-server/server.mjs';
import { addressOf } from './postgres/address.mjs';
import { ensurePostgres, POSTGRES_SIZE } from './postgres/install.mjs';
import { startPostgres } from './postgres/server.mjs';

const MAX_PORT = 65_535;

/** A demo that was killed holds its folder for 10 s. */
const MAX_WAIT_S = 15;

/**
 * @typedef {object} Options
 * @property {number} port
 * @property {number} sandboxPort
 * @property {number} chargesPerMinute
 * @property {number} seed
 * @property {string} [postgres]
 * @property {string} [userFolder]
 * @property {boolean} [reset]
 * @property {boolean} [offline]
 */

const command = new Command('npm start --')
	.description('Starts a real n8n with this package, and a payment sandbox for it to talk to.')
	.option('--port <number>', "n8n's port", wholeNumber(MAX_PORT), 5678)
	.option('--sandbox-port <number>', "the sandbox's port", wholeNumber(MAX_PORT), 4010)
	.option(
		'--charges-per-minute <number>',
		'new charges that arrive in the sandbox',
		wholeNumber(600),
		4,
	)
	.option('--seed <number>', 'same seed, same records in the sandbox', wholeNumber(2 ** 32 - 1), 1)
	.option(
		'--postgres <url>',
		'a database of your own for the ledger, instead of the one that comes along',
	)
	.option(
		'--user-folder <path>',
		'where n8n and PostgreSQL keep their data (default: in the cache folder)',
	)
	.option(
		'--reset',
		'begins with a new n8n: what is in the user folder is deleted, with all workflows, executions, credentials, data tables and the database',
	)
	.option('--offline', 'installs nothing, and says what is missing')
	.addHelpText(
		'after',
		`
The first start installs n8n, which takes ${N8N_DURATION} and ${N8N_SIZE}, and PostgreSQL, which takes a few seconds and
${POSTGRES_SIZE}. While they run, nothing is asked of any other machine. n8n keeps its data from one start to the next; the
sandbox begins anew each time, with the same records for the same seed, and with it the ledger, but for one in a database
of your own. Ctrl-C stops everything.`,
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

/** A demo of its own for each checkout and each n8n: neither of them can read the other's data. */
function defaultUserFolder(/** @type {string} */ n8nFolder) {
	const key = createHash('sha256')
		.update(`${ROOT}\n${basename(n8nFolder)}`)
		.digest('hex')
		.slice(0, 12);
	return join(cacheFolder(), `demo-${key}`);
}

/** @param {Options} options */
async function run({ port, sandboxPort, chargesPerMinute, seed, reset, offline, ...options }) {
	const started = Date.now();
	await requireFreePort(port, 'port');
	await requireFreePort(sandboxPort, 'sandbox-port');
	// First what may be missing: it would be a pity to build for nothing.
	const n8nInstall = await ensureN8n({ offline });
	const ownDatabase = options.postgres && (await addressOf(options.postgres));
	if (!ownDatabase) await ensurePostgres({ offline });
	await build();

	const userFolder = options.userFolder
		? resolve(options.userFolder)
		: defaultUserFolder(n8nInstall.folder);
	await mkdir(dirname(userFolder), { recursive: true });
	const serve = async () => {
		await claimUserFolder(userFolder, { reset });
		const postgres = ownDatabase || (await startPostgres({ folder: join(userFolder, 'postgres') }));
		if ('url' in postgres) await emptyLedger(postgres.url);
		// A key of its own: so the trigger begins anew, too.
		const apiKey = randomUUID();
		const sandbox = await startSandbox({ port: sandboxPort, seed, chargesPerMinute, apiKey });
		console.log('Starting n8n (usually 15 s) …');
		const n8n = await startN8n({ userFolder, port });
		console.log('Importing the examples, and running each once …');
		const { owner, workflows } = await setUpDemo({
			client: n8n.client,
			userFolder,
			sandbox,
			postgres,
			show: true,
		});
		const filling = workflows.filter(({ active }) => active).flatMap(({ tables }) => tables);

		console.log(
			[
				'',
				`Ready after ${prettyMs(Date.now() - started, { secondsDecimalDigits: 0 })}. Open`,
				'',
				`n8n         ${n8n.url}/home/workflows`,
				`  e-mail    ${owner.email}`,
				`  password  ${owner.password}`,
				...workflows.map(({ id, name }) => `  workflow  ${n8n.url}/workflow/${id}  ${name}`),
				...filling.map(
					({ id, projectId, name }) =>
						`  table     ${n8n.url}/projects/${projectId}/datatables/${id}  ${name}, fills every minute`,
				),
				'  What came out of the workflows that ran is under Executions, at the top of each.',
				`  log       ${n8n.logFile}`,
				'',
				`Ledger      ${n8n.url}/webhook/payment-ledger  beside what the service says; fills every minute`,
				`  database  ${'url' in postgres ? postgres.url : `${postgres.database} on ${postgres.host}:${postgres.port}`}`,
				'',
				`Sandbox     ${sandbox.url}  what it holds, its switches, and what was asked of it; ${chargesPerMinute} new charges a minute`,
				'',
				'Ctrl-C stops everything.',
			].join('\n'),
		);
		const exitCode = await n8n.ended;
		if (!isStopping())
			throw new UserError(`n8n ended by itself (${exitCode}). Its log is ${n8n.logFile}`);
	};
	await withLock(`${userFolder}.lock`, serve, {
		onWait: () => console.log('The demo seems to be running already: waiting for its end …'),
		maxWaitS: MAX_WAIT_S,
	}).catch((error) => {
		if (error.code !== 'ELOCKED') throw error;
		throw new UserError('the demo is running. Stop it, or choose another --user-folder.');
	});
}

await main(() => run(command.parse().opts()), { untilStopped: true });
