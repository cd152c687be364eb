import { DEFAULT_PAGE_SIZE } from '../../../contract/constants';
import { ReportedError } from '../../shared/errors/reportedError';
import { isForAllRequests } from '../../shared/errors/failure';
import { clock } from '../../shared/clock';
import { isListEnd } from '../../shared/lists/listEnd';
import type { ListFacts, PageOutline, Walk } from '../state/state';
import { withBelievedCount, type ConfirmingList } from './believedCount';
import { outlineOf, type FetchPage, type Page, type PageRead } from './pages';

const MAX_REQUESTS_PER_POLL = 400;
/** If so many pages in a row fail, they are not broken: the service is down. */
export const FAILURES_OF_OUTAGE = 3;

/** The list of records as one poll reads it, within its time and number of requests. Keeps pages until {@link forget}. */
export class RecordList implements ConfirmingList {
	/** The error of the first page that failed. */
	error: ReportedError | undefined;
	requests = 0;
	/** Rows without an id or a time of creation. */
	unreadable = 0;
	/** The last count read; undefined if the last page with rows had none. */
	count: number | undefined;
	/** The first count since {@link forget}. */
	firstCount: number | undefined;
	hasAnswered = false;
	private before: PageOutline | undefined;
	private pages = new Map<number, Page | 'failed'>();
	private isRefused = false;
	/** The last page that this poll has found, and the first one that it has found past the end. */
	private highest = 0;
	private past = Infinity;
	private slowestMs = 0;
	private readonly startedAt = clock.elapsed();
	confirmedPage = 0;
	refutedPage = Infinity;

	/** @param facts is changed */
	constructor(
		private readonly fetchPage: FetchPage,
		readonly facts: ListFacts,
		private readonly deadlineMs: number,
	) {}

	/** A page may take as long as the slowest one so far. Until one has arrived, half of the time is kept for page 1. */
	mayRead(isFirstPage = false): boolean {
		const leftMs = this.deadlineMs - clock.elapsed() - this.slowestMs;
		const keptMs = this.hasAnswered || isFirstPage ? 0 : (this.deadlineMs - this.startedAt) / 2;
		const hasTime = this.requests === 0 || leftMs > keptMs;
		return hasTime && !this.isRefused && this.requests < MAX_REQUESTS_PER_POLL;
	}

	get warnings(): string[] {
		const { error, unreadable } = this;
		return [
			error !== undefined &&
				`A page of the list could not be read and will be read again: ${error.details.failure?.status ?? error.details.failure?.kind ?? error.message}`,
			unreadable > 0 &&
				`Rows without a readable ID or creation time: ${unreadable}. They are skipped until they have both.`,
		].filter((text) => text !== false);
	}

	/** Pages are read anew from now on. */
	forget(): void {
		this.pages.clear();
		this.firstCount = undefined;
	}

	/** The page where charges come in, if the list has an order. */
	get newEnd(): number {
		return this.step === 1 ? 1 : this.facts.lastPage;
	}

	/** Added to a page's number, it gives the page with the next older records. */
	get step(): 1 | -1 {
		return this.facts.order === 'oldestFirst' ? -1 : 1;
	}

	get isByDate(): boolean {
		return this.facts.order !== 'unsorted';
	}

	/** True if no page follows toward the old end. */
	isOldEnd(page: Page): boolean {
		return this.step === 1 ? this.isLast(page) : page.number <= 1;
	}

	/** Finds the last page: reads on from the believed one, or searches below it. @returns false if time ran out past the believed one */
	async findLastPage(): Promise<boolean> {
		const { facts } = this;
		let hasFailed = false;
		for (let number = facts.lastPage; this.highest + 1 < this.past; ) {
			const page = await this.readAsListed(number);
			if (page === 'none') return number <= facts.lastPage;
			// Ends at the last page, or at a second failure in a row.
			if (page === 'failed' ? hasFailed : page.rows.length > 0 && this.isLast(page)) return true;
			hasFailed = page === 'failed';
			// A failing page counts as existing.
			if (hasFailed && number <= facts.lastPage) this.highest = Math.max(this.highest, number);
			number = Math.max(number + 1, facts.lastPage);
			// The last page is between two pages that were read: continues in the middle.
			if (this.past < Infinity) number = Math.max(1, Math.floor((this.highest + this.past) / 2));
		}
		return true;
	}

	/**
	 * Reads page after page toward the old end, and skips failing ones. @param visit returns true for the last page of interest
	 * @returns that page, or the list's last one; `failed` after three failures in a row, `none` if the next poll continues
	 */
	async walk(place: Walk, visit: (page: Page) => boolean): Promise<PageRead> {
		this.before = place.before;
		delete place.before;
		for (let failures = 0; ; ) {
			const number = place.nextPage + this.step * failures;
			const page = await this.read(number);
			if (page === 'failed' && this.isRefused) return 'none';
			if (page === 'failed') {
				failures += 1;
				if (failures < FAILURES_OF_OUTAGE) continue;
				Object.assign(place, { nextPage: number + this.step, hasFailed: true });
				return this.mayRead(number === 1) ? page : 'none';
			}
			// The failed pages are passed: trying them again could take all the time.
			if (failures > 0) Object.assign(place, { nextPage: number, hasFailed: true });
			if (page === 'none') {
				place.before = outlineOf(this.pageBefore(number));
				return page;
			}
			place.nextPage = number + this.step;
			failures = 0;
			if (visit(page) || this.isOldEnd(page)) return page;
			if (page.rows.length > 0) continue;
			// The page is past the end: the count was too high.
			if (!(await this.findLastPage())) return 'none';
			place.nextPage = Math.min(place.nextPage, this.facts.lastPage);
		}
	}

