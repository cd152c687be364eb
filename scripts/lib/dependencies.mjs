import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { withProgress } from './progress.mjs';
import { ROOT } from './project.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean, peer?: boolean }>} LockedPackages */

/**
 * @param {string} path of a lock file
 * @returns {Promise<LockedPackages>} empty when there is none
 */
async function lockedPackages(path) {
	try {
		return JSON.parse(await readFile(path, 'utf8')).packages;
	} catch {
		return {};
	}
}

/**
 * @returns {Promise<boolean>} whether node_modules is what package-lock.json asks for, going by the list that npm keeps
 *   of what it installed. Optional packages may be missing: they are for other platforms.
 */
async function isUpToDate() {
	const wanted = await lockedPackages(join(ROOT, 'package-lock.json'));
	const installed = await lockedPackages(join(ROOT, 'node_modules', '.package-lock.json'));
	return Object.entries(wanted)
		.filter(([path]) => path !== '')
		.every(([path, { version, optional }]) =>
			path in installed ? installed[path]?.version === version : optional,
		);
}

/** Installs this checkout's packages with `npm ci`, unless they are there already. Uses nothing but Node itself. */
export async function ensureDependencies() {
	if (await isUpToDate()) return;
	await withLock(
		join(tmpdir(), `npm-ci-${Buffer.from(ROOT).toString('base64url').slice(-100)}.lock`),
		async () => {
			if (await isUpToDate()) return;
			await withProgress(
				'Installing the development packages, 475 MB',
				() =>
					npm(['ci', '--include=dev', '--no-audit', '--no-fund'], {
						cwd: ROOT,
						what: 'Installing the packages',
					}),
				{ usually: 'a minute' },
			);
		},
		{
			onWait: (pid) =>
				console.log(`Another process (${pid}) is installing the packages: waiting for it …`),
		},
	);
}
