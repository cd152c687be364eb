/**
 * `npm test`: from a bare clone, installs what is needed and runs every check but the end-to-end tests. The last line
 * is "N passed, N failed" over all of them.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureDependencies } from './lib/dependencies.mjs';
import { start } from './lib/process.mjs';
import { atEnd, main } from './lib/program.mjs';
import { duration } from './lib/progress.mjs';
import { ROOT } from './lib/project.mjs';
import { runNode, Steps } from './lib/steps.mjs';

/** Percent of the branches that the tests must reach, in each of these folders. */
const MIN_BRANCH_COVERAGE = 95;
const COVERED_FOLDERS = ['nodes', 'credentials'];

/** A test that loops for ever must not hold everything up. */
const JEST_LIMIT_MS = 15 * 60_000;

const TOOLS = {
	eslint: 'node_modules/eslint/bin/eslint.js',
	prettier: 'node_modules/prettier/bin/prettier.cjs',
	tsc: 'node_modules/typescript/bin/tsc',
	jest: 'node_modules/jest/bin/jest.js',
};

/** @param {string[]} args */
const inProject = (...args) => runNode(args, { cwd: ROOT });

/**
 * Runs the unit and engine tests.
 *
 * @param {string} folder a temporary one, for jest's reports
 * @returns {Promise<import('./lib/steps.mjs').Outcome>}
 */
async function jest(folder) {
	const results = join(folder, 'results.json');
	let printed = '';
	let problem = '';
	const run = start(
		process.execPath,
		[
			TOOLS.jest,
			// Every core: the other checks are done long before these.
			'--maxWorkers=100%',
			...['--json', `--outputFile=${results}`],
			...['--coverage', `--coverageDirectory=${folder}`, '--coverageReporters=json-summary'],
		],
		{
			cwd: ROOT,
			onOutput: (text) => {
				printed += text;
				for (const [line] of text.matchAll(/^(PASS|FAIL) .*$/gm)) console.log(`        ${line}`);
				// Jest says this and then waits for ever.
				if (printed.includes('Jest did not exit'))
					end('a test left something open, so that Jest did not exit');
			},
		},
	);
	const end = (/** @type {string} */ why) => {
		problem ||= why;
		void run.stop();
	};
	const limit = setTimeout(
		() => end(`the tests took more than ${duration(JEST_LIMIT_MS)}`),
		JEST_LIMIT_MS,
	);
	await run.ended;
	clearTimeout(limit);
	/** @type {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, numTotalTests: number }} */
	const report = await readFile(results, 'utf8').then(JSON.parse, () => {
		throw new Error(`${printed}\n${problem || 'Jest wrote no report'}`);
	});
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites + (problem ? 1 : 0);
	if (report.numPassedTests + failed === 0) throw new Error('no test was found');
	// The report itself is printed too, on one line of its own that nobody wants to read.
	return {
		passed: report.numPassedTests,
		failed,
		problem: `${printed.replaceAll(/^\{"numFailed.*$/gm, '')}\n${problem}`,
	};
}

/**
 * @param {string} folder jest's reports
 */
async function checkCoverage(folder) {
	/** @type {Record<string, { branches: { total: number, covered: number } }>} */
	const summary = JSON.parse(await readFile(join(folder, 'coverage-summary.json'), 'utf8'));
	const problems = COVERED_FOLDERS.flatMap((name) => {
		const files = Object.entries(summary).filter(([path]) => path.startsWith(join(ROOT, name)));
		if (files.length === 0) return [`${name}/: jest measured no file of it`];
		const total = files.reduce((sum, [, { branches }]) => sum + branches.total, 0);
		const covered = files.reduce((sum, [, { branches }]) => sum + branches.covered, 0);
		if (covered * 100 >= total * MIN_BRANCH_COVERAGE) return [];
		const gaps = files
			.map(([path, { branches }]) => ({
				path: path.slice(ROOT.length + 1),
				missed: branches.total - branches.covered,
			}))
			.filter(({ missed }) => missed > 0)
			.sort((a, b) => b.missed - a.missed)
			.map(({ path, missed }) => `  ${missed} not reached in ${path}`);
		return [
			`${name}/: ${covered} of ${total} branches are covered, ${MIN_BRANCH_COVERAGE} % are wanted`,
			...gaps,
		];
	});
	if (problems.length > 0) throw new Error(problems.join('\n'));
}

await main(async () => {
	await ensureDependencies();
	// Imported only now: they use packages that a bare clone does not have.
	const { build } = await import('./build.mjs');

	const folder = await mkdtemp(join(tmpdir(), 'npm-test-'));
	atEnd(() => rm(folder, { recursive: true, force: true }));
	const steps = new Steps();

	// First, since it generates a source file that all others need.
	if (await steps.run('build', build)) {
		await Promise.all([
			steps
				.run('unit and engine tests', () => jest(folder))
				.then(() =>
					steps.run(`branch coverage of ${MIN_BRANCH_COVERAGE} %`, () => checkCoverage(folder)),
				),
			(async () => {
				await steps.run('types', () => inProject(TOOLS.tsc, '-p', 'tsconfig.json'));
				await steps.run("the scripts' types", () => inProject(TOOLS.tsc, '-p', 'scripts'));
				await steps.run('lint', () => inProject(TOOLS.eslint, '.', '--max-warnings=0'));
				await steps.run('formatting', () =>
					inProject(TOOLS.prettier, '--check', '--log-level=warn', '.'),
				);
				await steps.run("n8n's package scan", () => inProject('scripts/scan.mjs'));
			})(),
		]);
	}
	return steps.close();
});
