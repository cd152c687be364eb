import type { ChargeList, ChargePage } from './chargeList';
import type { ChargeRow } from './chargeRow';
import type { LongPass } from './reading';
import { BEGINNING } from './timestamps';
import type { Instant } from './timestamps';

export interface EverythingQuery {
	readonly from: Instant;
	readonly pass: LongPass | undefined;
	/** Up to when this reading, begun now, will have shown all that the user was promised. */
	readonly horizon: Instant;
	readonly isNew: (row: ChargeRow) => boolean;
	readonly maxNew: number;
}

export interface EverythingReading {
	readonly rows: readonly ChargeRow[];
	readonly provenTo: Instant;
	readonly isComplete: boolean;
	readonly pass: LongPass | undefined;
}

/** How often a list is read again from the start, when it changes while it is read or has another order each time. */
const MAX_PASSES = 8;

/**
 * Reads a list in no order: all of it. Whole is a reading that saw as many rows as every page counted; one that
 * is not is repeated, and proves nothing if that does not help. What one poll can't do goes on in the next.
 *
 * Rows may shift past a reading unnoticed, when as many come as go. So what is proven is only what two readings
 * in a row have covered.
 */
export async function readEverything(
	list: ChargeList,
	first: ChargePage,
	query: EverythingQuery,
): Promise<EverythingReading> {
	const rows = new Map<string, ChargeRow>();
	const resumed = query.pass !== undefined && query.pass.page > 1 ? query.pass : undefined;
	const horizon = resumed?.horizon ?? query.horizon;
	const previous = query.pass?.previous ?? BEGINNING;
	const wholeReading = (): EverythingReading => ({
		rows: [...rows.values()],
		provenTo: previous,
		isComplete: true,
		pass: { page: 1, horizon, previous: horizon },
	});
	const counts = new Set<number | undefined>();
	for (let round = 1; round <= MAX_PASSES; round++) {
		const before = rows.size;
		const countsOfRound = new Set<number | undefined>();
		const seen = new Set<string>();
		let number = resumed === undefined ? 1 : resumed.page;
		for (;;) {
			const page = number === 1 && round === 1 ? first : await list.page(number);
			const seenBefore = seen.size;
			for (const row of page.rows) {
				rows.set(row.key, row);
				seen.add(row.key);
			}
			if (page.rows.length > 0) countsOfRound.add(page.count);
			if (page.isEnd || seen.size === seenBefore) break;
			const hasEnough = [...rows.values()].filter(query.isNew).length >= query.maxNew;
			if (hasEnough || !list.hasTime()) {
				// What is above the limit may stand on any page of this poll: they are read again.
				const pass = { page: hasEnough ? (resumed?.page ?? 1) : number + 1, horizon, previous };
				return { rows: [...rows.values()], provenTo: query.from, isComplete: false, pass };
			}
			number += 1;
		}
		if (resumed !== undefined) return wholeReading();
		const [count = 0, ...others] = countsOfRound;
		for (const told of countsOfRound) counts.add(told);
		if (others.length === 0 && seen.size >= count) return wholeReading();
		// In another order each time, only several readings together have them all.
		if (counts.size === 1 && rows.size >= count) return wholeReading();
		if (round > 1 && rows.size === before) break;
		if (!list.hasTime()) break;
	}
	return { rows: [...rows.values()], provenTo: query.from, isComplete: false, pass: query.pass };
}
