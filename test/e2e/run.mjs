/**
 * `npm run test:e2e [-- part-of-a-file-name …]`: starts the sandbox and a real n8n with this package, then runs every
 * *.test.mjs of this folder against them, one file after another. The last line is "N passed, N failed".
 *
 * A file gets the servers from support/session.mjs. A file that stops n8n, or needs other settings, starts a pair of
 * its own with support/ownServers.mjs.
 *
 * The files of browser/ use n8n's editor in Chromium. Without one they are left out and that is said, unless
 * BROWSER_TESTS=required.
 */

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec as Spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

import { build } from '../../scripts/build.mjs';
import { ensureChromium, NO_CHROMIUM } from '../../scripts/installed/chromium.mjs';
import { atEnd, main, UserError } from '../../scripts/lib/program.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { ensureN8n } from '../../scripts/n8n-server/install.mjs';
import { ensurePostgres } from '../../scripts/postgres/install.mjs';
import { startServers } from './support/servers.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const FILE_TIMEOUT_MS = 10 * 60_000;

/**
 * @param {string[]} wanted parts of file names; none means all
 * @returns {Promise<string[]>}
 */
async function testFiles(wanted) {
	const names = (await readdir(HERE, { recursive: true }))
		.filter((name) => name.endsWith('.test.mjs'))
		.sort();
	const chosen = names.filter(
		(name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
	);
	if (chosen.length === 0)
		throw new UserError(`no test file matches. There are: ${names.join(', ')}`);
	return chosen.map((name) => join(HERE, name));
}

const needsBrowser = (/** @type {string} */ file) => basename(dirname(file)) === 'browser';

/**
 * @param {string[]} files
 * @returns {Promise<string[]>} those that can be run here
 */
async function withBrowser(files) {
	if (!files.some(needsBrowser)) return files;
	const chromium = await ensureChromium();
	if (chromium !== undefined) {
		process.env['E2E_CHROMIUM'] = chromium;
		return files;
	}
	if (process.env['BROWSER_TESTS'] === 'required') throw new UserError(NO_CHROMIUM);
	console.log(`The tests in a browser are left out: ${NO_CHROMIUM}`);
	return files.filter((file) => !needsBrowser(file));
}

/**
 * @param {string[]} files
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function runTests(files) {
	const abort = new AbortController();
	atEnd(() => abort.abort());
	const counts = { passed: 0, failed: 0 };
	const stream = run({ files, concurrency: 1, timeout: FILE_TIMEOUT_MS, signal: abort.signal });
	// A suite passes or fails with its tests, which are counted already.
	stream.on('test:pass', ({ details, skip, todo }) => {
		if (details.type !== 'suite' && !skip && !todo) counts.passed++;
	});
	stream.on('test:fail', ({ details, todo }) => {
		if (details.type !== 'suite' && !todo) counts.failed++;
	});
	for await (const text of stream.compose(new Spec())) process.stdout.write(text);
	return counts;
}

await main(async () => {
	const files = await withBrowser(await testFiles(process.argv.slice(2)));
	await ensureN8n();
	await ensurePostgres();
	await build();

	const folder = temporaryFolder('n8n-e2e');
	console.log('Starting the sandbox and n8n …');
	const servers = await startServers({ folder: join(folder, 'n8n') });
	// What the test files leave behind when they are cut short goes with the rest.
	process.env['TMPDIR'] = folder;
	process.env['E2E_SESSION'] = JSON.stringify(servers.handOver());

	const { passed, failed } = await runTests(files);
	console.log(`${passed} passed, ${failed} failed`);
	return failed === 0 && passed > 0 ? 0 : 1;
});
