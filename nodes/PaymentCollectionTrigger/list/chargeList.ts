import { ServiceFailure } from '../../shared/failures';
import { clock } from '../../shared/clock';
import type { Cursor } from '../cursor/cursor';
import { keyOf } from '../cursor/keySet';
import { accountForCount, beginAnew, forgetNewEnd, openList, refuteCount } from '../reading/ledger';
import type { FetchPage, RawPage } from './chargePages';
import { keyOfUnreadable, readChargeRow } from './chargeRow';
import type { ChargeRow } from './chargeRow';
import { coordinateAt } from './coordinates';

/** A place of the list and what stands there: undefined for a row that can't be read. */
export interface Slot {
	readonly coordinate: number;
	readonly row: ChargeRow | undefined;
	/** Of a row that can't be read but has an id. */
	readonly unreadableKey?: string;
}

/** One page as it was in one moment. */
export interface ChargePage {
	readonly number: number;
	/** The lowest coordinate first. */
	readonly slots: readonly Slot[];
	/** Whether no page follows: the answer says so, or has no rows; its count makes it so; or neither. */
	readonly end: 'said' | 'byCount' | 'open';
	/** A hash of its rows, the same for pages that hold the same rows. */
	readonly content: string;
	/** The answer says that a page follows. */
	readonly saysNext: boolean;
}

/** Requests of one poll at most. */
const MAX_REQUESTS = 400;
/** Pages that may fail before a poll stops asking: a row that breaks a page does not break three. */
const MAX_FAILURES = 3;
/** After these, another request would get the same answer. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** The charge list in one poll: each page is read once, and each answer's count goes into the ledger. */
export class ChargeList {
	requests = 0;

	/** An answer has told something: rows, or how many there are. */
	hasLearned = false;

	/** Rows that could not be read. */
	unreadable = 0;

	/** What went wrong with the first page that could not be had. */
	error: ServiceFailure | undefined = undefined;

	private failures = 0;

	private isStopped = false;

	private slowestMs = 0;

	private mostRows = 0;

	private numbering = '';

	private readonly pages = new Map<number, ChargePage | undefined>();

	/** Every row of this poll. */
	private readonly keys = new Set<string>();

	/** Pages that gave an answer. */
	private readonly visited = new Set<number>();

	/** Pages of which the answer said that none follows. */
	private readonly ends = new Set<number>();

	/** What stood on a page when it was read. */
	private readonly contents = new Map<number, string>();

	/** @param deadlineMs when the last request must have ended, by the clock */
	constructor(
		private readonly fetchPage: FetchPage,
		private readonly cursor: Cursor,
		private readonly deadlineMs: number,
	) {}

	/** Whether there was time for what was to be read. */
	get isOutOfTime(): boolean {
		return this.requests > 0 && clock.now() + this.slowestMs >= this.deadlineMs;
	}

	/** Whether there is time for another request, if it takes as long as the slowest so far. */
	get mayRead(): boolean {
		const isBroken = this.isStopped || this.failures >= MAX_FAILURES;
		return !isBroken && !this.isOutOfTime && this.requests < MAX_REQUESTS;
	}

	/** Whether asking for the page costs no request. */
	has(number: number): boolean {
		return this.pages.has(number);
	}

	/** @returns undefined when the page failed, or there is no time for it */
	async read(number: number): Promise<ChargePage | undefined> {
		// The pages bear coordinates that mean something else now.
		if (this.numbering !== this.numberingNow) this.pages.clear();
		if (this.pages.has(number)) return this.pages.get(number);
		if (!this.mayRead) return undefined;
		const startedAt = clock.now();
		this.requests += 1;
		const raw = await this.fetchPage(number, this.deadlineMs).catch((error: unknown) =>
			this.noteFailure(error),
		);
		this.slowestMs = Math.max(this.slowestMs, clock.now() - startedAt);
		const page = raw === undefined ? undefined : this.place(number, raw);
		this.pages.set(number, page);
		if (raw === undefined || page === undefined) return undefined;
		this.numbering = this.numberingNow;
		this.hasLearned ||= number === 1 || page.slots.length > 0 || raw.count !== undefined;
		return page;
	}

	/** @throws what is no failure of the service: it is one of our own, or the user's */
	private noteFailure(error: unknown): undefined {
		if (!(error instanceof ServiceFailure)) throw error;
		this.error ??= error;
		this.failures += 1;
		if (FINAL_STATUSES.has(error.failure.status ?? 0)) this.isStopped = true;
		return undefined;
	}

	private get numberingNow(): string {
		const { newEnd, length } = this.cursor.list;
		return `${newEnd} ${length.kind}`;
	}

	/** Pages are asked for anew. */
	forget(): void {
		this.pages.clear();
		this.contents.clear();
		this.ends.clear();
	}

	/** Whether a page was asked for and failed: nobody can say what stands there. */
	hasFailed(number: number): boolean {
		return this.pages.has(number) && this.pages.get(number) === undefined;
	}

