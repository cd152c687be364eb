import { readFile, readdir } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';

import getPort from 'get-port';

import { filesBelow, syncFolder } from '../lib/folders.mjs';
import { PACKAGE_NAME, ROOT } from '../lib/project.mjs';
import { startServer } from '../lib/server.mjs';
import { N8nClient } from './client/index.mjs';
import { ensureN8n } from './install.mjs';

/** n8n gets these and PATH of this program's environment: enough to run, and nothing that would configure it unnoticed. */
const INHERITED_VARIABLES = ['HOME', 'LANG', 'TMPDIR', 'USER'];

/** Without it, n8n treats an agent that waits for an approval as crashed when n8n is started again. */
export const KEEPS_WAITING_AGENTS = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };

/** Modules that open a chat after the login instead of the list of workflows, or show advice in front of the list. */
const UNWANTED_MODULES = [
	'instance-ai',
	'agents',
	'chat-hub',
	'mcp',
	'mcp-registry',
	'workflow-builder',
];

/**
 * @typedef {object} N8nOptions
 * @property {string} userFolder n8n's data; starting again with the same one continues where it stopped
 * @property {number} [port] any free one by default
 * @property {string} [worker] name of a worker of queue mode, which is started instead of n8n itself
 * @property {string[]} [modules] modules of n8n that stay on, although they are in UNWANTED_MODULES
 * @property {boolean} [isPlaced] the package is in its data already, by whatever way
 * @property {Record<string, string | undefined>} [env] further settings, see n8n's list of environment variables
 */

/**
 * Starts the real n8n with this package as it is in dist/, on 127.0.0.1, and waits until it answers.
 *
 * @param {N8nOptions} options
 * @returns the server, and a client that is not logged in
 */
export async function startN8n({
	userFolder,
	port,
	worker,
	modules = [],
	isPlaced = false,
	env = {},
}) {
	const { folder, node, cli } = await ensureN8n();
	if (!isPlaced) await placePackage(userFolder);
	port ??= await getPort({ host: '127.0.0.1' });
	const url = `http://127.0.0.1:${port}`;
	const client = new N8nClient(url);
	// An older n8n won't start if a module is to be left out that it doesn't know.
	const known = await readdir(join(folder, 'node_modules', 'n8n', 'dist', 'modules'));
	const disabled = UNWANTED_MODULES.filter(
		(name) => known.includes(name) && !modules.includes(name),
	);
	const server = await startServer('n8n', [node, cli, worker ? 'worker' : 'start'], {
		cwd: userFolder,
		logFile: join(userFolder, `${worker ?? 'n8n'}.log`),
		env: {
			...Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]])),
			// n8n starts helpers with "node": that must be the Node that it was installed with.
			PATH: [dirname(node), process.env['PATH']].join(delimiter),
			// Node keeps its compiled code, so that later starts take less than half of the time.
			NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(port),
			QUEUE_HEALTH_CHECK_ACTIVE: String(worker !== undefined),
			QUEUE_HEALTH_CHECK_PORT: String(port),
			// n8n 1's SQLite has one connection by default, in which transactions get into each other's way.
			DB_SQLITE_POOL_SIZE: '3',
			N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1' })),
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
			N8N_SECURE_COOKIE: 'false',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_DYNAMIC_BANNERS_ENABLED: 'false',
			N8N_VERIFIED_PACKAGES_ENABLED: 'false',
			N8N_HIRING_BANNER_ENABLED: 'false',
			N8N_DISABLED_MODULES: disabled.join(),
			GENERIC_TIMEZONE: 'UTC',
			...env,
		},
		// n8n 1 calls itself ready before its editor's interface is there. A worker has none.
		isReady: async () =>
			(await client.isReady()) && (worker !== undefined || (await client.exists('/rest/settings'))),
	});
	return { url, client, ...server };
}

/**
 * Puts what would be published (see "files" in package.json) to where n8n keeps community packages. A copy, not a link:
 * from a link Node would find this checkout's n8n-workflow instead of n8n's own.
 *
 * @param {string} userFolder
 */
export async function placePackage(userFolder) {
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	const target = relative(ROOT, installed);
	/** @type {import('../lib/folders.mjs').Content} */
	const content = new Map();
	for (const file of ['package.json', ...(await filesBelow('dist'))])
		content.set(join(target, file), await readFile(join(ROOT, file)));
	await syncFolder(target, content);
}
