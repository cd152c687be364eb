/**
 * @typedef {import('../report/measured.js').Sample} Sample
 * @typedef {import('../report/measured.js').Measured} Measured
 * @typedef {Sample & { items?: number }} Run
 */

/**
 * Runs variants in turn, round by round, after a round that does not count. Each round begins with another one, and every
 * other one goes backwards, since what runs before a variant leaves it a heap and sockets to tidy up.
 *
 * @param {Record<string, () => Promise<Run>>} variants by name
 * @param {{ rounds: number, items?: number, warmUp?: number }} options items: what each run must give
 * @returns {Promise<Measured[]>}
 */
export async function interleaved(variants, { rounds, items: wanted, warmUp = 1 }) {
	/** @type {Map<string, Sample[]>} */
	const samples = new Map(Object.keys(variants).map((name) => [name, []]));
	const all = Object.entries(variants);
	for (let round = -warmUp; round < rounds; round++) {
		const first = (round + warmUp) % all.length;
		const turns = [...all.slice(first), ...all.slice(0, first)];
		for (const [name, run] of round % 2 === 0 ? turns : turns.reverse()) {
			const { items, ...sample } = await run();
			if (items !== wanted) throw new Error(`${name} gave ${items} items instead of ${wanted}`);
			if (round >= 0) samples.get(name)?.push(sample);
		}
	}
	return [...samples].map(([variant, measured]) => ({ variant, samples: measured }));
}
