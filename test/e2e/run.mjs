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
import { Readable } from 'node:stream';
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
 * What happens in the files, one after another. A run of its own for each: a run of them all listens for the signal once
 * for each of its files from the beginning on, which are more listeners than Node thinks right.
 *
 * @param {string[]} files
 * @param {AbortSignal} signal
 */
async function* eventsOf(files, signal) {
	for (const file of files) {
		if (signal.aborted) return;
		const events = run({ files: [file], concurrency: 1, timeout: FILE_TIMEOUT_MS, signal });
		for await (const event of events) if (!isSummary(event)) yield event;
	}
}

/** Whether it is what a run says at its end, of its one file; what a test says names its file. */
const isSummary = (/** @type {import('node:test/reporters').TestEvent} */ { type, data }) =>
	['test:diagnostic', 'test:summary'].includes(type) &&
	/** @type {{ file?: string }} */ (data).file === undefined;

/**
 * @param {string[]} files
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function runTests(files) {
	const abort = new AbortController();
	atEnd(() => abort.abort());
	const counts = { passed: 0, failed: 0 };
	const counted = async function* () {
		for await (const event of eventsOf(files, abort.signal)) {
			count(event, counts);
			yield event;
		}
	};
	const report = Readable.from(counted()).compose(new Spec());
	for await (const text of report) process.stdout.write(text);
	return counts;
}

/**
 * @param {import('node:test/reporters').TestEvent} event
 * @param {{ passed: number, failed: number }} counts
 */
function count({ type, data }, counts) {
	// A suite passes or fails with its tests, which are counted already.
	if (type === 'test:pass' && data.details.type !== 'suite' && !data.skip && !data.todo)
		counts.passed++;
	if (type === 'test:fail' && data.details.type !== 'suite' && !data.todo) counts.failed++;
}

await main(async () => {
	const files = await withBrowser(await testFiles(process.argv.slice(2)));
	const { version } = await ensureN8n();
	await ensurePostgres();
	await build();

	const folder = temporaryFolder('n8n-e2e');
	console.log(`Starting the sandbox and n8n ${version} …`);
	const servers = await startServers({ folder: join(folder, 'n8n') });
	// What the test files leave behind when they are cut short goes with the rest.
	process.env['TMPDIR'] = folder;
	process.env['E2E_SESSION'] = JSON.stringify(servers.handOver());

	const { passed, failed } = await runTests(files);
	console.log(`${passed} passed, ${failed} failed`);
	return failed === 0 && passed > 0 ? 0 : 1;
});
