/**
 * `npm run bench`: what the nodes cost, beside what else one could use. `npm run bench -- --help` lists its options.
 */

import { faker } from '@faker-js/faker';
import { Argument, Command } from 'commander';

import { build } from '../scripts/build.mjs';
import { wholeNumber } from '../scripts/lib/arguments.mjs';
import { main } from '../scripts/lib/program.mjs';
import { prepareEngine, startWholeN8n } from './processes.mjs';
import { startService } from './service.mjs';
import { WORKS } from './works.mjs';

const PARTS = ['contacts', 'trigger', 'load'];

const command = new Command('npm run bench --')
	.description('Measures what the nodes cost, side by side with what else one could use.')
	.addArgument(new Argument('[parts...]', 'what is measured').choices(PARTS).default(PARTS))
	.option('--n8n', 'whole executions in a real n8n, too')
	.option('--rounds <number>', 'medians of so many rounds', wholeNumber(1_000), 5)
	.option('--check', 'fails when a goal is missed');

/**
 * Measures of one run, by the name of the quantity: ms, cpuMs, heapKb, requests.
 *
 * @typedef {Record<string, number>} Sample
 *
 * @typedef {Record<string, Sample[]>} Measured a sample of each round, by what was measured
 *
 * @typedef {object} Goal what must hold, so that it can't get worse unseen
 * @property {string} quantity
 * @property {string} of
 * @property {string} [to] what it is divided by, if by anything
 * @property {number} [atMost]
 * @property {number} [atLeast]
 */

/** @param {number[]} values @returns {number} their middle one; of an even number, the upper one of the two in the middle */
const median = (values) =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The median over the rounds, NaN for what was not measured. What slows the machine in a round is in both its numbers.
 *
 * @param {Goal} goal
 * @param {Measured} measured
 */
function valueOf({ quantity, of, to }, measured) {
	const valuesOf = (/** @type {string} */ name) =>
		(measured[name] ?? []).map((sample) => sample[quantity] ?? Number.NaN);
	const divisors = to === undefined ? undefined : valuesOf(to);
	return median(
		valuesOf(of).map((value, round) => value / (divisors ? (divisors[round] ?? NaN) : 1)),
	);
}

/** @param {Goal} goal @param {number} value */
const isHeld = ({ atMost = Infinity, atLeast = 0 }, value) => value <= atMost && value >= atLeast;

/**
 * Runs variants round by round, after a round that does not count. Their order changes each time, since what runs before a
 * variant leaves it a heap and sockets to tidy up.
 */
async function inTurn(variants, rounds) {
	/** @type {Measured} */
	const measured = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
	for (let round = 0; round <= rounds; round++) {
		for (const [name, run] of faker.helpers.shuffle(Object.entries(variants))) {
			const sample = await run();
			if (round > 0) measured[name]?.push(sample);
		}
	}
	return measured;
}

const rounded = (/** @type {number} */ value) => Number(value.toPrecision(3));

/** @param {Measured} measured */
function printTable(measured) {
	const [first = ''] = Object.keys(measured);
	const rows = Object.entries(measured).map(([of, [sample = {}]]) => {
		const cells = Object.keys(sample).map((quantity) => {
			const ratio = rounded(valueOf({ quantity, of, to: first }, measured));
			return [quantity, `${rounded(valueOf({ quantity, of }, measured))} (${ratio} ×)`];
		});
		return [of, Object.fromEntries(cells)];
	});
	console.table(Object.fromEntries(rows));
}

await main(async () => {
	command.parse();
	const { rounds, n8n, check } = command.opts();
	const parts = [...command.processedArgs[0], ...(n8n ? ['n8n'] : [])];
	await build();
	const startEngine = await prepareEngine();
	const makeList = await startService();
	let missed = 0;
	let wholeN8n;
	for (const { part, name, variants, goals } of WORKS) {
		if (!parts.includes(part)) continue;
		console.log(`\n${name}`);
		const end = new AbortController();
		const all = await variants({
			makeList,
			startEngine: (/** @type {Record<string, string>} */ settings) =>
				startEngine(end.signal, settings),
			startWholeN8n: () => (wholeN8n ??= startWholeN8n()),
		});
		const measured = await inTurn(all, rounds);
		end.abort();
		printTable(measured);
		for (const goal of goals) {
			const value = valueOf(goal, measured);
			if (!isHeld(goal, value)) missed += 1;
			console.log(isHeld(goal, value) ? 'held  ' : 'MISSED', rounded(value), JSON.stringify(goal));
		}
	}
	return check && missed > 0 ? 1 : 0;
});
