/**
 * `npm run test:e2e [-- part-of-a-file-name …]`: starts a real n8n with this package, then runs every *.test.mjs of
 * this folder, two files at a time. The last line is "N passed, N failed".
 *
 * The files share that n8n, see support/session.mjs. A file that stops n8n, or needs other settings, starts one of its
 * own with support/servers.mjs.
 */

import { setMaxListeners } from 'node:events';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec as Spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

import { build } from '../../scripts/build.mjs';
import { atEnd, main, UserError } from '../../scripts/lib/program.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { ensureN8n } from '../../scripts/n8n-server/install.mjs';
import { startServers } from './support/servers.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const FILE_TIMEOUT_MS = 10 * 60_000;
const FILES_AT_ONCE = 2;

/** The longest ones, which come first, so that none of them runs alone at the end. */
const LONGEST = [
	'trigger.test.mjs',
	'setups.test.mjs',
	'start.test.mjs',
	'editor.test.mjs',
	'canvas.test.mjs',
	'accounting-ledger.test.mjs',
];

/**
 * @param {string[]} wanted parts of file names; none means all
 * @returns {Promise<string[]>}
 */
async function testFiles(wanted) {
	const rank = (/** @type {string} */ name) => {
		const index = LONGEST.findIndex((long) => name.endsWith(long));
		return index === -1 ? LONGEST.length : index;
	};
	const names = (await readdir(HERE, { recursive: true }))
		.filter((name) => name.endsWith('.test.mjs'))
		.sort((one, other) => rank(one) - rank(other));
	const chosen = names.filter(
		(name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
	);
	if (chosen.length === 0)
		throw new UserError(`no test file matches. There are: ${names.join(', ')}`);
	return chosen.map((name) => join(HERE, name));
}

/**
 * @param {string[]} files
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function runTests(files) {
	const abort = new AbortController();
	atEnd(() => abort.abort());
	// One for each file.
	setMaxListeners(0, abort.signal);
	const counts = { passed: 0, failed: 0 };
	const events = run({
		files,
		concurrency: FILES_AT_ONCE,
		timeout: FILE_TIMEOUT_MS,
		signal: abort.signal,
	});
	events.on('test:pass', ({ skip, todo }) => {
		if (!skip && !todo) counts.passed++;
	});
	events.on('test:fail', ({ todo }) => {
		if (!todo) counts.failed++;
	});
	for await (const text of events.compose(new Spec())) process.stdout.write(text);
	return counts;
}

await main(async () => {
	const files = await testFiles(process.argv.slice(2));
	const { version } = await ensureN8n();
	await build();

	console.log(`Starting n8n ${version} …`);
	const { n8n } = await startServers({ modules: ['agents'] });
	// Removed at the end, even if a test file is killed.
	process.env['TMPDIR'] = temporaryFolder('n8n-e2e-files');
	process.env['E2E_SESSION'] = JSON.stringify({ url: n8n.baseUrl, cookie: n8n.cookie });

	const { passed, failed } = await runTests(files);
	console.log(`${passed} passed, ${failed} failed`);
	return failed === 0 && passed > 0 ? 0 : 1;
});
