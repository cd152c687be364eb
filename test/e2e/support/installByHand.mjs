import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { ROOT } from '../../../scripts/lib/project.mjs';

/**
 * Installs the package as the README says, with npm as it is on a new machine: packed in the checkout, then brought into
 * the folder in which n8n keeps community packages.
 *
 * @param {string} userFolder n8n's
 */
export async function installByHand(userFolder) {
	const npm = execa({ cwd: ROOT, stdout: 'pipe', stderr: 'pipe' });
	const { stdout: registry } = await npm`npm config get registry`;
	const { stdout: tarball } = await npm`npm pack --silent --pack-destination ${userFolder}`;
	const nodes = nodesFolder(userFolder);
	const home = join(userFolder, 'home');
	await Promise.all([nodes, home].map((folder) => mkdir(folder, { recursive: true })));
	// Run by npm, this program has the settings of this checkout in its environment.
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const env = { ...Object.fromEntries(own), HOME: home, npm_config_registry: registry };
	const quick = execa({ cwd: nodes, env, extendEnv: false, timeout: INSTALL_TIMEOUT_MS });
	await quick`npm init --yes`;
	await quick`npm install --omit=peer ${join(userFolder, tarball)}`;
}

const INSTALL_TIMEOUT_MS = 120_000;

/** @param {string} userFolder */
const nodesFolder = (userFolder) => join(userFolder, '.n8n', 'nodes');

/**
 * @param {string} userFolder
 * @returns {Promise<string[]>} the packages that npm has put there, those within others too
 */
export async function packagesInstalled(userFolder) {
	const record = join(nodesFolder(userFolder), 'node_modules', '.package-lock.json');
	/** @type {{ packages: Record<string, object> }} */
	const { packages } = JSON.parse(await readFile(record, 'utf8'));
	return Object.keys(packages).map((path) => path.replace(/^node_modules\//, ''));
}
