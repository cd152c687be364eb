import { ReportedError, ServiceFailure } from '../../shared/errors/failures';
import { clock } from '../../shared/clock';
import type { ListFacts } from '../state/state';
import type { ChargePage, FetchPage } from './chargePages';

/** Requests of one poll at most. */
const MAX_REQUESTS = 400;
/** After these, another request would get the same answer. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** How a page behind the end is answered is not documented: these are the usual ways to say that there is no such page. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** What came of reading a page: `none` where there is no time or request left for it. */
export type Reading = ChargePage | 'failed' | 'none';

/** The charge list as one poll reads it: each page once, within the poll's time and number of requests. */
export class ChargeList {
	/** Of the first page that failed. */
	error: ServiceFailure | ReportedError | undefined;
	private requests = 0;
	/** Rows without an id or a time of creation. */
	unreadable = 0;
	/** The count that an answer of this poll gave last, and that of the first page that it still holds. */
	count: number | undefined;
	firstCount: number | undefined;
	hasAnswered = false;
	private pages = new Map<number, ChargePage | 'failed'>();
	private isRefused = false;
	private slowestMs = 0;

	/**
	 * @param facts changed by what is read
	 * @param deadlineMs when the last request must have ended, by the clock's elapsed milliseconds
	 */
	constructor(
		private readonly fetchPage: FetchPage,
		readonly facts: ListFacts,
		private readonly deadlineMs: number,
	) {}

	/** Whether there is time for another request, if it takes as long as the slowest so far. */
	get mayRead(): boolean {
		const hasTime = this.requests === 0 || clock.elapsed() + this.slowestMs < this.deadlineMs;
		return hasTime && !this.isRefused && this.requests < MAX_REQUESTS;
	}

	/** From now on pages are read anew. */
	forget(): void {
		this.pages.clear();
		this.firstCount = undefined;
	}

	/** Charges come in on this page, */
	get newEnd(): number {
		return this.step === 1 ? 1 : this.facts.lastPage;
	}

	/** and the page before in time is the next one, or the one before. */
	get step(): 1 | -1 {
		return this.facts.order === 'oldestFirst' ? -1 : 1;
	}

	get isByDate(): boolean {
		return this.facts.order !== 'none';
	}

	/** Whether no page follows towards the old end, as far as the page tells. */
	isOldEnd(page: ChargePage): boolean {
		return this.step === 1 ? this.isLast(page) : page.number <= 1;
	}

	/** Where charges come in at the end: finds the last page that there is by now, also behind one that fails. */
	async findNewEnd(): Promise<void> {
		let hasFailed = false;
		for (let number = this.newEnd; this.step === -1; ) {
			const page = await this.readAsListed(number);
			const isEnd = page === 'failed' ? hasFailed : page === 'none' || this.isLast(page);
			if (isEnd) return;
			hasFailed = page === 'failed';
			number = Math.max(number + 1, this.newEnd);
		}
	}

	/** A page with its rows from the new end on. */
	async read(number: number): Promise<Reading> {
		if (number < 1) return noSuchPage(number);
		const page = await this.readAsListed(number);
		const isReversed = this.step === -1 && page !== 'failed' && page !== 'none';
		return isReversed ? { ...page, rows: page.rows.toReversed() } : page;
	}

	private async readAsListed(number: number): Promise<Reading> {
		const present = this.pages.get(number);
		if (present !== undefined) return present;
		if (!this.mayRead) return 'none';
		let page = await this.request(number);
		// A count may be too high, and so a page that is not there is believed when it is said twice.
		if (page !== 'failed' && page.rows.length === 0 && this.isAmid(number))
			page = await this.request(number);
		if (page !== 'failed' && this.isAgain(page)) page = this.again(page);
		if (page === 'failed' && this.isBehindEnd(number)) page = noSuchPage(number);
		this.pages.set(number, page);
		if (page !== 'failed') this.learnFrom(page);
		return page;
	}

	private isLast(page: ChargePage): boolean {
		const { number, rows, count, hasNext } = page;
		if (rows.length === 0) return true;
		const { pageSize = rows.length } = this.facts;
		const rowsSoFar = number === 1 ? rows.length : (number - 1) * pageSize + rows.length;
		if (count === undefined || isOfPage(page)) return hasNext === false;
		return rowsSoFar >= count && hasNext !== true;
	}

