import type { Cursor } from '../cursor/cursor';
import {
	accountForCount,
	beginAnew,
	doubtCount,
	forgetNewEnd,
	openList,
	refuteCount,
} from '../reading/ledger';
import { contentOf, pageOf } from './chargePage';
import type { ChargePage } from './chargePage';
import type { RawPage } from './chargePages';
import { readChargeRow } from './chargeRow';
import type { Rows } from './chargeRow';

/** Gives the rows of answers their places in the list, and learns from each answer how the list is given. */
export class PagePlacer {
	private mostRows = 0;
	/** Of all rows that this poll's pages showed: what shows again elsewhere tells where the list ends. */
	private readonly keys = new Set<string>();
	private readonly answered = new Set<number>();
	/** Pages of which the answer said that none follows. */
	private readonly ends = new Set<number>();
	/** What stands on each page, as far as rows have not moved since; an empty text for no rows. */
	private readonly contents = new Map<number, string>();

	/** @param onMove rows stand on other pages now than when they were read */
	constructor(
		private readonly cursor: Cursor,
		private readonly onMove: () => void,
	) {}

	/** Takes what comes now for the first answers. */
	forget(): void {
		this.contents.clear();
		this.ends.clear();
		this.onMove();
	}

	place(number: number, raw: RawPage): ChargePage {
		const { list } = this.cursor;
		const all = raw.records.map(readChargeRow);
		if (raw.hasNext === true && list.next === 'unproven') list.next = 'right';
		this.learnPageSize(number, all.length, raw);
		// Rows stand elsewhere now than in the pages that were read before.
		const count = this.countOf(number, raw);
		if (accountForCount(this.cursor, count, all, number === 1)) this.forget();
		const saysSomething = number === 1 || all.length > 0 || count !== undefined;
		if (list.length.kind === 'unknown' && saysSomething) openList(this.cursor, count, all);
		const shown = contentOf(all, raw.records);
		const isAgain = this.isGivenAgain(number, all, shown, raw.hasNext);
		const rows = isAgain ? [] : all;
		const content = isAgain ? '' : shown;
		this.checkEnd(number, rows, content, raw.hasNext);
		// Rows that were seen before may be those of the last page once more, in another order.
		const isFollowing = rows.length > 0 && !this.hasSeenSome(rows);
		if (isFollowing && this.ends.has(number - 1)) list.next = 'wrong';
		this.answered.add(number);
		if (raw.hasNext === false) this.ends.add(number);
		this.contents.set(number, content);
		for (const row of rows) if (row !== undefined) this.keys.add(row.key);
		return pageOf(number, rows, content, raw, list);
	}

	/** Behind the end some services count the rows of the page, which are none. */
	private countOf(number: number, { count, records }: RawPage): number | undefined {
		const { length } = this.cursor.list;
		const isOfPage = number > 1 && records.length === 0 && length.kind === 'counted';
		return isOfPage && (count ?? 0) < length.count ? undefined : count;
	}

	/** What contradicts what is known of the list's end is taken for the truth. */
	private checkEnd(
		number: number,
		rows: Rows,
		content: string,
		hasNext: boolean | undefined,
	): void {
		const { list } = this.cursor;
		const first = (number - 1) * list.pageSize;
		const end = first + rows.length;
		if (list.length.kind === 'counted') {
			const { count } = list.length;
			if (rows.length === 0 ? first < count : end > count) {
				refuteCount(this.cursor);
				this.onMove();
			}
		} else if (list.length.kind === 'uncounted' && rows.length > 0 && list.newEnd === 'lastPage') {
			list.length.seen = Math.max(list.length.seen, end);
		}
		// The page that was read before is this one once more: it lies behind the end, unless whole pages came in meanwhile.
		const isSure = list.length.kind === 'counted' || hasNext !== true;
		if (isSure && this.isOnPage(content, (other) => other > number)) {
			refuteCount(this.cursor);
			forgetNewEnd(this.cursor);
			beginAnew(this.cursor);
			this.forget();
		}
	}

	/** Some services give the last page again when asked for one behind it. */
	private isGivenAgain(
		number: number,
		rows: Rows,
		content: string,
		hasNext: boolean | undefined,
	): boolean {
		const { length, pageSize } = this.cursor.list;
		// Without a count, rows may also have been moved on by whole pages of others that came in.
		const isCounted = length.kind === 'counted';
		const isOther = (other: number) => (isCounted ? other < number : other === number - 1);
		if ((isCounted || hasNext !== true) && this.isOnPage(content, isOther)) return true;
		const isBehind = number > 1 && isCounted && (number - 1) * pageSize >= length.count;
		return isBehind && (!this.answered.has(number - 1) || this.hasSeenSome(rows));
	}

	private hasSeenSome(rows: Rows): boolean {
		return rows.some((row) => row !== undefined && this.keys.has(row.key));
	}

	/** Whether the rows are those of one of the other pages. */
	private isOnPage(content: string, isOther: (number: number) => boolean): boolean {
		if (content === '') return false;
		return [...this.contents].some(([number, other]) => isOther(number) && other === content);
	}

	/** The service may allow fewer rows a page than asked for, or give another number whatever is asked for. */
	private learnPageSize(number: number, rows: number, { count, hasNext }: RawPage): void {
		const { list, filters } = this.cursor;
		this.mostRows = Math.max(this.mostRows, rows);
		const mayCount = filters.isCountable && list.length.kind !== 'uncounted';
		const isCounted = mayCount && count !== undefined && (number > 1 || rows <= count);
		const isNamedEnd = hasNext === false && list.next === 'right';
		// Any page may be the last one, and short for that; the first is most seldom.
		const isLast = isCounted
			? (number - 1) * list.pageSize + rows >= count
			: number > 1 || isNamedEnd;
		const isShort = rows > 0 && rows < list.pageSize && rows === this.mostRows;
		const isFull = number === 1 ? !isNamedEnd : hasNext === true;
		// A page that seemed full was the last one, so that the count is too high.
		if (rows > list.pageSize) doubtCount(this.cursor);
		if (rows > list.pageSize || (isShort && !isLast && isFull)) {
			list.pageSize = rows;
			this.onMove();
		}
	}
}
