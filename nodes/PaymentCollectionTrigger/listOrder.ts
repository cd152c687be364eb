import { toMs } from './timestamps';
import type { Instant } from './timestamps';

/** How the service orders its charges, which it does not say: it is read off the rows. */
export type ListOrder = 'newestFirst' | 'oldestFirst' | 'none';

export interface JudgedOrder {
	/** Undefined while too few rows were seen. */
	readonly order: ListOrder | undefined;
	/** By how much a row's `created` stood out of that order at most, ms: a list by arrival has late ones in it. */
	readonly slackMs: number;
}

/** Fewer different dates may look ordered by chance. */
const MIN_DATES = 12;
/**
 * Of the time that the rows span, and of the steps from one row to the next: rows in no order stand out by most of
 * the first and in half of the second.
 */
const MAX_SHARE_OUT_OF_ORDER = 1 / 8;
/** An order once found is kept while no row stands out by more than this. */
export const MAX_SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * @param rows `created` of rows in the order of the list; without future-dated ones, which stand out anywhere
 * @param found what earlier polls found
 */
export function judgeOrder(rows: readonly Instant[], found: ListOrder | undefined): JudgedOrder {
	const slack = {
		newestFirst: outOfOrderMs(rows, 'newestFirst'),
		oldestFirst: outOfOrderMs(rows, 'oldestFirst'),
	};
	if (found !== undefined && found !== 'none' && slack[found] <= MAX_SLACK_MS) {
		return { order: found, slackMs: slack[found] };
	}
	const times = rows.map(toMs);
	const spanMs = Math.max(...times) - Math.min(...times);
	if (new Set(rows).size < MIN_DATES) return { order: found, slackMs: 0 };
	const order = slack.newestFirst < slack.oldestFirst ? 'newestFirst' : 'oldestFirst';
	const isClear =
		slack[order] <= spanMs * MAX_SHARE_OUT_OF_ORDER &&
		wrongSteps(rows, order) <= rows.length * MAX_SHARE_OUT_OF_ORDER;
	return isClear ? { order, slackMs: slack[order] } : { order: 'none', slackMs: 0 };
}

function wrongSteps(rows: readonly Instant[], order: ListOrder): number {
	return rows.filter((row, index) => {
		const before = rows[index - 1] ?? row;
		return order === 'oldestFirst' ? row < before : row > before;
	}).length;
}

/** The most by which a row lies beyond all rows in front of it, on the wrong side; 0 when none does. */
export function outOfOrderMs(rows: readonly Instant[], order: ListOrder | undefined): number {
	let most = 0;
	let [furthest] = rows;
	const isBeyond = (row: Instant, limit: Instant) =>
		order === 'oldestFirst' ? row < limit : row > limit;
	for (const row of rows) {
		if (furthest !== undefined && isBeyond(row, furthest)) {
			// One more for what toMs cuts off.
			most = Math.max(most, Math.abs(toMs(row) - toMs(furthest)) + 1);
		} else furthest = row;
	}
	return most;
}
