import type { ChargeList, ChargePage } from './chargeList';
import type { ChargeRow } from './chargeRow';
import { findBoundary } from './findBoundary';
import type { Reading } from './reading';
import { END, shift } from './timestamps';
import type { Instant } from './timestamps';
import { ROUND_START } from './watch';
import type { Watch } from './watch';

export interface SweepResult {
	readonly rows: readonly ChargeRow[];
	readonly round: Pick<Watch, 'page' | 'nextFrom' | 'count' | 'isComplete' | 'from'>;
}

/**
 * Reads the next pages of the watched days, going round: from page 2 to the page that reaches behind them where
 * the newest come first, from the page that does to the last one where they come last. Page 1, or the rows that
 * are read anyway, are looked at in every poll besides.
 *
 * @param horizon where the watched days begin now: the round after this one goes as far back as this one would,
 * begun now, so that a charge is read once more after it got that old
 */
export async function sweep(
	list: ChargeList,
	watch: Watch,
	reading: Reading,
	sweepPages: number,
	horizon: Instant,
): Promise<SweepResult> {
	const { from } = watch;
	if (isAllRead(reading, from))
		return { rows: [], round: nextRound(watch, horizon, reading.count) };
	const slackMs = reading.slackMs;
	const isOldestFirst = reading.order === 'oldestFirst';
	const rows: ChargeRow[] = [];
	let number = steppedBack(watch, reading, list.size);
	let requests = 0;
	if (isOldestFirst && watch.page === ROUND_START) {
		const query = { order: reading.order, slackMs, present: END, from, position: undefined };
		const { page } = await findBoundary(list, { ...query, count: reading.count, maxRequests: 80 });
		number = page === undefined ? 1 : Math.floor(page.first / list.size) + 1;
	}
	const isLast = (page: ChargePage): boolean =>
		page.isEnd ||
		(!isOldestFirst && page.rows.some(({ created }) => shift(created, slackMs) < from));
	while (requests < sweepPages && list.hasTime()) {
		const page = await list.page(number);
		requests += 1;
		rows.push(...page.rows);
		if (isLast(page)) return { rows, round: nextRound(watch, horizon, reading.count) };
		number += 1;
	}
	const { nextFrom, isComplete } = watch;
	const round = { page: number, nextFrom, isComplete, from };
	return { rows, round: reading.count === undefined ? round : { ...round, count: reading.count } };
}

/** Rows that went away pulled the others forward: some may have moved to a page that was read already. */
function steppedBack({ page, count }: Watch, reading: Reading, size: number): number {
	const gone = count === undefined || reading.count === undefined ? 0 : count - reading.count;
	return Math.max(2, page - (gone > 0 ? Math.ceil(gone / size) : 0));
}

/** Whether what was read for new charges holds all that is watched. */
function isAllRead(reading: Reading, from: Instant): boolean {
	const { rows, provenTo, order, span, slackMs } = reading;
	if (order === 'none' || order === undefined) return reading.isComplete;
	if (reading.isWhole === true) return true;
	if (provenTo !== END) return false;
	const startsWithFirst = order === 'oldestFirst' && span?.first === 0;
	return startsWithFirst || rows.some(({ created }) => shift(created, slackMs) < from);
}

function nextRound(
	watch: Watch,
	horizon: Instant,
	count: number | undefined,
): SweepResult['round'] {
	const from = watch.nextFrom > watch.from ? watch.nextFrom : watch.from;
	const round = { page: ROUND_START, from, nextFrom: horizon, isComplete: true };
	return count === undefined ? round : { ...round, count };
}
