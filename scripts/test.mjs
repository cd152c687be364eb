/**
 * `npm test`: from a bare clone, installs what is needed and runs every check that needs no real n8n. The last line
 * is "N passed, N failed" over all of them: the tests count one by one, every other check as one.
 */

import { execa } from 'execa';
import { Listr, PRESET_TIMER } from 'listr2';

import { build } from './build.mjs';
import { endWithProgram, isStopping, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

const counts = { passed: 0, failed: 0 };
/** @type {string[]} What failed, with all that it said. */
const problems = [];

/** @type {(title: string, command: string[], env?: Record<string, string>) => import('listr2').ListrTask} */
const check = (title, [program = '', ...args], env) => ({
	title,
	task: async () => {
		const options = { cwd: ROOT, env, all: true, reject: false, detached: true };
		const { failed, all } = await endWithProgram(execa(program, args, options));
		// Cut short by a signal: what it came to says nothing.
		if (isStopping()) return;
		const [summary] = /Tests:.* total$/m.exec(String(all)) ?? [failed ? '' : '1 passed'];
		const countOf = (/** @type {RegExp} */ result) => Number(result.exec(summary)?.[1] ?? 0);
		counts.passed += countOf(/(\d+) passed/);
		if (!failed) return;
		// Without a test that failed, Jest did not come to its end.
		counts.failed += Math.max(1, countOf(/(\d+) failed/));
		problems.push(`${title}:\n${String(all)}`);
		throw new Error(`${title} failed, see below`);
	},
});

/** @type {(title: string, selection: string) => import('listr2').ListrTask} selection: of jest.config.js */
const jest = (title, selection) => {
	// Tests leave much behind that is soon of no use: a larger nursery takes a fourteenth off the time.
	const node = [process.execPath, '--max-semi-space-size=64', 'node_modules/jest/bin/jest.js'];
	return check(title, [...node, '--maxWorkers=100%'], { TESTS: selection });
};

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
	const tasks = new Listr(
		[
			{ title: 'tests', task: () => new Listr(tests, settings) },
			{ title: 'lint, types and scan', task: () => new Listr(rest, settings) },
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
