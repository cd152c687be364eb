import type { ReportedError, ServiceFailure } from '../../shared/errors/failures';
import type { Cursor } from '../cursor/cursor';
import { PAST_THE_END } from './chargePages';
import type { FetchPage, RawPage } from './chargePages';
import { PagePlacer } from './pagePlacer';
import type { ChargePage } from './chargePage';
import { MissingPages, hasFailed } from './missingPages';
import { Requests } from './requests';

/** The charge list in one poll: each page is read once, and each answer's count goes into the ledger. */
export class ChargeList {
	/** An answer has told something: rows, or how many there are. */
	hasLearned = false;
	/** Page 1 says that another one stands before it. */
	hasPrevious = false;
	readonly requests: Requests;
	/** Those that were asked for; undefined for one that failed. */
	private readonly pages = new Map<number, ChargePage | undefined>();
	/** What coordinates meant when they were read. */
	private numbering = '';
	/** Keys of charges that could not be read; of one without an id, the coordinate. */
	private readonly unreadableRows = new Set<string | number>();
	private readonly placer: PagePlacer;
	private readonly missing: MissingPages;

	constructor(
		fetchPage: FetchPage,
		private readonly cursor: Cursor,
		deadlineMs: number,
	) {
		this.requests = new Requests(fetchPage, deadlineMs);
		const read = async (number: number) => await this.read(number);
		this.missing = new MissingPages(cursor, this.requests, this.pages, read);
		this.placer = new PagePlacer(cursor, () => {
			this.pages.clear();
			this.missing.guessed.clear();
		});
	}

	/** What went wrong with the first page that could not be had. */
	get error(): ServiceFailure | ReportedError | undefined {
		return this.requests.faults.error;
	}

	/** Charges that could not be read, each once, though a page may be read again. */
	get unreadable(): number {
		return this.unreadableRows.size;
	}

	/** Whether asking for the page costs no request. */
	has(number: number): boolean {
		return this.pages.has(number);
	}

	/** @returns undefined when the page failed, or there is no time for it */
	async read(number: number): Promise<ChargePage | undefined> {
		// The pages bear coordinates that mean something else now.
		if (this.numbering !== this.numberingNow) this.pages.clear();
		this.numbering = this.numberingNow;
		if (this.pages.has(number)) return this.pages.get(number);
		if (!this.requests.mayRead) return undefined;
		const wasCounted = this.cursor.list.length.kind === 'counted';
		const answer = await this.fetch(number);
		if (number === 1) this.hasPrevious = answer?.hasPrevious === true;
		const isEmpty = number > 1 && answer?.records.length === 0;
		// Asked for only to tell of the page beside it, it does not matter yet itself.
		if (isEmpty && this.missing.isLooking) return undefined;
		const raw = isEmpty ? await this.emptyPage(number, answer) : answer;
		const page = raw === undefined ? undefined : this.placer.place(number, raw);
		const slots = page?.slots ?? [];
		const hasRows = slots.length > 0;
		for (const { row, unreadableKey, coordinate } of slots)
			if (row === undefined) this.unreadableRows.add(unreadableKey ?? coordinate);
		// What has refuted the count is looked at once more without it.
		const isRefuted = wasCounted && this.cursor.list.length.kind === 'uncounted';
		if (isRefuted) this.pages.clear();
		if (!isRefuted || hasRows) this.pages.set(number, page);
		if (raw === undefined || page === undefined) return undefined;
		this.numbering = this.numberingNow;
		this.hasLearned ||= number === 1 || hasRows || raw.count !== undefined;
		return page;
	}

	private async fetch(number: number): Promise<RawPage | undefined> {
		return await this.requests
			.send(number)
			.catch(async (error: unknown) =>
				(await this.missing.isBrokenEnd(number, error))
					? PAST_THE_END
					: this.requests.countFailure(error),
			);
	}

	/** @returns undefined when it counts as one that failed */
	private async emptyPage(number: number, answer: RawPage): Promise<RawPage | undefined> {
		if (answer === PAST_THE_END || (await this.missing.isEnd(number, answer))) return answer;
		// A page without rows tells something each time: it raises the doubts about the count. One that the service denies
		// tells it only if page 1 is not denied, too; where there is no time to ask for that, nobody could tell otherwise.
		if (answer.denial !== undefined && !this.hasLearned && !this.isSlow) await this.read(1);
		if (answer.denial === undefined || this.isSlow) this.hasLearned = true;
		return undefined;
	}

	/** There was no time for more, or for its answer. */
	private get isSlow(): boolean {
		return this.requests.isOutOfTime && !this.requests.isRefused;
	}

	private get numberingNow(): string {
		const { newEnd, length } = this.cursor.list;
		return `${newEnd} ${length.kind}`;
	}

	/** Pages are asked for anew. */
	forget(): void {
		this.placer.forget();
	}

	hasFailed(number: number): boolean {
		return hasFailed(this.pages, number);
	}

	/** Whether only missing pages show that a page lies behind the end: another poll may find rows there. */
	isGuessedEnd(number: number): boolean {
		return this.missing.guessed.has(number) && this.pages.get(number)?.slots.length === 0;
	}
}
