/**
 * `npm run bench`: what the nodes cost, beside what else one could use. `npm run bench -- --help` lists its options.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join, relative } from 'node:path';

import { Command } from 'commander';
import { execaNode } from 'execa';

import { build } from '../scripts/build.mjs';
import { moduleLoader } from '../scripts/compile/modules.mjs';
import { wholeNumber } from '../scripts/lib/arguments.mjs';
import { main, UserError } from '../scripts/lib/program.mjs';
import { ROOT } from '../scripts/lib/project.mjs';
import { describeN8n } from '../scripts/n8n-server/install.mjs';
import { contacts } from './parts/contacts.mjs';
import { prepareEngine, startService } from './processes/start.mjs';

/**
 * What the parts work with.
 *
 * @typedef {object} Bench
 * @property {(flags?: string[]) => import('./processes/child.mjs').Child} startEngine
 * @property {(address: import('./processes/start.mjs').Address) => Promise<string>} service
 * @property {number} rounds
 */

/** @type {Record<string, (bench: Bench) => AsyncGenerator<import('./report/measured.js').Comparison>>} */
const PARTS = { contacts };
/** A part that prints its own table, and is left out unless it is named. */
const LONG_VALUES = 'longValues';
const OUTPUT = join(ROOT, 'coverage', 'bench');
const GIGABYTE = 2 ** 30;

const command = new Command('npm run bench --')
	.description('Measures what the nodes cost, side by side with what else one could use.')
	.argument(
		'[parts...]',
		`which parts: ${Object.keys(PARTS).join(', ')} (default: all), or ${LONG_VALUES} alone`,
	)
	.option('--rounds <number>', 'rounds of each comparison', wholeNumber(1_000), 5);

/** @param {string[]} names */
function chosen(names) {
	for (const name of names)
		if (!(name in PARTS))
			throw new UserError(`no part is called ${name}. There are: ${Object.keys(PARTS).join(', ')}`);
	return Object.entries(PARTS).filter(([name]) => names.length === 0 || names.includes(name));
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

/**
 * @param {string[]} names of parts
 * @param {{ rounds: number }} options
 */
async function bench(names, { rounds }) {
	const parts = chosen(names);
	await build();
	const load = (await moduleLoader(['bench/report/table.ts']))();
	const { toTable } = load('bench/report/table');
	const startEngine = await prepareEngine();
	const service = await startService();
	const comparisons = [];
	for (const [, part] of parts) {
		for await (const comparison of part({ startEngine, service, rounds })) {
			comparisons.push(comparison);
			console.log(`\n${toTable([comparison])}`);
		}
	}
	const { version } = await describeN8n();
	const machine = {
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / GIGABYTE),
		n8n: version,
	};
	await mkdir(OUTPUT, { recursive: true });
	await writeFile(
		join(OUTPUT, 'bench.json'),
		JSON.stringify({ machine, rounds, comparisons }, null, '\t'),
	);
	await writeFile(join(OUTPUT, 'bench.md'), `${toTable(comparisons)}\n`);
	console.log(`\nWrote ${relative(ROOT, OUTPUT)}/bench.md and bench.json`);
}

await main(async () => {
	const { args } = command.parse();
	return args.includes(LONG_VALUES) ? await longValues() : await bench(args, command.opts());
});
