import { readFile, readdir, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';
import pRetry from 'p-retry';
import pWaitFor from 'p-wait-for';

import { filesBelow, syncFolder } from '../lib/folders.mjs';
import { UserError } from '../lib/program.mjs';
import { PACKAGE_NAME, ROOT } from '../lib/project.mjs';
import { startServer } from '../lib/server.mjs';
import { N8nClient } from './client/index.mjs';
import { ensureN8n } from './install.mjs';

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 200;
const LOG_LINES_SHOWN = 15;
const START_RETRIES = 2;

const freePort = () => getPort({ host: '127.0.0.1' });

/** What n8n gets of this program's environment: enough to run, and nothing that would configure it behind our back. */
const INHERITED_VARIABLES = [
	'HOME',
	'LANG',
	'LC_ALL',
	'LOGNAME',
	'PATH',
	'SHELL',
	'TMPDIR',
	'USER',
];

/**
 * Puts what would be published (see "files" in package.json) to where n8n keeps community packages. A copy, not a link:
 * from a link Node would find this checkout's n8n-workflow instead of n8n's own. Another n8n of the same folder may run:
 * what is right already is not touched.
 *
 * @param {string} userFolder
 */
async function placePackage(userFolder) {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	const built = await filesBelow(join(ROOT, 'dist'));
	const names = ['package.json', ...built.map((name) => `dist/${name}`)];
	const read = async (/** @type {string} */ name) =>
		/** @type {[string, Buffer]} */ ([name, await readFile(join(ROOT, name))]);
	await syncFolder(target, new Map(await Promise.all(names.map(read))));
}

/** With them, somebody who logs in lands in a chat, not on the list of workflows, and panels of advice lie in front. */
const UNWANTED_MODULES = [
	'instance-ai',
	'agents',
	'chat-hub',
	'mcp',
	'mcp-registry',
	'workflow-builder',
];

/**
 * @param {import('./install.mjs').N8nInstall} install
 * @returns {Promise<string[]>} those that this n8n has: told to leave out a module that it doesn't know, it won't start
 */
async function unwantedModules({ folder }) {
	const modules = await readdir(join(folder, 'node_modules', 'n8n', 'dist', 'modules'));
	return UNWANTED_MODULES.filter((name) => modules.includes(name));
}

/**
 * @param {import('./install.mjs').N8nInstall} install
 * @param {string} userFolder
 * @returns {Promise<Record<string, string>>} what any n8n of ours runs with
 */
async function environment(install, userFolder) {
	const inherited = INHERITED_VARIABLES.flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value]];
	});
	return {
		...Object.fromEntries(inherited),
		// n8n starts helpers with "node": that must be the Node that it was installed with.
		PATH: [dirname(install.node), process.env['PATH']].join(delimiter),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// Before 2.0, n8n's SQLite has one connection unless it is told otherwise, in which transactions get into each other's way.
		DB_SQLITE_POOL_SIZE: '3',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DISABLED_MODULES: (await unwantedModules(install)).join(),
		GENERIC_TIMEZONE: 'UTC',
	};
}

/**
 * @typedef {object} RunningN8n
 * @property {string} url
 * @property {N8nClient} client not logged in
 * @property {string} logFile
 * @property {number | undefined} pid
 * @property {Promise<number>} ended
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} kill as a power cut does
 */

/**
 * @typedef {object} N8nOptions
 * @property {string} userFolder n8n's data; starting again with the same one continues where it stopped
 * @property {number} [port] any free one by default
 * @property {string} [worker] starts a worker of queue mode, which is called so, instead of n8n itself
 * @property {Record<string, string | undefined>} [env] further settings, see n8n's list of environment variables
 */

/**
 * Starts the real n8n with this package as it is in dist/, on 127.0.0.1, and waits until it answers.
 *
 * @param {N8nOptions} options
 * @returns {Promise<RunningN8n>}
 */
export async function startN8n(options) {
	return await pRetry(() => tryToStart(options), {
		retries: START_RETRIES,
		minTimeout: 0,
		// A free port that was found for n8n may be another program's by the time that n8n listens.
		shouldRetry: ({ error }) => {
			const [, taken] = /port (\d+) is already in use/.exec(error.message) ?? [];
			return taken !== undefined && Number(taken) !== options.port;
		},
	});
}

/**
 * @param {number} port where to answer
 * @param {string | undefined} worker of which a worker only says how it is, and only if it is told to
 */
const portOf = (port, worker) =>
	worker === undefined
		? { N8N_PORT: String(port) }
		: { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) };

/**
 * @param {N8nOptions} options
 * @returns {Promise<RunningN8n>}
 */
async function tryToStart({ userFolder, port, worker, env = {} }) {
	const install = await ensureN8n();
	await placePackage(userFolder);
	port ??= await freePort();
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(userFolder, `${worker ?? 'n8n'}.log`);
	await rm(logFile, { force: true });
	const server = startServer(install.node, [install.cli, worker ? 'worker' : 'start'], {
		cwd: userFolder,
		logFile,
		env: {
			...(await environment(install, userFolder)),
			...portOf(port, worker),
			...env,
		},
	});
	const client = new N8nClient(url);
	/** @type {number | undefined} */
	let exitCode;
	void server.ended.then((code) => (exitCode = code));
	const milliseconds = START_TIMEOUT_MS;
	// n8n 1 calls itself ready before its editor's interface is there. A worker has none.
	const isReady = async () =>
		(await client.isReady()) && (worker !== undefined || (await client.exists('/rest/settings')));
	await pWaitFor(async () => exitCode !== undefined || (await isReady()), {
		interval: POLL_MS,
		timeout: { milliseconds, fallback: () => {} },
	});
	if (exitCode !== undefined || !(await isReady())) {
		const why =
			exitCode === undefined ? `did not answer in ${milliseconds} ms` : `ended (${exitCode})`;
		await server.stop();
		const log = await readFile(logFile, 'utf8').catch(() => '');
		const lastWords = log.trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
		throw new UserError(`n8n ${why}. Its last words:\n${lastWords}`);
	}
	return { url, client, logFile, ...server };
}

/**
 * Runs one of n8n's commands on the data of an n8n, which may be running.
 *
 * @param {string[]} args such as ["import:workflow", "--input=…"]
 * @param {Pick<N8nOptions, 'userFolder' | 'env'>} options as it runs with
 * @returns {Promise<string>} what the command said
 * @throws {Error} when it fails
 */
export async function runN8nCommand(args, { userFolder, env = {} }) {
	const install = await ensureN8n();
	const run = await execa(install.node, [install.cli, ...args], {
		cwd: userFolder,
		env: { ...(await environment(install, userFolder)), ...env },
		extendEnv: false,
		reject: false,
	});
	// n8n 2.36 may crash as it ends, with all done: what it said shows whether that is so.
	if (run.failed && run.signal !== 'SIGSEGV') throw run;
	return run.stdout;
}
