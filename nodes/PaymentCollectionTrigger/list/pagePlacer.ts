import type { Cursor } from '../cursor/cursor';
import { keyOf } from '../cursor/keySet';
import {
	accountForCount,
	beginAnew,
	doubtCount,
	forgetNewEnd,
	openList,
	refuteCount,
} from '../reading/ledger';
import type { RawPage } from './chargePages';
import { endOf } from './chargePage';
import type { ChargePage, Slot } from './chargePage';
import { keyOfUnreadable, readChargeRow } from './chargeRow';
import type { Rows } from './chargeRow';
import { coordinateAt, lengthOf } from './coordinates';
import { PageMemory, contentOf } from './pageMemory';

/** Gives the rows of answers their places in the list, and learns from each answer how the list is given. */
export class PagePlacer {
	/** Rows that could not be read. */
	unreadable = 0;
	private mostRows = 0;
	private readonly memory = new PageMemory();

	/** @param onMove rows stand on other pages now than when they were read */
	constructor(
		private readonly cursor: Cursor,
		private readonly onMove: () => void,
	) {}

	/** Takes what comes now for the first answers. */
	forget(): void {
		this.memory.forgetPlaces();
		this.onMove();
	}

	place(number: number, raw: RawPage): ChargePage {
		const { list } = this.cursor;
		const all = raw.records.map(readChargeRow);
		this.unreadable += all.filter((row) => row === undefined).length;
		if (raw.hasNext === true && list.next === 'unproven') list.next = 'right';
		this.learnPageSize(number, all.length, raw);
		// Rows stand elsewhere now than in the pages that were read before.
		if (accountForCount(this.cursor, this.countOf(number, raw), all, number === 1)) {
			this.forget();
		}
		const saysSomething = number === 1 || all.length > 0 || raw.count !== undefined;
		if (list.length.kind === 'unknown' && saysSomething) openList(this.cursor, raw.count, all);
		const first = (number - 1) * list.pageSize;
		const shown = contentOf(all, raw.records);
		const rows = this.isGivenAgain(number, first, all, shown, raw) ? [] : all;
		const content = rows.length === 0 ? contentOf([], []) : shown;
		this.checkEnd(number, first, rows, content, raw.hasNext);
		// Rows that were seen before may be those of the last page once more, in another order.
		const isFollowing = rows.length > 0 && !this.memory.hasSeenSome(rows);
		if (isFollowing && this.memory.wasEnd(number - 1)) list.next = 'wrong';
		this.memory.note(number, rows, content, raw.hasNext);
		const slots = rows.map((row, index): Slot => {
			const coordinate = coordinateAt(first + index, list);
			const key = row === undefined ? keyOfUnreadable(raw.records[index]) : undefined;
			return key === undefined ? { coordinate, row } : { coordinate, row, unreadableKey: key };
		});
		if (list.newEnd === 'firstPage') slots.reverse();
		// A count that this answer does not have may be an old one.
		const isCounted = list.length.kind === 'counted' && raw.count !== undefined;
		const isByCount = isCounted ? first + rows.length >= lengthOf(list) : undefined;
		const isBelieved = list.next === 'right' || (list.next === 'unproven' && isByCount === true);
		const end = endOf(rows.length, isBelieved ? raw.hasNext : undefined, isByCount);
		const saysNext = list.next === 'wrong' ? undefined : raw.hasNext;
		const isAgain = list.length.kind === 'uncounted' && rows.length < all.length;
		return { number, slots, end, content: keyOf(content), isAgain, saysNext };
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
		first: number,
		rows: Rows,
		content: string,
		hasNext: boolean | undefined,
	): void {
		const { list } = this.cursor;
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
		if (isSure && this.memory.isOnPage(content, (other) => other > number)) {
			refuteCount(this.cursor);
			forgetNewEnd(this.cursor);
			beginAnew(this.cursor);
			this.forget();
		}
	}

	/** Some services give the last page again when asked for one behind it. */
	private isGivenAgain(
		number: number,
		first: number,
		rows: Rows,
		content: string,
		{ hasNext }: RawPage,
	): boolean {
		const { length } = this.cursor.list;
		// Without a count, rows may also have been moved on by whole pages of others that came in.
		const isCounted = length.kind === 'counted';
		const isOther = (other: number) => (isCounted ? other < number : other === number - 1);
		if ((isCounted || hasNext !== true) && this.memory.isOnPage(content, isOther)) return true;
		const isBehind = number > 1 && isCounted && first >= length.count;
		return isBehind && (!this.memory.hasVisited(number - 1) || this.memory.hasSeenSome(rows));
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
