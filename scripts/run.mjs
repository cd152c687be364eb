/**
 * `node scripts/run.mjs [script …]`, which the commands of package.json call: installs this checkout's packages when
 * they are missing or package-lock.json has changed since, then runs the script, which may use them.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './lib/project.mjs';

const OLDEST_NODE = 20;

/** npm writes its list of installed packages last: if package-lock.json is newer, it has changed since. */
function isInstalled() {
	const list = join(ROOT, 'node_modules', '.package-lock.json');
	const changedAt = (/** @type {string} */ path) => statSync(path).mtimeMs;
	return existsSync(list) && changedAt(list) >= changedAt(join(ROOT, 'package-lock.json'));
}

async function installPackages() {
	console.log('Installing the development packages: 770 MB, usually a minute …');
	const args = ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
	const npm = spawn('npm', args, { cwd: ROOT, stdio: 'inherit' });
	// npm gets the signal, and this script ends after it.
	const pass = (/** @type {NodeJS.Signals} */ signal) => npm.kill(signal);
	process.on('SIGINT', pass).on('SIGTERM', pass);
	const [exitCode] = await once(npm, 'close');
	if (exitCode !== 0) process.exit(exitCode ?? 1);
	process.off('SIGINT', pass).off('SIGTERM', pass);
}

if (Number.parseInt(process.versions.node) < OLDEST_NODE) {
	console.error(`Error: this needs Node ${OLDEST_NODE} or newer, and runs on ${process.version}.`);
	process.exit(1);
}
if (!isInstalled()) await installPackages();

const [, , script] = process.argv;
if (script !== undefined) {
	const path = join(ROOT, script);
	// The script sees its own arguments, as if Node had been started with it.
	process.argv.splice(1, 2, path);
	await import(pathToFileURL(path).href);
}
