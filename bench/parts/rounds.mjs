/**
 * @typedef {import('../report/measured.js').Sample} Sample
 * @typedef {import('../report/measured.js').Measured} Measured
 * @typedef {Sample & { items?: number }} Run
 */

/**
 * Runs variants in turn, round by round, after a round that does not count.
 *
 * @param {Record<string, () => Promise<Run>>} variants by name
 * @param {{ rounds: number, items?: number, warmUp?: number }} options items: what each run must give
 * @returns {Promise<Measured[]>}
 */
export async function interleaved(variants, { rounds, items: wanted, warmUp = 1 }) {
	/** @type {Map<string, Sample[]>} */
	const samples = new Map(Object.keys(variants).map((name) => [name, []]));
	for (let round = -warmUp; round < rounds; round++) {
		for (const [name, run] of Object.entries(variants)) {
			const { items, ...sample } = await run();
			if (items !== wanted) throw new Error(`${name} gave ${items} items instead of ${wanted}`);
			if (round >= 0) samples.get(name)?.push(sample);
		}
	}
	return [...samples].map(([variant, all]) => ({ variant, samples: all }));
}
