/**
 * `npm run bench`: what the nodes cost, beside what else one could use. `npm run bench -- --help` lists its options.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join, relative } from 'node:path';

import { Command } from 'commander';
import { execaNode } from 'execa';
import prettyMs from 'pretty-ms';

import { build } from '../scripts/build.mjs';
import { moduleLoader } from '../scripts/compile/modules.mjs';
import { wholeNumber } from '../scripts/lib/arguments.mjs';
import { main, UserError } from '../scripts/lib/program.mjs';
import { ROOT } from '../scripts/lib/project.mjs';
import { ensureN8n } from '../scripts/n8n-server/install.mjs';
import { items } from './parts/items.mjs';
import { charges, contacts, many, tls } from './parts/lists.mjs';
import { n8n } from './parts/n8n.mjs';
import { profile } from './parts/profile.mjs';
import { trigger } from './parts/trigger.mjs';
import { load, memory, size } from './parts/weight.mjs';
import { prepareEngine, startService } from './processes/start.mjs';

/**
 * @typedef {import('./report/measured.js').Comparison} Comparison
 * @typedef {import('./report/measured.js').Results} Results
 *
 * @typedef {object} Bench what the parts work with
 * @property {(settings?: Record<string, string>) => import('./processes/child.mjs').Child} startEngine
 * @property {import('./processes/start.mjs').Service} service
 * @property {number} rounds
 * @property {import('../scripts/compile/modules.mjs').Modules} modules
 *
 * @typedef {(bench: Bench) => AsyncGenerator<Omit<Comparison, 'part'>>} Part
 *
 * @typedef {object} Options
 * @property {number} rounds
 * @property {boolean} [n8n]
 * @property {boolean} [check]
 * @property {boolean} [profile]
 * @property {string} [compare]
 */

/** @type {Record<string, Part>} */
const PARTS = { contacts, tls, many, charges, items, trigger, load, memory, size };
/** Takes part when it is asked for. */
const N8N = 'n8n';
/** Prints a table of its own, and is left out unless it is named. */
const LONG_VALUES = 'longValues';

const MODULES = [
	...['table', 'verdicts', 'compare'].map((name) => `bench/report/${name}.ts`),
	'bench/engine/httpRequest.ts',
];
const OUTPUT = join(ROOT, 'coverage', 'bench');
const GIGABYTE = 2 ** 30;

const command = new Command('npm run bench --')
	.description('Measures what the nodes cost, side by side with what else one could use.')
	.argument(
		'[parts...]',
		`${[...Object.keys(PARTS), N8N].join(', ')} (default: all but ${N8N}), or ${LONG_VALUES} alone`,
	)
	.option(
		'--rounds <number>',
		'of each comparison, after one that does not count; five times as many where nothing is waited for',
		wholeNumber(1_000),
		5,
	)
	.option('--n8n', 'whole executions in a real n8n, too')
	.option('--check', 'fails when a goal is missed')
	.option('--compare <file>', 'the JSON of an earlier run')
	.option('--profile', 'says where the CPU goes, and measures nothing else');

/**
 * @param {string[]} names
 * @param {Options} options
 * @returns {[string, Part][]}
 */
function chosen(names, options) {
	const all = { ...PARTS, [N8N]: n8n };
	const unknown = names.find((name) => !(name in all));
	if (unknown !== undefined)
		throw new UserError(`no part is called ${unknown}. There are: ${Object.keys(all).join(', ')}`);
	const wanted = names.length === 0 ? Object.keys(PARTS) : names;
	return Object.entries(all).filter(
		([name]) => wanted.includes(name) || (name === N8N && options.n8n),
	);
}

/**
 * How long values of 100,000 characters take in each field.
 *
 * @returns {Promise<number>}
 */
async function longValues() {
	const options = ['--roots', 'bench', '--testMatch', '**/*.bench.ts', '--runInBand'];
	const { exitCode } = await execaNode(join(ROOT, 'node_modules/jest/bin/jest.js'), options, {
		cwd: ROOT,
		stdio: 'inherit',
		reject: false,
	});
	return exitCode ?? 1;
}

/** @param {string} file @returns {Promise<Results>} */
async function readResults(file) {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		throw new UserError(
			`${file} is no result of the bench: ${error instanceof Error ? error.message : error}`,
		);
	}
}

/**
 * @param {string[]} names of parts
 * @param {Options} options
 * @returns {Promise<number>} exit code
 */
async function bench(names, options) {
	const parts = chosen(names, options);
	const before = options.compare === undefined ? undefined : await readResults(options.compare);
	const began = Date.now();
	await build();
	const modules = (await moduleLoader(MODULES))();
	const report = (/** @type {string} */ name) => modules(`bench/report/${name}`);
	const { rounds } = options;
	const work = {
		startEngine: await prepareEngine(),
		service: await startService(),
		rounds,
		modules,
	};
	if (options.profile) {
		console.log(await profile(work));
		return 0;
	}
	/** @type {Comparison[]} */
	const comparisons = [];
	for (const [part, run] of parts) {
		/** @type {Comparison[]} */
		const ofPart = [];
		for await (const comparison of run(work)) {
			ofPart.push({ part, ...comparison });
			console.error(`${part}: ${comparison.name}`);
		}
		console.log(`\n${report('table').toTable(ofPart)}\n`);
		comparisons.push(...ofPart);
	}
	const { version } = await ensureN8n();
	const machine = {
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / GIGABYTE),
		n8n: version,
	};
	/** @type {Results} */
	const results = { machine, rounds, comparisons };
	const judged = report('verdicts').judgeAll(
		results,
		parts.map(([part]) => part),
	);
	const texts = [
		`n8n ${version}, ${machine.cores} cores, ${machine.memoryGb} GB, medians of ${rounds} rounds or more.`,
		report('table').toTable(comparisons),
		report('verdicts').toVerdictTable(judged),
		...(before
			? [report('compare').toChangeTable(report('compare').changesBetween(before, results))]
			: []),
	];
	await mkdir(OUTPUT, { recursive: true });
	await writeFile(join(OUTPUT, 'bench.json'), JSON.stringify(results, null, '\t'));
	await writeFile(join(OUTPUT, 'bench.md'), `${texts.join('\n\n')}\n`);
	console.log(`\n${texts.slice(2).join('\n\n')}`);
	console.log(
		`\nWrote bench.md and bench.json into ${relative(ROOT, OUTPUT)}, after ${prettyMs(Date.now() - began)}`,
	);
	return options.check && !report('verdicts').isHeld(judged) ? 1 : 0;
}

await main(async () => {
	const { args } = command.parse();
	return args.includes(LONG_VALUES) ? await longValues() : await bench(args, command.opts());
});
