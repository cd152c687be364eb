/**
 * `npm run bench` measures what the nodes cost, beside what else one could use. With --check, it fails if a goal is missed.
 */

import { faker } from '@faker-js/faker';

import { build } from '../scripts/build.mjs';
import { main } from '../scripts/lib/program.mjs';
import { prepareEngine } from './processes.mjs';
import { startService } from './service.mjs';
import { WORKS } from './works.mjs';

/** Values are medians of so many rounds. */
const ROUNDS = 5;

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

/**
 * The median over the rounds. Ratios are taken within a round, so that a slow moment affects both numbers.
 *
 * @param {Goal} goal
 * @param {Measured} measured
 * @returns {number} NaN for what was not measured
 */
function valueOf({ quantity, of, to }, measured) {
	const valueIn = (/** @type {string} */ name, /** @type {number} */ round) =>
		measured[name]?.[round]?.[quantity] ?? NaN;
	const values = Array.from(
		{ length: ROUNDS },
		(_, round) => valueIn(of, round) / (to === undefined ? 1 : valueIn(to, round)),
	);
	return values.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? NaN;
}

/**
 * Runs variants round by round, after a round that does not count. Their order changes each time, since what runs before a
 * variant leaves it a heap and sockets to tidy up.
 */
async function inTurn(variants) {
	/** @type {Measured} */
	const measured = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
	for (let round = 0; round <= ROUNDS; round++) {
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
	await build();
	const startEngine = await prepareEngine();
	const makeList = await startService();
	let missed = 0;
	for (const { name, variants, goals } of WORKS) {
		console.log(`\n${name}`);
		const end = new AbortController();
		const all = await variants({ makeList, startEngine: startEngine.bind(undefined, end.signal) });
		const measured = await inTurn(all);
		end.abort();
		printTable(measured);
		for (const goal of goals) {
			const value = valueOf(goal, measured);
			const isHeld = value <= (goal.atMost ?? Infinity) && value >= (goal.atLeast ?? 0);
			if (!isHeld) missed += 1;
			console.log(isHeld ? 'held  ' : 'MISSED', rounded(value), JSON.stringify(goal));
		}
	}
	return process.argv.includes('--check') && missed > 0 ? 1 : 0;
});
