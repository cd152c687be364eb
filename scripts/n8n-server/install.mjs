/**
 * Makes sure that the real n8n which `npm start` and the end-to-end tests use is installed in the cache folder, with
 * the Node that it needs: `node scripts/run.mjs scripts/n8n-server/install.mjs`. N8N_LINE chooses an older one.
 */

import { access, readFile, readdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Listr, PRESET_TIMER } from 'listr2';

import { npm } from '../lib/npm.mjs';
import { isProgram, main, UserError } from '../lib/program.mjs';
import { describeRecipe, ensureRecipe } from '../installed/recipe.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const NEWEST_LINE = '2.41';

/** Measured on 2 processors, with a registry nearby: 2 minutes to download, and 1 to build sqlite3. */
export const N8N_SIZE = '2.5 GB';
export const N8N_DURATION = '3 to 5 minutes';

const GIGABYTE = 1e9;
const POLL_MS = 2_000;

/**
 * @typedef {object} N8nInstall
 * @property {string} folder
 * @property {string} version n8n's
 * @property {string} node path of the Node binary to run it with
 * @property {string} cli path of n8n's command line script
 */

/** @param {string} path */
async function exists(path) {
	return await access(path).then(
		() => true,
		() => false,
	);
}

/**
 * Every line of n8n that this package is run in has a recipe of its own, of which the lock file decides each version:
 * n8n asks for ranges, and what an older one gets of them today it doesn't start with. For a new lock file, "overrides"
 * holds such packages back, and names one in a registry for one that n8n has from elsewhere (xlsx).
 */
async function chosenRecipe() {
	const lines = (await readdir(join(HERE, 'lines'))).sort();
	const line = process.env['N8N_LINE'] || NEWEST_LINE;
	if (!lines.includes(line))
		throw new UserError(`there is no N8N_LINE "${line}". There are: ${lines.join(', ')}`);
	const folder = join(HERE, 'lines', line);
	const manifest = join(folder, 'package.json');
	const files = [manifest, join(folder, 'package-lock.json'), join(HERE, '.npmrc')];
	const { dependencies } = JSON.parse(await readFile(manifest, 'utf8'));
	return { name: `n8n-${line}`, version: dependencies.n8n, files };
}

/**
 * Describes the install that this checkout asks for, whether it is there or not.
 *
 * @returns {Promise<N8nInstall & { installed: boolean }>}
 */
export async function describeN8n() {
	const recipe = await chosenRecipe();
	const { folder, installed } = await describeRecipe(recipe);
	return {
		folder,
		version: recipe.version,
		node: join(folder, 'node_modules', '.bin', 'node'),
		cli: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		installed,
	};
}

/**
 * The folder of the Node that was installed for n8n which holds its C headers. node-gyp would download them otherwise.
 * Its name differs by platform and processor, so it is looked up rather than composed.
 *
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function nodeHeaders(folder) {
	const packages = join(folder, 'node_modules', 'node', 'node_modules');
	for (const name of await readdir(packages).catch(() => [])) {
		if (await exists(join(packages, name, 'include', 'node', 'node.h')))
			return join(packages, name);
	}
	throw new UserError(
		`Installing n8n failed: the package "node" brought no Node for ${process.platform}-${process.arch}.`,
	);
}

/**
 * Tells every two seconds how much was written, by what is left on the disk: to look at 200,000 files would take longer.
 * Only to a terminal, where one line replaces the other.
 *
 * @param {string} folder
 * @param {(written: string) => void} tell
 * @returns {Promise<() => void>} ends it
 */
async function watchDisk(folder, tell) {
	if (!process.stdout.isTTY) return () => {};
	const free = async () => {
		const { bavail, bsize } = await statfs(folder);
		return bavail * bsize;
	};
	const atFirst = await free();
	const timer = setInterval(async () => {
		const written = Math.max(0, atFirst - (await free()));
		tell(`${(written / GIGABYTE).toFixed(1)} GB`);
	}, POLL_MS);
	return () => clearInterval(timer);
}

/** @param {string} folder where n8n goes */
async function install(folder) {
	const what = 'Installing n8n';
	// .npmrc keeps install scripts off, since those of n8n's 2,000 packages are not needed but for two.
	const rebuild = ['rebuild', '--ignore-scripts=false'];
	const tasks = new Listr(
		[
			{
				title: 'Downloading n8n (usually 2 to 4 minutes)',
				task: async (_context, task) => {
					const { title } = task;
					const stop = await watchDisk(folder, (written) => {
						task.title = `${title}: ${written} of ${N8N_SIZE}`;
					});
					await npm(['install', '--no-audit', '--no-fund'], { cwd: folder, what }).finally(stop);
				},
			},
			{
				title: 'Setting up the Node that n8n needs',
				task: () => npm([...rebuild, 'node'], { cwd: folder, what }),
			},
			{
				title: 'Building sqlite3 (usually a minute)',
				task: async () => {
					const env = { npm_config_nodedir: await nodeHeaders(folder) };
					await npm([...rebuild, 'sqlite3'], { cwd: folder, what, env });
				},
			},
		],
		{ registerSignalListeners: false, rendererOptions: { timer: PRESET_TIMER } },
	);
	await tasks.run();
}

/**
 * Installs n8n into the cache folder unless it is there already. Safe to be interrupted, and to be called by several
 * processes at once.
 *
 * @param {{ offline?: boolean }} [options] offline: fails instead of installing anything
 * @returns {Promise<N8nInstall>}
 */
export async function ensureN8n({ offline = false } = {}) {
	const n8n = await describeN8n();
	const program = `n8n ${n8n.version}`;
	const about = { program, size: N8N_SIZE, duration: N8N_DURATION, install };
	await ensureRecipe({ ...(await chosenRecipe()), ...about }, { offline });
	return n8n;
}

if (isProgram(import.meta.url)) {
	await main(async () => {
		const n8n = await ensureN8n();
		console.log(`n8n ${n8n.version} is installed in ${n8n.folder}`);
	});
}