	/** A page with its rows from the new end. */
	async read(number: number): Promise<PageRead> {
		if (number < 1) return { number, rows: [], hasNext: false };
		const page = await this.readAsListed(number);
		const isReversed = this.step === -1 && page !== 'failed' && page !== 'none';
		return isReversed ? { ...page, rows: page.rows.toReversed() } : page;
	}

	private async readAsListed(number: number): Promise<PageRead> {
		const present = this.pages.get(number);
		if (present !== undefined && !this.isOutgrown(present)) return present;
		if (!this.mayRead(number === 1)) return 'none';
		let page = await this.request(number);
		const isExpected =
			number > 1 && (this.pageBefore(number)?.hasNext ?? number <= this.facts.lastPage);
		const isGone = (): boolean => page !== 'failed' && page.rows.length === 0 && isExpected;
		// A page that should exist is requested again, here or in the next poll. If it is missing twice, it is past the end.
		if (isGone() && this.facts.gone !== number) {
			this.facts.gone = number;
			if (!this.mayRead()) return 'none';
			page = await this.request(number);
		}
		// A service that is down may say of every page that it doesn't exist.
		const mayBeDown = isGone() && !this.hasAnswered;
		if (mayBeDown && (await this.readAsListed(1)) === 'failed') page = 'failed';
		if (page !== 'failed') page = this.emptyIfRepeated(page);
		if (page !== 'failed') this.learnFrom(page);
		this.pages.set(number, page);
		return page;
	}

	/** True if it was the last page, where charges come in, before more came in. */
	private isOutgrown(page: Page | 'failed'): boolean {
		return this.step === -1 && page !== 'failed' && this.isLast(page) && page.count !== this.count;
	}

	private isLast(page: Page): boolean {
		const through = this.rowsBefore(page.number) + page.rows.length;
		return isListEnd(page, through, DEFAULT_PAGE_SIZE);
	}

	private rowsBefore(number: number): number {
		return (number - 1) * (this.facts.pageSize ?? 0);
	}

	/** Past the end, some services repeat the last page. Only a second repetition counts as empty: a page of new charges causes one, too. */
	private emptyIfRepeated(page: Page): Page {
		const { number, rows, count = this.count ?? 0 } = page;
		const before = this.pageBefore(number);
		const mayHaveMoved = this.rowsBefore(number) < count && count !== before?.count;
		const isReadable = rows.some((row) => row !== undefined);
		const isSame = rows.every((row, at) => row?.key === before?.rows[at]?.key);
		if (mayHaveMoved || !isReadable || rows.length !== before?.rows.length || !isSame) return page;
		return before.isAgain ? { ...page, rows: [] } : { ...page, isAgain: true };
	}

	/** The page before, if it was read by this poll, or by the poll whose walk it continues. */
	private pageBefore(number: number): PageOutline | undefined {
		const before = this.pages.get(number - 1);
		if (before !== undefined) return before === 'failed' ? undefined : before;
		return this.before?.number === number - 1 ? this.before : undefined;
	}

	private async request(number: number): Promise<Page | 'failed'> {
		const startedAt = clock.elapsed();
		this.requests += 1;
		const fetched = await this.fetch(number);
		const page = fetched === 'failed' ? fetched : await withBelievedCount(this, fetched);
		// A page that hangs says nothing about the others.
		if (page !== 'failed') this.slowestMs = Math.max(this.slowestMs, clock.elapsed() - startedAt);
		return page;
	}

	async fetch(number: number): Promise<Page | 'failed'> {
		const page = await this.fetchPage(number).catch((error: unknown) => this.failed(error));
		if (page === 'failed') return page;
		this.unreadable += page.rows.filter((row) => row === undefined).length;
		// A service that is down may say of every later page that it doesn't exist.
		if (number === 1 || page.rows.length > 0) this.hasAnswered = true;
		return page;
	}

	private failed(error: unknown): 'failed' {
		if (!(error instanceof ReportedError)) throw error;
		this.error ??= error;
		const { failure } = error.details;
		if (failure !== undefined && isForAllRequests(failure)) this.isRefused = true;
		return 'failed';
	}

	private learnFrom(page: Page): void {
		const { number, rows, count } = page;
		const { facts } = this;
		this.count = rows.length === 0 ? (count ?? this.count) : count;
		this.firstCount ??= this.count;
		if (rows.length === 0) {
			this.past = Math.min(this.past, number);
			facts.lastPage = Math.max(1, Math.min(facts.lastPage, this.highest || this.past - 1));
		}
		if (rows.length > 0) this.highest = Math.max(this.highest, number);
		if (rows.length === 0 || page.isAgain) return;
		if (facts.gone === number) delete facts.gone;
		// A first page that others follow is full.
		const isFullFirst = number === 1 && !this.isLast(page);
		facts.pageSize = isFullFirst ? rows.length : Math.max(facts.pageSize ?? 0, rows.length);
		const { lastPage } = facts;
		const byCount = this.count === undefined ? lastPage : Math.ceil(this.count / facts.pageSize);
		facts.lastPage = this.isLast(page)
			? number
			: Math.max(Math.min(byCount, this.past - 1), number);
	}
}
