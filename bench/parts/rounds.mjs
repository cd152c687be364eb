/**
 * @typedef {import('../report/measured.js').Sample} Sample
 * @typedef {import('../report/measured.js').Measured} Measured
 */

/**
 * Runs variants in turn, round by round, after a round that does not count.
 *
 * @param {Record<string, () => Promise<Sample>>} variants by name
 * @param {{ rounds: number, items: number }} options items: what each run must give
 * @returns {Promise<Measured[]>}
 */
export async function interleaved(variants, { rounds, items }) {
	/** @type {Map<string, Sample[]>} */
	const samples = new Map(Object.keys(variants).map((name) => [name, []]));
	for (let round = 0; round <= rounds; round++) {
		for (const [name, run] of Object.entries(variants)) {
			const sample = await run();
			if (sample.items !== items)
				throw new Error(`${name} gave ${sample.items} items instead of ${items}`);
			if (round > 0) samples.get(name)?.push(sample);
		}
	}
	return [...samples].map(([variant, all]) => ({ variant, samples: all }));
}
