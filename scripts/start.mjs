/**
 * `npm start`: from a bare clone, a real n8n with this package in it, connected to the embedded payment sandbox.
 */

import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureDependencies } from './lib/dependencies.mjs';
import { withLock } from './lib/lock.mjs';
import { isPortFree } from './lib/ports.mjs';
import { isStopping, main, UserError } from './lib/program.mjs';
import { duration, withProgress } from './lib/progress.mjs';
import { cacheFolder, ROOT } from './lib/project.mjs';
import { ensureN8n } from './n8n-server/install.mjs';

const HELP = `Starts a real n8n with this package, and a payment sandbox for it to talk to.

npm start -- [options]

  --port <number>                n8n's port (5678)
  --sandbox-port <number>        the sandbox's port (4010)
  --charges-per-minute <number>  new charges that arrive in the sandbox (4)
  --seed <number>                same seed, same records in the sandbox (1)
  --user-folder <path>           where n8n keeps its data (a folder in the user's cache)
  --reset                        begins with a new n8n: workflows and executions are deleted
  --help                         prints this

The first start installs n8n, which takes about 5 minutes and 2.5 GB. Ctrl-C stops everything.`;

/**
 * @param {string | undefined} text
 * @param {{ name: string, fallback: number, max?: number }} options
 * @returns {number} a whole number, 0 or more
 */
function wholeNumber(text, { name, fallback, max = Number.MAX_SAFE_INTEGER }) {
	if (text === undefined) return fallback;
	if (!/^\d+$/.test(text) || Number(text) > max)
		throw new UserError(`--${name} must be a whole number up to ${max}.`);
	return Number(text);
}

function readOptions() {
	const text = /** @type {const} */ ({ type: 'string', multiple: false });
	const flag = /** @type {const} */ ({ type: 'boolean', multiple: false });
	try {
		const { values } = parseArgs({
			options: {
				port: text,
				'sandbox-port': text,
				'charges-per-minute': text,
				seed: text,
				'user-folder': text,
				reset: flag,
				help: flag,
			},
		});
		return {
			help: values.help,
			reset: values.reset,
			userFolder: values['user-folder'],
			port: wholeNumber(values.port, { name: 'port', fallback: 5678, max: 65_535 }),
			sandboxPort: wholeNumber(values['sandbox-port'], {
				name: 'sandbox-port',
				fallback: 4010,
				max: 65_535,
			}),
			chargesPerMinute: wholeNumber(values['charges-per-minute'], {
				name: 'charges-per-minute',
				fallback: 4,
				max: 600,
			}),
			seed: wholeNumber(values.seed, {
				name: 'seed',
				fallback: 1,
				max: 2 ** 32 - 1,
			}),
		};
	} catch (error) {
		if (error instanceof UserError) throw error;
		// Node's text goes on with advice that does not hold here; its first sentence names the option.
		const [what] = String(error instanceof Error ? error.message : error).split(/\.\s/);
		throw new UserError(`${what}. npm start -- --help lists the options.`);
	}
}

/**
 * @param {number} port
 * @param {string} option the one to choose another port with
 */
async function requireFreePort(port, option) {
	if (await isPortFree(port)) return;
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

/** @param {ReturnType<typeof readOptions>} options */
async function run(options) {
	const started = Date.now();
	await requireFreePort(options.port, 'port');
	await requireFreePort(options.sandboxPort, 'sandbox-port');
	await ensureDependencies();
	// Imported only now: they use packages that a bare clone does not have.
	const { build } = await import('./build.mjs');
	const { startSandbox } = await import('./lib/sandbox.mjs');
	const { startN8n } = await import('./n8n-server/server.mjs');
	const { claimUserFolder, setUpDemo } = await import('./n8n-server/demo.mjs');
	await build();
	const n8nInstall = await ensureN8n();

	const userFolder = options.userFolder
		? resolve(options.userFolder)
		: defaultUserFolder(n8nInstall.folder);
	const busy = (/** @type {number} */ pid) => {
		throw new UserError(
			`the demo is running already (process ${pid}). Stop it, or choose another --user-folder.`,
		);
	};
	await mkdir(dirname(userFolder), { recursive: true });
	await withLock(
		`${userFolder}.lock`,
		async () => {
			const { chargesPerMinute, seed, port, reset } = options;
			await claimUserFolder(userFolder, { reset });
			const sandbox = await startSandbox({ port: options.sandboxPort, seed, chargesPerMinute });
			const n8n = await withProgress('Starting n8n', () => startN8n({ userFolder, port }), {
				usually: '15 s',
			});
			const { owner, workflows } = await setUpDemo({
				client: n8n.client,
				userFolder,
				sandbox,
				publish: true,
			});
			const filling = workflows.filter(({ active }) => active).flatMap(({ tables }) => tables);

			console.log(
				[
					'',
					`Ready after ${duration(Date.now() - started)}.`,
					'',
					`n8n        ${n8n.url}`,
					`  e-mail     ${owner.email}`,
					`  password   ${owner.password}`,
					`  log        ${n8n.logFile}`,
					...workflows.map(({ id, name }) => `  workflow   ${n8n.url}/workflow/${id}  ${name}`),
					...filling.map(
						({ id, projectId, name }) =>
							`  data table ${n8n.url}/projects/${projectId}/datatables/${id}  ${name}: fills by itself, every minute`,
					),
					'',
					`Sandbox    ${sandbox.url}  (${chargesPerMinute} new charges a minute)`,
					'',
					'Ctrl-C stops everything.',
				].join('\n'),
			);
			const exitCode = await n8n.ended;
			if (!isStopping())
				throw new UserError(`n8n ended by itself (${exitCode}). Its log is ${n8n.logFile}`);
		},
		{ onWait: busy },
	);
}

await main(
	async () => {
		const options = readOptions();
		if (options.help) return console.log(HELP);
		await run(options);
	},
	{ untilStopped: true },
);
