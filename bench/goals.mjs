/**
 * What one run took, by the name of the quantity: ms, cpuMs, heapKb, requests.
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
export function valueOf({ quantity, of, to }, measured) {
	const valuesOf = (/** @type {string} */ name) =>
		(measured[name] ?? []).map((sample) => sample[quantity] ?? Number.NaN);
	const divisors = to === undefined ? undefined : valuesOf(to);
	return median(
		valuesOf(of).map((value, round) => value / (divisors ? (divisors[round] ?? NaN) : 1)),
	);
}

/** @param {Goal} goal @param {number} value */
export const isHeld = ({ atMost = Infinity, atLeast = 0 }, value) =>
	value <= atMost && value >= atLeast;
