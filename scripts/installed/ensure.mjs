import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { execa } from 'execa';

/**
 * @typedef {object} Wanted a program of the machine
 * @property {string[]} names by which systems know it
 * @property {string} variable of the environment: a person's own path of it, looked at first
 * @property {string[]} [elsewhere] paths that are in no PATH
 * @property {string} debian its package in Debian and Ubuntu
 * @property {string} effort what is installed then, and how long that usually takes
 */

/** @param {Wanted} wanted */
function find({ names, variable, elsewhere = [] }) {
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
	return [process.env[variable] ?? '', ...inPath, ...elsewhere].find((path) => existsSync(path));
}

/**
 * Looks for a program, and installs it where this program may use the system's package manager: in a container, mostly.
 *
 * @param {Wanted} wanted
 * @returns {Promise<string | undefined>} its path
 */
export async function ensureInstalled(wanted) {
	const present = find(wanted);
	if (present !== undefined || process.getuid?.() !== 0) return present;
	const apt = async (/** @type {string[]} */ ...args) =>
		// Two test files may install something at once.
		await execa('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
			env: { DEBIAN_FRONTEND: 'noninteractive' },
			reject: false,
		});
	console.log(`Installing ${wanted.effort} …`);
	await apt('update');
	await apt('install', '--yes', '--no-install-recommends', wanted.debian);
	return find(wanted);
}
