import type { Page } from '../shared/listPage';
import { DEFAULT_PAGE_SIZE } from '../../contract/limits';
import { readChargeRow } from './chargeRow';
import type { ChargeRow } from './chargeRow';

/** Reads one page of the charge list; the filters are the same for all pages. */
export type FetchPage = (page: number, pageSize: number) => Promise<Page>;

/** One page as it was in one moment. */
export interface ChargePage {
	readonly number: number;
	/** Index of its first row in the list, from 0. */
	readonly first: number;
	readonly rows: readonly ChargeRow[];
	readonly count: number | undefined;
	/** Whether no row follows. A page that is shorter than asked does not say so. */
	readonly isEnd: boolean;
}

/** Below this page size pages can't be made to overlap well. */
const MIN_SIZE_TO_OVERLAP = 4;

/** The charge list as one poll sees it: its pages, and every row that was read on the way. */
export class ChargeList {
	/** Every charge read in this poll, as it was read last. */
	readonly rows = new Map<string, ChargeRow>();

	/** Rows of a full page: the service may give fewer than asked. */
	size = DEFAULT_PAGE_SIZE;

	/** The service gives pages of one size, whatever was asked for. */
	private ignoresSize = false;

	requests = 0;

	/** @param hasTime whether the poll's time allows another request */
	constructor(
		private readonly fetchPage: FetchPage,
		readonly hasTime: () => boolean,
	) {}

	/** Whether pages can be asked for in sizes that make them overlap, which proves that no row fell between them. */
	get canOverlap(): boolean {
		return this.size >= MIN_SIZE_TO_OVERLAP && !this.ignoresSize;
	}

	/** @throws {ServiceFailure} also for a row that can't be read */
	async page(number: number, size = this.size): Promise<ChargePage> {
		this.requests += 1;
		const { rows: records, count, hasNext } = await this.fetchPage(number, size);
		const rows = records.map(readChargeRow);
		for (const row of rows) this.rows.set(row.key, row);
		if (rows.length > size) this.ignoresSize = true;
		const first = (number - 1) * (rows.length > size ? rows.length : size);
		const isEnd =
			rows.length === 0 ||
			(hasNext === undefined ? count !== undefined && first + rows.length >= count : !hasNext);
		// Only page 1 tells the size: a later page may be short because the list ends there.
		if (number === 1 && !isEnd && size === this.size) this.size = rows.length;
		return { number, first, rows, count, isEnd };
	}
}

/** Page number and size of a request. */
export interface PageChoice {
	readonly number: number;
	readonly size: number;
	/** Whether it has rows on both sides of the place that was asked for. */
	readonly overlaps: boolean;
}

/** Sizes that are tried, as a share of a full page. */
const SMALLEST_SHARE = 0.5;
/** Rows that a page shares with what was read before: so many may come or go meanwhile. */
const OVERLAP_ROWS = 3;

/**
 * The page that holds the row at `index`, some rows on its far side, and as many as possible on the side named by
 * `wanted`: a page begins at a multiple of its size, so the size is what can be chosen.
 */
export function pageAround(index: number, size: number, wanted: 'before' | 'after'): PageChoice {
	const enough = Math.min(OVERLAP_ROWS, Math.floor(size / 4));
	let best = { size, score: Number.NEGATIVE_INFINITY };
	for (let tried = size; tried >= Math.ceil(size * SMALLEST_SHARE); tried--) {
		const before = index % tried;
		const after = tried - 1 - before;
		const [gain, shared] = wanted === 'before' ? [before, after] : [after, before];
		const isAtStart = wanted === 'after' && index < tried;
		const missing = isAtStart ? 0 : Math.max(0, enough - shared);
		const score = gain > 0 ? gain - 2 * missing : -size;
		if (score > best.score) best = { size: tried, score };
	}
	return {
		number: Math.floor(index / best.size) + 1,
		size: best.size,
		overlaps: best.score > -size || index === 0,
	};
}
