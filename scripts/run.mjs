/**
 * `node scripts/run.mjs <script> …`, which the commands of package.json call. Installs this checkout's packages when
 * they are missing or are not those of package-lock.json, then runs the script, which may use them. So only this file
 * and what it imports have to do with Node's own modules.
 */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { npm } from './lib/npm.mjs';
import { ROOT } from './lib/project.mjs';

const OLDEST_NODE = 20;
const POLL_MS = 1_000;

/** @typedef {Record<string, { version?: string, optional?: boolean }>} LockedPackages */

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

/** @param {number} pid */
function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// EPERM: it exists, and is somebody else's.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/**
 * Does the work while no other process does any under this lock. A lock is a folder that holds a file named after its
 * owner's pid. A folder can be renamed onto an empty one only, so of several who see a dead owner one becomes the next.
 *
 * @param {string} lock
 * @param {() => Promise<void>} work
 */
async function alone(lock, work) {
	const mine = await mkdtemp(`${lock}-`);
	await writeFile(join(mine, `${process.pid}`), '');
	let folder = mine;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	for (let isTold = false; ; ) {
		const isTaken = await rename(mine, lock).then(
			() => true,
			(error) => {
				if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
				throw error;
			},
		);
		if (isTaken) break;
		for (const pid of await readdir(lock).catch(() => [])) {
			if (!isAlive(Number(pid))) await rm(join(lock, pid), { force: true });
			else if (!isTold) {
				console.log(`Process ${pid} is installing the packages: waiting for it …`);
				isTold = true;
			}
		}
		await sleep(POLL_MS);
	}
	folder = lock;
	try {
		await work();
	} finally {
		await rm(lock, { recursive: true, force: true });
		folder = mine;
	}
}

async function installPackages() {
	if (await isUpToDate()) return;
	console.log('Installing the development packages: 580 MB, usually a minute …');
	const started = Date.now();
	await npm(['ci', '--include=dev', '--no-audit', '--no-fund'], {
		cwd: ROOT,
		what: 'Installing the packages',
	});
	console.log(`Installed them in ${Math.round((Date.now() - started) / 1_000)} s.`);
}

if (Number.parseInt(process.versions.node) < OLDEST_NODE) {
	console.error(`Error: this needs Node ${OLDEST_NODE} or newer, and runs on ${process.version}.`);
	process.exit(1);
}
if (!(await isUpToDate())) {
	if (process.argv.includes('--offline')) {
		console.error(
			'Error: the development packages are missing or are not those of package-lock.json, and --offline installs nothing. Run npm ci.',
		);
		process.exit(1);
	}
	// Else a signal would end this process without its exit handlers, and leave npm running.
	const exit = () => process.exit(1);
	const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
	for (const signal of signals) process.once(signal, exit);
	const key = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
	try {
		await alone(join(tmpdir(), `npm-ci-${key}`), installPackages);
	} catch (error) {
		console.error(`Error: ${error instanceof Error ? error.message : String(error)}`);
		process.exit(1);
	}
	for (const signal of signals) process.off(signal, exit);
}

const [, , script = ''] = process.argv;
const path = join(ROOT, script);
// The script sees its own arguments, as if Node had been told to run it.
process.argv.splice(1, 2, path);
await import(pathToFileURL(path).href);
