import { pageAround } from './chargeList';
import type { ChargeList, ChargePage, PageChoice } from './chargeList';
import type { ChargeRow } from './chargeRow';
import { findBoundary } from './findBoundary';
import type { BoundaryQuery } from './findBoundary';
import { outOfOrderMs } from './listOrder';
import { datesOf, newestOf } from './reading';
import type { Position, Span } from './reading';
import { END, shift } from './timestamps';
import type { Instant } from './timestamps';

export interface UpwardsQuery extends BoundaryQuery {
	/** Stops as soon as everything up to here is read. */
	readonly target: Instant;
	/** Stops as soon as so many rows that pass `isNew` were read. */
	readonly maxNew: number;
	readonly isNew: (row: ChargeRow) => boolean;
	/**
	 * By how much what is proven stays behind what was read: in a list by arrival, late charges that are created
	 * earlier may stand further on, before the first of them was seen.
	 */
	readonly cautionMs: number;
}

export interface UpwardsReading {
	readonly span: Span | undefined;
	/** Every row from `from` up to here was read; `from` itself when there was no progress. */
	readonly provenTo: Instant;
	/** Where to look first next time, when this time led nowhere. */
	readonly position: Position | undefined;
	readonly lastPage: ChargePage | undefined;
}

/** Rows that caution may cause to be read again in each poll. */
const MAX_ROWS_AGAIN = 1_000;
/** Tries to meet what was read before, when rows came or went between two requests. */
const MAX_TRIES_TO_MEET = 3;

/**
 * Reads from an instant towards the newest rows. Each page shares rows with what was read before it, so that
 * whatever comes, goes or shifts between two requests, no row can fall between two pages: what is returned as
 * proven is exact. Only where pages can't be made to overlap does an unchanged `count` have to do.
 */
export async function readUpwards(list: ChargeList, query: UpwardsQuery): Promise<UpwardsReading> {
	const { from, order, present } = query;
	const requestsBefore = list.requests;
	const start = await findBoundary(list, query);
	let page = start.page;
	if (page === undefined) {
		return { span: undefined, provenTo: from, position: start.position, lastPage: undefined };
	}
	const isNewestFirst = order !== 'oldestFirst';
	let span: Span = { first: page.first, rows: page.rows };
	const read = new Set(page.rows.map(({ key }) => key));
	const atNewest = ({ number, isEnd }: ChargePage) => (isNewestFirst ? number === 1 : isEnd);
	const proven = (): Instant => {
		const dates = datesOf(span.rows, present);
		const slackMs = Math.max(query.slackMs, outOfOrderMs(dates, order));
		return shift(newestOf(span.rows, present), -slackMs);
	};
	const cautiouslyProven = (): Instant => {
		const cautious = shift(proven(), -query.cautionMs);
		const again = span.rows.filter(({ created }) => created >= cautious).length;
		return again <= MAX_ROWS_AGAIN ? cautious : proven();
	};
	const isEnough = (): boolean =>
		span.rows.filter(query.isNew).length >= query.maxNew ||
		proven() >= query.target ||
		list.requests - requestsBefore >= query.maxRequests ||
		!list.hasTime();

	let drift = 0;
	for (let tries = 0; !atNewest(page) && tries < MAX_TRIES_TO_MEET && !isEnough(); ) {
		const choice = pageBeyond(list, span, isNewestFirst, drift);
		const next: ChargePage = await list.page(choice.number, choice.size);
		const meets = choice.overlaps
			? next.rows.some(({ key }) => read.has(key))
			: next.count === page.count;
		const fresh = next.rows.filter(({ key }) => !read.has(key));
		if (!meets) {
			// Rows were pushed away from the front, or pulled towards it: look that much further.
			tries += 1;
			drift += Math.max(tries, Math.abs((next.count ?? 0) - (page.count ?? 0)));
			page = { ...page, count: next.count };
			continue;
		}
		if (fresh.length === 0 && !atNewest(next)) {
			tries += 1;
			continue;
		}
		tries = 0;
		drift = 0;
		for (const { key } of fresh) read.add(key);
		span = isNewestFirst
			? { first: next.first, rows: [...fresh, ...span.rows] }
			: {
					first: next.first + next.rows.length - fresh.length - span.rows.length,
					rows: [...span.rows, ...fresh],
				};
		page = next;
	}
	return {
		span,
		provenTo: atNewest(page) ? END : cautiouslyProven(),
		position: undefined,
		lastPage: page,
	};
}

/** The next page towards the newest rows: one that shares rows with the span, or at least begins where it ends. */
function pageBeyond(
	list: ChargeList,
	{ first, rows }: Span,
	isNewestFirst: boolean,
	drift: number,
): PageChoice {
	const edge = isNewestFirst ? first + drift : Math.max(0, first + rows.length - 1 - drift);
	const choice = pageAround(edge, list.size, isNewestFirst ? 'before' : 'after');
	if (list.canOverlap && choice.overlaps) return choice;
	const next = isNewestFirst ? Math.max(0, edge - 1) : edge + 1;
	return { number: Math.floor(next / list.size) + 1, size: list.size, overlaps: false };
}
