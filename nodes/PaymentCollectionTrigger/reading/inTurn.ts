import type { ChargeList } from '../list/chargeList';
import type { Turns } from '../state/state';

/**
 * The parts of a reading, each once, from the one on that the last poll had no time for. A part has two turns for the
 * sake of polls with time for one request; with time for more it reads on by itself.
 *
 * @param turns changed
 */
export function* inTurn<Part>(turns: Turns, list: ChargeList, parts: Part[]): Generator<Part> {
	const first = turns.turn ?? 0;
	delete turns.turn;
	const begun = new Set<Part>();
	const order = [...parts.entries()];
	for (const [at, part] of [...order.slice(first), ...order.slice(0, first)]) {
		const isWaiting = !begun.has(part) || list.requests <= 1;
		// Pages that were read already cost no time.
		if (isWaiting && !list.mayRead()) turns.turn ??= at;
		if (!begun.has(part)) yield part;
		begun.add(part);
	}
}
