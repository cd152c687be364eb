import type { ChargeList, ChargePage } from './chargeList';
import type { ChargeRow } from './chargeRow';
import { judgeOrder, outOfOrderMs } from './listOrder';
import { datesOf, earliestOf, newestOf } from './reading';
import type { Frame, Snapshot, Span } from './reading';
import { END, shift } from './timestamps';
import type { Instant } from './timestamps';

export interface DownwardsQuery extends Frame {
	readonly from: Instant;
	readonly snapshot: Snapshot | undefined;
	readonly isNew: (row: ChargeRow) => boolean;
	/** Gives up when more new rows than this turn up. */
	readonly maxNew: number;
}

export interface DownwardsReading {
	readonly span: Span;
	readonly provenTo: Instant;
	readonly isComplete: boolean;
	readonly hasTooMany: boolean;
}

/**
 * Reads from page 1, the newest rows, until nothing new can follow: a page reaches behind `from`, or the pages
 * read differ from what was seen when every row was known by nothing but the new rows in them.
 */
export async function readDownwards(
	list: ChargeList,
	first: ChargePage,
	query: DownwardsQuery,
): Promise<DownwardsReading> {
	const { from, present } = query;
	const pages = [first];
	let rows: ChargeRow[] = [...first.rows];
	const read = new Set(rows.map(({ key }) => key));
	let last = first;
	for (;;) {
		const slackMs = Math.max(query.slackMs, outOfOrderMs(datesOf(rows, present), query.order));
		const reachesBehind = (page: ChargePage): boolean =>
			page.isEnd || shift(earliestOf(page.rows, END), slackMs) < from;
		const countsAgree = pages.every(({ count }) => count === first.count);
		const span = { first: 0, rows };
		if (reachesBehind(last)) {
			// One page shows one moment. Between two, rows may have shifted: only the last one is proof.
			const proof = last.number === 1 ? END : shift(newestOf(last.rows, present), -slackMs);
			const provenTo = last.rows.length === 0 && last.number > 1 ? from : proof;
			return { span, provenTo, isComplete: countsAgree, hasTooMany: false };
		}
		const fresh = rows.filter(query.isNew);
		if (countsAgree && isExplained(rows, fresh, first.count, query.snapshot)) {
			return { span, provenTo: from, isComplete: true, hasTooMany: false };
		}
		if (fresh.length > query.maxNew) {
			return { span, provenTo: from, isComplete: false, hasTooMany: true };
		}
		if (!list.hasTime()) {
			return { span, provenTo: from, isComplete: false, hasTooMany: fresh.length > 0 };
		}
		last = await list.page(last.number + 1);
		pages.push(last);
		const unread = last.rows.filter(({ key }) => !read.has(key));
		for (const { key } of unread) read.add(key);
		rows = [...rows, ...unread];
		// A service that does not know `page` would send the same rows for ever.
		if (unread.length === 0 && last.rows.length > 0 && !last.isEnd) {
			return { span: { first: 0, rows }, provenTo: from, isComplete: false, hasTooMany: false };
		}
	}
}

/** Whether the list, but for its new rows, begins and counts as it did when every row was known. */
function isExplained(
	rows: readonly ChargeRow[],
	fresh: readonly ChargeRow[],
	count: number | undefined,
	snapshot: Snapshot | undefined,
): boolean {
	if (snapshot === undefined || count !== snapshot.count + fresh.length) return false;
	const isFresh = new Set(fresh.map(({ key }) => key));
	const known = rows.filter(({ key }) => !isFresh.has(key));
	return (
		known.length > 0 &&
		known.every(({ key }, index) => index >= snapshot.top.length || key === snapshot.top[index])
	);
}

/** Rows of further pages from the front, until they tell the order or the list ends. */
export async function judgeFront(
	list: ChargeList,
	first: ChargePage,
	found: Frame['order'],
	present: Instant,
): Promise<Frame> {
	const rows = [...first.rows];
	let page = first;
	for (;;) {
		const judged = judgeOrder(datesOf(rows, present), found);
		if (judged.order !== undefined || page.isEnd || !list.hasTime()) {
			return { ...judged, present };
		}
		page = await list.page(page.number + 1);
		if (page.rows.every(({ key }) => rows.some((row) => row.key === key))) {
			return { ...judged, present };
		}
		rows.push(...page.rows);
	}
}
