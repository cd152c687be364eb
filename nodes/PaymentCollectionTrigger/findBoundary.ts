import { pageAround } from './chargeList';
import type { ChargeList, ChargePage } from './chargeList';
import type { Frame, Position } from './reading';
import { shift } from './timestamps';
import type { Instant } from './timestamps';

/** Doubling and halving need far fewer, even for a billion rows. */
const MAX_REQUESTS = 80;

export interface BoundaryQuery extends Frame {
	readonly from: Instant;
	/** Where it is likely to be. */
	readonly position: Position | undefined;
	/** `count` as page 1 told it. */
	readonly count: number | undefined;
	readonly maxRequests: number;
}

export interface Boundary {
	/** A page with rows on both sides of `from`, or with the end of the list on the older side. */
	readonly page: ChargePage | undefined;
	/** What is known about its place, when it was not found within the requests allowed. */
	readonly position: Position | undefined;
}

/**
 * Finds the page where rows older than an instant meet the others: at the estimated position first, then by
 * doubling and halving, so that a list of a million charges takes some twenty requests, once.
 */
export async function findBoundary(list: ChargeList, query: BoundaryQuery): Promise<Boundary> {
	const { from, position, count, slackMs } = query;
	const isNewestFirst = query.order !== 'oldestFirst';
	const surelyOlder = (created: Instant) => shift(created, slackMs) < from;

	/** The rows in front of `low` and from `high` on are known to lie on their side of the boundary. */
	let low = 0;
	let high = isNewestFirst ? undefined : count;
	let step = list.size;
	let near = 0;
	let guess =
		position === undefined
			? undefined
			: isNewestFirst && position.behind !== undefined && count !== undefined
				? count - position.behind
				: position.index;
	for (
		let requests = 0;
		requests < Math.min(query.maxRequests, MAX_REQUESTS) && list.hasTime();
		requests++
	) {
		guess ??= high === undefined ? low + step : Math.floor((low + high) / 2);
		if (high === undefined) step *= 2;
		// The first row behind the boundary where the newer ones are in front, the last one in front of it elsewhere.
		const index = isNewestFirst
			? Math.max(0, Math.min(guess, (count ?? guess + 1) - 1))
			: Math.max(0, Math.min(guess, high ?? guess) - 1);
		const choice = list.canOverlap
			? pageAround(index, list.size, isNewestFirst ? 'before' : 'after')
			: { number: Math.floor(index / list.size) + 1, size: list.size };
		const page = await list.page(choice.number, choice.size);
		const end = page.first + page.rows.length;

		const isPastTheEnd = page.rows.length === 0 && page.number > 1;
		const hasOlder =
			!isPastTheEnd &&
			((isNewestFirst ? page.isEnd : page.number === 1) ||
				page.rows.some(({ created }) => surelyOlder(created)));
		const hasNewer =
			!isPastTheEnd &&
			((isNewestFirst ? page.number === 1 : page.isEnd) ||
				page.rows.some(({ created }) => created >= from));
		const touchesNewer = isNewestFirst ? page.first <= low : end >= (high ?? Infinity);
		if (hasOlder && (hasNewer || touchesNewer)) return { page, position: undefined };

		const isInFront = isNewestFirst ? !hasOlder && !isPastTheEnd : hasOlder;
		near = isInFront ? end : page.first;
		if (isInFront) low = Math.max(low, end);
		else high = Math.min(high ?? page.first, page.first);
		// Rows came or went since a side was settled: what is known contradicts itself.
		if (high !== undefined && low > high) [low, high] = [Math.max(0, high - list.size), low];
		guess = undefined;
	}
	return {
		page: undefined,
		position:
			count === undefined ? { index: near } : { index: near, behind: Math.max(0, count - near) },
	};
}