	/**
	 * Whether a page that fails is taken for the end of the list: by the count there is none, or, in a list without a
	 * count, the page before it is not full.
	 */
	private isBehindEnd(number: number): boolean {
		const { pageSize } = this.facts;
		if (pageSize === undefined || number < 2) return false;
		const before = this.pageBefore(number);
		if (before?.hasNext === true) return false;
		if (this.count !== undefined) return (number - 1) * pageSize >= this.count;
		return before !== undefined && before.rows.length < pageSize;
	}

	/** Whether the service answers for a page that is far from one that fails. */
	async answersFarFrom(number: number): Promise<boolean> {
		const { pageSize = 1 } = this.facts;
		const lastPage = this.count === undefined ? 4 * number : Math.ceil(this.count / pageSize);
		const isNearEnd = number > lastPage / 2;
		const page = await this.read(isNearEnd ? Math.max(1, Math.floor(number / 2)) : lastPage);
		return page !== 'failed' && page !== 'none';
	}

	/** Whether it is the page before it again: some services answer so behind the end of a list. */
	private isAgain({ number, rows }: ChargePage): boolean {
		const before = this.pageBefore(number);
		if (before === undefined || this.isAmid(number)) return false;
		const isSame = rows.every((row, at) => row?.key === before.rows[at]?.key);
		return rows.length > 0 && rows.length === before.rows.length && isSame;
	}

	/** Twice in a row it is the end: once, as many charges may have come in as a page holds. */
	private again(page: ChargePage): ChargePage {
		const isTwice = this.pageBefore(page.number)?.isAgain === true;
		return isTwice ? { ...page, rows: [] } : { ...page, isAgain: true };
	}

	/** Whether a page is amid the list by its count, and the page before it does not say that it is the last one. */
	private isAmid(number: number): boolean {
		const { pageSize = 1 } = this.facts;
		const isCounted = this.count !== undefined && (number - 1) * pageSize < this.count;
		return number > 1 && isCounted && this.pageBefore(number)?.hasNext !== false;
	}

	/** The page before, where this poll has read it. */
	private pageBefore(number: number): ChargePage | undefined {
		const before = this.pages.get(number - 1);
		return before === 'failed' ? undefined : before;
	}

	private async request(number: number): Promise<ChargePage | 'failed'> {
		const startedAt = clock.elapsed();
		this.requests += 1;
		const page = await this.fetchPage(number).catch((error: unknown) => this.failed(number, error));
		// A page that hangs says nothing of the others.
		if (page !== 'failed') this.slowestMs = Math.max(this.slowestMs, clock.elapsed() - startedAt);
		return page;
	}

	private failed(number: number, error: unknown): ChargePage | 'failed' {
		if (!(error instanceof ServiceFailure || error instanceof ReportedError)) throw error;
		const { status = 0 } = error.failure ?? {};
		if (number > 1 && NO_SUCH_PAGE.has(status)) return noSuchPage(number);
		this.error ??= error;
		if (FINAL_STATUSES.has(status)) this.isRefused = true;
		return 'failed';
	}

	private learnFrom(page: ChargePage): void {
		const { number, rows, count, hasNext } = page;
		const { facts } = this;
		// That there is no such page may be said of all of them.
		if (number === 1 || rows.length > 0) this.hasAnswered = true;
		this.unreadable += rows.filter((row) => row === undefined).length;
		this.count = isOfPage(page) ? undefined : (count ?? this.count);
		this.firstCount ??= this.count;
		if (rows.length === 0 || page.isAgain) return;
		// A first page that others follow is full.
		const isFullFirst = number === 1 && (hasNext ?? (count ?? 0) > rows.length);
		facts.pageSize = isFullFirst ? rows.length : Math.max(facts.pageSize ?? 0, rows.length);
		const lastPage =
			this.count === undefined ? facts.lastPage : Math.ceil(this.count / facts.pageSize);
		facts.lastPage = this.isLast(page) ? number : Math.max(lastPage, number);
	}
}

const noSuchPage = (number: number): ChargePage => ({
	number,
	rows: [],
	count: undefined,
	hasNext: false,
});

/** Whether a count is that of the page alone: the answer, or a page before it, says that there is more. */
const isOfPage = ({ number, rows, count, hasNext }: ChargePage): boolean =>
	count !== undefined && count <= rows.length && (hasNext === true || number > 1);
