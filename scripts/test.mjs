/**
 * `npm test`: from a bare clone, installs what is needed and runs every check but the end-to-end tests. The last line
 * is "N passed, N failed" over all of them: the tests count one by one, every other check as one.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execaNode } from 'execa';
import { Listr, PRESET_TIMER } from 'listr2';

import { build } from './build.mjs';
import { endWithProgram, killGroup } from './lib/group.mjs';
import { isStopping, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

/** Percent of the branches that the tests must reach, in each of these folders. */
const MIN_BRANCH_COVERAGE = 95;
const COVERED_FOLDERS = ['nodes', 'credentials'];

/** A test that loops for ever must not hold everything up. */
const JEST_LIMIT_MS = 45 * 60_000;

/** Jest says this and then waits for ever. */
const LEFT_OPEN = 'Jest did not exit';

const counts = { passed: 0, failed: 0 };
/** @type {string[]} What failed, with all that it said. */
const problems = [];

/**
 * @param {string} title
 * @param {(say: (line: string) => void) => Promise<number | void>} work throws when the check fails; answers how many
 *   passed if it consists of several
 * @returns {import('listr2').ListrTask}
 */
const check = (title, work) => ({
	title,
	task: async (_context, task) => {
		try {
			const passed = await work((line) => (task.output = line));
			counts.passed += passed ?? 1;
		} catch (error) {
			// Cut short by a signal: what it came to says nothing.
			if (isStopping()) return;
			counts.failed++;
			problems.push(`${title}:\n${error instanceof Error ? error.message : String(error)}`);
			throw new Error(`${title} failed, see below`);
		}
	},
});

/**
 * @param {string} title
 * @param {string} script below the root
 * @param {...string} args
 */
const tool = (title, script, ...args) =>
	check(title, async () => {
		const run = execaNode(script, args, { cwd: ROOT, all: true, reject: false, detached: true });
		const { failed, all } = await endWithProgram(run);
		if (failed) throw new Error(all);
	});

/**
 * @param {string} folder for jest's reports
 * @param {(line: string) => void} say
 * @param {...string} more arguments
 * @returns {Promise<number>} how many tests passed
 */
async function jest(folder, say, ...more) {
	const results = join(folder, 'results.json');
	const args = ['--maxWorkers=100%', '--json', `--outputFile=${results}`];
	const run = endWithProgram(
		execaNode('node_modules/jest/bin/jest.js', [...args, ...more], {
			cwd: ROOT,
			// The report once more.
			stdout: 'ignore',
			timeout: JEST_LIMIT_MS,
			reject: false,
			detached: true,
			// Tests leave much behind that is soon of no use: a larger nursery takes a fourteenth off the time.
			nodeOptions: ['--max-semi-space-size=64'],
		}),
	);
	let isLeftOpen = false;
	for await (const line of run.iterable({ from: 'stderr' })) {
		if (/^(PASS|FAIL) /.test(line)) say(line);
		if (!line.includes(LEFT_OPEN)) continue;
		isLeftOpen = true;
		run.kill();
	}
	const { stderr, timedOut } = await run;
	killGroup(run.pid);
	/** @type {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} */
	const report = JSON.parse(await readFile(results, 'utf8').catch(() => '{}'));
	const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = report;
	const failed = numFailedTests + numRuntimeErrorTestSuites;
	if (failed === 0 && numPassedTests > 0 && !isLeftOpen && !timedOut) return numPassedTests;
	counts.passed += numPassedTests;
	// The check itself counts as one more.
	counts.failed += Math.max(0, failed - 1);
	throw new Error(stderr);
}

/**
 * @param {string} folder jest's reports
 */
async function checkCoverage(folder) {
	/** @type {Record<string, { branches: { total: number, covered: number } }>} */
	const summary = JSON.parse(await readFile(join(folder, 'coverage-summary.json'), 'utf8'));
	const gaps = COVERED_FOLDERS.flatMap((name) => {
		const files = Object.entries(summary).filter(([path]) => path.startsWith(join(ROOT, name)));
		if (files.length === 0) return [`${name}/: jest measured no file of it`];
		const total = files.reduce((sum, [, { branches }]) => sum + branches.total, 0);
		const covered = files.reduce((sum, [, { branches }]) => sum + branches.covered, 0);
		if (covered * 100 >= total * MIN_BRANCH_COVERAGE) return [];
		const missed = files
			.map(([path, { branches }]) => ({
				path: path.slice(ROOT.length + 1),
				count: branches.total - branches.covered,
			}))
			.filter(({ count }) => count > 0)
			.sort((a, b) => b.count - a.count)
			.map(({ path, count }) => `  ${count} not reached in ${path}`);
		return [
			`${name}/: ${covered} of ${total} branches are covered, ${MIN_BRANCH_COVERAGE} % are wanted`,
			...missed,
		];
	});
	if (gaps.length > 0) throw new Error(gaps.join('\n'));
}

await main(async () => {
	const folder = temporaryFolder('npm-test');
	const coverage = [
		'--coverage',
		`--coverageDirectory=${folder}`,
		'--coverageReporters=json-summary',
	];
	const tests = [
		check('unit and engine tests', (say) => jest(folder, say, ...coverage)),
		check("tests on the oldest n8n's engine", (say) =>
			jest(folder, say, '--config=jest.oldest.config.js'),
		),
		check(`branch coverage of ${MIN_BRANCH_COVERAGE} %`, () => checkCoverage(folder)),
	];
	const rest = [
		tool('types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'),
		tool('types of what ships', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.shipped.json'),
		tool(
			'types of the oldest n8n',
			'node_modules/typescript/bin/tsc',
			'-p',
			'tsconfig.oldest.json',
		),
		tool("the scripts' types", 'node_modules/typescript/bin/tsc', '-p', 'scripts'),
		tool('lint', 'node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0'),
		tool(
			'formatting',
			'node_modules/prettier/bin/prettier.cjs',
			'--check',
			'--log-level=warn',
			'.',
		),
		tool(
			'imports between the folders',
			'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
			...[
				'--config',
				'dependency-cruiser.config.mjs',
				'nodes',
				'credentials',
				'contract',
				'sandbox',
			],
		),
		tool('nothing unused', 'node_modules/knip/bin/knip.js'),
		tool("n8n's package scan", 'scripts/scan.mjs'),
	];
	const settings = { exitOnError: false, registerSignalListeners: false };
	/** @param {import('listr2').ListrTask[]} list */
	const inTurn = (list) => new Listr(list, settings);
	const tasks = new Listr(
		[
			// First, since it generates a source file that all others need.
			{ ...check('build', build), exitOnError: true },
			{
				title: 'tests, types, lint and scan',
				task: () =>
					new Listr(
						[
							{ title: 'tests', task: () => inTurn(tests) },
							{ title: 'types, lint and scan', task: () => inTurn(rest) },
						],
						{ ...settings, concurrent: true },
					),
			},
		],
		{ ...settings, collectErrors: false, rendererOptions: { timer: PRESET_TIMER } },
	);
	await tasks.run().catch(() => {});
	for (const problem of problems) console.log(`\n${problem}`);
	console.log(`${counts.passed} passed, ${counts.failed} failed`);
	return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
});
