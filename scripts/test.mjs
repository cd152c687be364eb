/**
 * `npm test`: from a bare clone, installs what is needed and runs every check but the end-to-end tests. The last line
 * is "N passed, N failed" over all of them: the tests count one by one, every other check as one.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { Listr, PRESET_TIMER } from 'listr2';

import { build } from './build.mjs';
import { endWithProgram } from './lib/group.mjs';
import { isStopping, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const counts = { passed: 0, failed: 0 };
/** @type {string[]} What failed, with all that it said. */
const problems = [];

/**
 * @param {string} title
 * @param {() => Promise<{ passed: number, failed: number, output: string }>} work
 * @returns {import('listr2').ListrTask}
 */
const check = (title, work) => ({
	title,
	task: async () => {
		const { passed, failed, output } = await work();
		// Cut short by a signal: what it came to says nothing.
		if (isStopping()) return;
		counts.passed += passed;
		counts.failed += failed;
		if (failed === 0) return;
		problems.push(`${title}:\n${output}`);
		throw new Error(`${title} failed, see below`);
	},
});

/**
 * @param {string[]} command
 * @returns {Promise<{ isFine: boolean, output: string }>}
 */
async function run([program = '', ...args]) {
	const options = { cwd: ROOT, all: true, reject: false, detached: true };
	const { failed, all } = await endWithProgram(execa(program, args, options));
	return { isFine: !failed, output: String(all) };
}

/**
 * @param {string} title
 * @param {string[]} command
 */
const tool = (title, command) =>
	check(title, async () => {
		const { isFine, output } = await run(command);
		return { passed: isFine ? 1 : 0, failed: isFine ? 0 : 1, output };
	});

/**
 * @param {string} title
 * @param {string[]} args of Jest
 */
const jest = (title, args) =>
	check(title, async () => {
		const results = join(temporaryFolder('npm-test'), 'results.json');
		const json = ['--json', `--outputFile=${results}`];
		// Tests leave much behind that is soon of no use: a larger nursery takes a fourteenth off the time.
		const node = [process.execPath, '--max-semi-space-size=64', 'node_modules/jest/bin/jest.js'];
		const { isFine, output } = await run([...node, '--maxWorkers=100%', ...json, ...args]);
		/** @type {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} */
		const report = JSON.parse(await readFile(results, 'utf8').catch(() => '{}'));
		const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = report;
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		// Without a test that failed: too little is covered, or Jest did not come to its end.
		return { passed: numPassedTests, failed: isFine ? failed : Math.max(1, failed), output };
	});

const tests = [
	jest('unit and engine tests, and what they cover', ['--coverage']),
	jest("tests on the oldest n8n's engine", ['--config=jest.oldest.config.js']),
];
const rest = [
	tool('lint', ['npm', 'run', 'lint']),
	tool('types', ['npm', 'run', 'typecheck']),
	tool("n8n's package scan", [process.execPath, 'scripts/scan.mjs']),
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
