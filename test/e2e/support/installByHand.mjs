import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { PACKAGE_NAME, ROOT } from '../../../scripts/lib/project.mjs';

const INSTALL_TIMEOUT_MS = 120_000;

/**
 * Installs the package as the README says, with npm as it is on a new machine: packed in the checkout, then brought into
 * the folder in which n8n keeps community packages. It is to come alone.
 *
 * @param {string} userFolder n8n's
 */
export async function installByHand(userFolder) {
	const npm = execa({ cwd: ROOT, stdout: 'pipe', stderr: 'pipe' });
	const { stdout: registry } = await npm`npm config get registry`;
	const { stdout: tarball } = await npm`npm pack --silent --pack-destination ${userFolder}`;
	const nodes = join(userFolder, '.n8n', 'nodes');
	const home = join(userFolder, 'home');
	await Promise.all([nodes, home].map((folder) => mkdir(folder, { recursive: true })));
	// Run by npm, this program has the settings of this checkout in its environment.
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const env = { ...Object.fromEntries(own), HOME: home, npm_config_registry: registry };
	const quick = execa({ cwd: nodes, env, extendEnv: false, timeout: INSTALL_TIMEOUT_MS });
	await quick`npm init --yes`;
	await quick`npm install --omit=peer ${join(userFolder, tarball)}`;
	const installed = await readdir(join(nodes, 'node_modules'));
	assert.deepEqual(
		installed.filter((name) => !name.startsWith('.')),
		[PACKAGE_NAME],
	);
}
