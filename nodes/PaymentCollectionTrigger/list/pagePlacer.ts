import type { Cursor } from '../cursor/cursor';
import { keyOf } from '../cursor/keySet';
import { accountForCount, openList, refuteCount } from '../reading/ledger';
import type { RawPage } from './chargePages';
import { endOf } from './chargePage';
import type { ChargePage, Slot } from './chargePage';
import type { ChargeRow } from './chargeRow';
import { keyOfUnreadable, readChargeRow } from './chargeRow';
import { coordinateAt } from './coordinates';

const NO_ROWS = '';

/** Gives the rows of answers their places in the list, and learns from each answer how the list is given. */
export class PagePlacer {
	/** Rows that could not be read. */
	unreadable = 0;

	/** What stood on the pages of this poll: what shows again elsewhere tells where the list ends. */
	private readonly contents = new Map<number, string>();

	/** @param onMove rows stand on other pages now than when they were read */
	constructor(
		private readonly cursor: Cursor,
		private readonly onMove: () => void,
	) {}

	/** Takes what comes now for the first answers. */
	forget(): void {
		this.contents.clear();
		this.onMove();
	}

	place(number: number, raw: RawPage): ChargePage {
		const { list } = this.cursor;
		const all = raw.records.map(readChargeRow);
		this.unreadable += all.filter((row) => row === undefined).length;
		this.learnPageSize(number, all.length, raw);
		// Rows stand elsewhere now than in the pages that were read before.
		if (accountForCount(this.cursor, raw.count, number === 1 || all.length > 0)) {
			this.forget();
		}
		const saysSomething = number === 1 || all.length > 0 || raw.count !== undefined;
		if (list.length.kind === 'unknown' && saysSomething) openList(this.cursor, raw.count, all);
		const first = (number - 1) * list.pageSize;
		const shown = contentOf(all, raw.records);
		const isCounted = list.length.kind === 'counted';
		// Some services give the last page again when asked for one behind it.
		const isBehindEnd = isCounted && this.isOnPage(shown, (other) => other < number);
		const rows = isBehindEnd ? [] : all;
		const content = rows.length === 0 ? NO_ROWS : shown;
		this.checkEnd(number, first, rows.length, content);
		this.contents.set(number, content);
		const count = list.length.kind === 'counted' ? list.length.count : undefined;
		const slots = rows.map((row, index): Slot => {
			const coordinate = coordinateAt(first + index, list);
			const key = row === undefined ? keyOfUnreadable(raw.records[index]) : undefined;
			return key === undefined ? { coordinate, row } : { coordinate, row, unreadableKey: key };
		});
		if (list.newEnd === 'firstPage') slots.reverse();
		const isByCount = count === undefined ? undefined : first + rows.length >= count;
		const end = endOf(rows.length, raw.hasNext, isByCount);
		const isAgain = raw.hasNext !== true && this.isOnPage(content, (other) => other === number - 1);
		return { number, slots, end, content: keyOf(content), isAgain };
	}

	/** What contradicts what is known of the list's end is taken for the truth. */
	private checkEnd(number: number, first: number, rows: number, content: string): void {
		const { list } = this.cursor;
		const end = first + rows;
		if (list.length.kind === 'counted') {
			const { count } = list.length;
			const isShort = rows === 0 && first < count;
			const isLong = rows > 0 && end > count;
			// One that was read before is this one once more: it lies behind the end.
			const wasBehindEnd = this.isOnPage(content, (other) => other > number);
			if (isShort || isLong || wasBehindEnd) {
				refuteCount(this.cursor);
				this.onMove();
			}
		} else if (list.length.kind === 'uncounted' && rows > 0 && list.newEnd === 'lastPage') {
			list.length.seen = Math.max(list.length.seen, end);
		}
	}

	/** Whether the rows are those of one of the other pages. */
	private isOnPage(content: string, isOther: (number: number) => boolean): boolean {
		if (content === NO_ROWS) return false;
		return [...this.contents].some(([number, other]) => isOther(number) && other === content);
	}

	/** The service may allow fewer rows a page than asked for, or give another number whatever is asked for. */
	private learnPageSize(number: number, rows: number, { count, hasNext }: RawPage): void {
		const { list } = this.cursor;
		// Any other page may be the last one, and short for that.
		const isFull = number === 1 && hasNext !== false && (count === undefined || rows < count);
		if (rows > list.pageSize || (rows > 0 && rows < list.pageSize && isFull)) {
			list.pageSize = rows;
			this.onMove();
		}
	}
}

/** The same for pages that hold the same rows, in whatever order. */
const contentOf = (
	rows: ReadonlyArray<ChargeRow | undefined>,
	records: readonly unknown[],
): string =>
	rows
		.map((row, index) => row?.key ?? keyOf('unreadable', JSON.stringify(records[index])))
		.sort()
		.join();
