/**
 * `npm test`: from a bare clone, installs what is needed and runs every check that needs no real n8n. The last line
 * is "N passed, N failed" over all of them: the tests count one by one, every other check as one.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { Listr, PRESET_TIMER } from 'listr2';

import { build } from './build.mjs';
import { endWithProgram, isStopping, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const counts = { passed: 0, failed: 0 };
/** @type {string[]} What failed, with all that it said. */
const problems = [];

/**
 * @param {string} title
 * @param {string[]} command
 * @param {{ results?: string, selection?: string }} [jest] results: file into which Jest writes them; without it, the
 *   command counts as one test
 * @returns {import('listr2').ListrTask}
 */
const check = (title, [program = '', ...args], { results, selection } = {}) => ({
	title,
	task: async () => {
		const env = { TESTS: selection };
		const options = { cwd: ROOT, env, all: true, reject: false, detached: true };
		const { failed, all } = await endWithProgram(execa(program, args, options));
		// Cut short by a signal: what it came to says nothing.
		if (isStopping()) return;
		/** @type {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} */
		const report =
			results === undefined
				? { numPassedTests: failed ? 0 : 1 }
				: JSON.parse(await readFile(results, 'utf8').catch(() => '{}'));
		const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = report;
		counts.passed += numPassedTests;
		if (!failed) return;
		// Without a test that failed, Jest did not come to its end.
		counts.failed += Math.max(1, numFailedTests + numRuntimeErrorTestSuites);
		problems.push(`${title}:\n${String(all)}`);
		throw new Error(`${title} failed, see below`);
	},
});

/**
 * @param {string} title
 * @param {string} selection of jest.config.js
 */
function jest(title, selection) {
	const results = join(temporaryFolder('npm-test'), 'results.json');
	// Tests leave much behind that is soon of no use: a larger nursery takes a fourteenth off the time.
	const node = [process.execPath, '--max-semi-space-size=64', 'node_modules/jest/bin/jest.js'];
	const json = ['--json', `--outputFile=${results}`];
	return check(title, [...node, '--maxWorkers=100%', ...json], { results, selection });
}

const tests = [
	jest('unit and engine tests', 'all'),
	jest("tests on the oldest n8n's engine", 'oldest'),
];
const rest = [
	check('lint', ['npm', 'run', 'lint']),
	check('types', ['npm', 'run', 'typecheck']),
	check("n8n's package scan", [process.execPath, 'scripts/scan.mjs']),
];

await main(async () => {
	// First, since it generates sources that all others need.
	await build();
	const settings = { exitOnError: false, registerSignalListeners: false };
	const inTurn = (/** @type {import('listr2').ListrTask[]} */ list) => () =>
		new Listr(list, settings);
	const tasks = new Listr(
		[
			{ title: 'tests', task: inTurn(tests) },
			{ title: 'lint, types and scan', task: inTurn(rest) },
		],
		{
			...settings,
			concurrent: true,
			collectErrors: false,
			rendererOptions: { timer: PRESET_TIMER },
		},
	);
	await tasks.run().catch(() => {});
	for (const problem of problems) console.log(`\n${problem}`);
	console.log(`${counts.passed} passed, ${counts.failed} failed`);
	return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
});
