/** What goes wrong while charges come in, and when. */

/** @typedef {import('./random.mjs').Random} Random */

/** In seconds. The service is down, or does not answer, for a minute each. */
export const KINDS = /** @type {const} */ ({
	'a worker is killed': 0,
	'another worker is killed': 0,
	'main is killed': 0,
	'Redis is restarted': 0,
	'PostgreSQL is restarted': 0,
	'the service answers 503 for a minute': 60,
	'the service hangs for a minute': 60,
	'the workflow is published anew': 0,
});

export const ROLLED_BACK = "the trigger's state is rolled back";

/** @typedef {keyof typeof KINDS | typeof ROLLED_BACK} Kind */
/** @typedef {{ kind: Kind, atS: number }} Fault */

/** Seconds in which n8n gets over a fault, at least, before the next one. */
const LEAST_GAP_S = 8;

/**
 * Draws an order of the faults and the gaps between them.
 *
 * @param {Random} random
 * @param {number} seconds in which all must have begun and ended
 * @param {{ rollBack: boolean }} options rollBack: in the middle
 * @returns {Fault[]} in the order of time
 */
export function drawFaults(random, seconds, { rollBack }) {
	/** @type {Kind[]} */
	const kinds = random.shuffled(/** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS)));
	if (rollBack) kinds.splice(Math.ceil(kinds.length / 2), 0, ROLLED_BACK);
	const lengthOf = (/** @type {Kind} */ kind) => (kind === ROLLED_BACK ? 0 : KINDS[kind]);
	const busy = kinds.reduce((sum, kind) => sum + lengthOf(kind), 0);
	const shares = Array.from({ length: kinds.length + 1 }, () => random.between(0.2, 1));
	const free = seconds - busy - LEAST_GAP_S * shares.length;
	const allShares = shares.reduce((sum, share) => sum + share, 0);
	let atS = 0;
	return kinds.map((kind, index) => {
		atS += LEAST_GAP_S + (free * (shares[index] ?? 0)) / allShares;
		const fault = { kind, atS: Math.round(atS) };
		atS += lengthOf(kind);
		return fault;
	});
}