	private place(number: number, raw: RawPage): ChargePage {
		const { list } = this.cursor;
		const all = raw.records.map(readChargeRow);
		this.unreadable += all.filter((row) => row === undefined).length;
		this.learnPageSize(number, all.length, raw);
		// Rows stand elsewhere now than in the pages that were read before.
		if (accountForCount(this.cursor, raw.count, number === 1)) {
			this.forget();
		}
		const saysSomething = number === 1 || all.length > 0 || raw.count !== undefined;
		if (list.length.kind === 'unknown' && saysSomething) openList(this.cursor, raw.count, all);
		this.visited.add(number);
		const first = (number - 1) * list.pageSize;
		const rows = this.isBehindEnd(number, first, all, raw) ? [] : all;
		this.checkEnd(number, first, rows, raw);
		if (rows.length > 0 && this.ends.has(number - 1)) list.isNextWrong = true;
		if (raw.hasNext === false) this.ends.add(number);
		this.contents.set(number, contentOf(rows));
		for (const row of rows) if (row !== undefined) this.keys.add(row.key);
		const count = list.length.kind === 'counted' ? list.length.count : undefined;
		const slots = rows.map((row, index): Slot => {
			const coordinate = coordinateAt(first + index, list);
			const key = row === undefined ? keyOfUnreadable(raw.records[index]) : undefined;
			return key === undefined ? { coordinate, row } : { coordinate, row, unreadableKey: key };
		});
		if (list.newEnd === 'firstPage') slots.reverse();
		const isByCount = count === undefined ? undefined : first + rows.length >= count;
		const hasNext = list.isNextWrong ? undefined : raw.hasNext;
		const end = endOf(rows.length, hasNext, isByCount);
		return { number, slots, end, content: keyOf(contentOf(rows)), saysNext: hasNext === true };
	}

	/** What contradicts what is known of the list's end is taken for the truth. */
	private checkEnd(
		number: number,
		first: number,
		rows: ReadonlyArray<ChargeRow | undefined>,
		{ count: told, hasNext, records: { length: all } }: RawPage,
	): void {
		const saysNext = hasNext === true;
		const { list } = this.cursor;
		const end = first + rows.length;
		if (list.length.kind === 'counted') {
			const { count } = list.length;
			const isOfPart = told !== undefined && told < all;
			const isShort = rows.length === 0 && first < count;
			const isLong = rows.length > 0 && end > count;
			// Not even the rows of this page are all in it: it counts those of the page.
			const isOfPage = number > 1 && rows.length > 0 && (told ?? end) <= rows.length;
			if (isShort || isLong || isOfPage || isOfPart) {
				refuteCount(this.cursor);
				this.pages.clear();
			}
		} else if (list.length.kind === 'uncounted' && rows.length > 0 && list.newEnd === 'lastPage') {
			list.length.seen = Math.max(list.length.seen, end);
		}
		// The page that was read before is this one once more: it lies behind the end.
		// Unless rows may have been moved on by whole pages meanwhile.
		const isSure = list.length.kind === 'counted' || !saysNext;
		if (isSure && this.isOnPage(rows, (other) => other > number)) {
			refuteCount(this.cursor);
			forgetNewEnd(this.cursor);
			beginAnew(this.cursor);
			this.forget();
		}
	}

	/** Some services give the last page again when asked for one behind it. */
	private isBehindEnd(
		number: number,
		first: number,
		rows: ReadonlyArray<ChargeRow | undefined>,
		{ hasNext }: RawPage,
	): boolean {
		const { length } = this.cursor.list;
		// Without a count, rows may also have been moved on by whole pages of others that came in.
		const isCounted = length.kind === 'counted';
		const isOther = (other: number) => (isCounted ? other < number : other === number - 1);
		if ((isCounted || hasNext !== true) && this.isOnPage(rows, isOther)) return true;
		const isBehind = number > 1 && isCounted && first >= length.count;
		return isBehind && (!this.visited.has(number - 1) || this.hasSeenSome(rows));
	}

	private hasSeenSome(rows: ReadonlyArray<ChargeRow | undefined>): boolean {
		return rows.some((row) => row !== undefined && this.keys.has(row.key));
	}

	/** Whether the rows are those of another page of this poll. */
	private isOnPage(
		rows: ReadonlyArray<ChargeRow | undefined>,
		isOther: (number: number) => boolean,
	): boolean {
		if (rows.length === 0) return false;
		const content = contentOf(rows);
		return [...this.contents].some(([number, other]) => isOther(number) && other === content);
	}

	/** The service may allow fewer rows a page than asked for, or give another number whatever is asked for. */
	private learnPageSize(number: number, rows: number, { count, hasNext }: RawPage): void {
		const { list } = this.cursor;
		this.mostRows = Math.max(this.mostRows, rows);
		const isCounted =
			count !== undefined && list.length.kind !== 'uncounted' && (number > 1 || rows <= count);
		const isNamedEnd = hasNext === false && !list.isNextWrong;
		// Any page may be the last one, and short for that; the first is most seldom.
		const isLast = isCounted
			? (number - 1) * list.pageSize + rows >= count
			: number > 1 || isNamedEnd;
		const isShort = rows > 0 && rows < list.pageSize && rows === this.mostRows;
		const isFull = number === 1 ? !isNamedEnd : hasNext === true;
		if (rows > list.pageSize || (isShort && !isLast && isFull)) {
			list.pageSize = rows;
			this.pages.clear();
		}
	}
}

/** The same for pages that hold the same rows, in whatever order. */
const contentOf = (rows: ReadonlyArray<ChargeRow | undefined>): string =>
	rows
		.map((row) => row?.key ?? '')
		.sort()
		.join();

/** @param isByCount whether the page reaches the end that the count tells, if there is one */
function endOf(
	rows: number,
	hasNext: boolean | undefined,
	isByCount: boolean | undefined,
): ChargePage['end'] {
	if (rows === 0 || (hasNext === false && isByCount !== false)) return 'said';
	return isByCount === true ? 'byCount' : 'open';
}
