import { ReportedError, ServiceFailure } from '../../shared/errors/failures';
import { clock } from '../../shared/clock';
import type { Cursor } from '../cursor/cursor';
import { PAST_THE_END } from './chargePages';
import type { FetchPage, RawPage } from './chargePages';
import { PagePlacer } from './pagePlacer';
import { signsOfEnd } from './chargePage';
import type { ChargePage } from './chargePage';

/** Requests of one poll at most. */
const MAX_REQUESTS = 400;
/** Pages that may fail before a poll stops asking: a row that breaks a page does not break three. */
const MAX_FAILURES = 3;
const SERVER_ERROR = 500;
/** After these, another request would get the same answer. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** The charge list in one poll: each page is read once, and each answer's count goes into the ledger. */
export class ChargeList {
	requests = 0;

	/** An answer has told something: rows, or how many there are. */
	hasLearned = false;

	/** What went wrong with the first page that could not be had. */
	error: ServiceFailure | ReportedError | undefined = undefined;

	private failures = 0;

	/** An answer would have been the same for any other request. */
	isRefused = false;

	private slowestMs = 0;

	private isLooking = false;

	private numbering = '';

	private readonly pages = new Map<number, ChargePage | undefined>();

	private readonly placer: PagePlacer;

	/** @param deadlineMs when the last request must have ended, by the clock */
	constructor(
		private readonly fetchPage: FetchPage,
		private readonly cursor: Cursor,
		private readonly deadlineMs: number,
	) {
		this.placer = new PagePlacer(cursor, () => {
			this.pages.clear();
		});
	}

	/** Rows that could not be read. */
	get unreadable(): number {
		return this.placer.unreadable;
	}

	/** Whether there was time for what was to be read. */
	get isOutOfTime(): boolean {
		return this.requests > 0 && clock.now() + this.slowestMs >= this.deadlineMs;
	}

	/** Whether there is time for another request, if it takes as long as the slowest so far. */
	get mayRead(): boolean {
		const isBroken = this.isRefused || this.failures >= MAX_FAILURES;
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
		this.numbering = this.numberingNow;
		if (this.pages.has(number)) return this.pages.get(number);
		if (!this.mayRead) return undefined;
		const raw = await this.fetch(number).catch(async (error: unknown) =>
			(await this.isBehindEnd(number, error)) ? PAST_THE_END : this.countFailure(error),
		);
		const page = raw === undefined ? undefined : this.placer.place(number, raw);
		this.pages.set(number, page);
		if (raw === undefined || page === undefined) return undefined;
		this.numbering = this.numberingNow;
		this.hasLearned ||= number === 1 || page.slots.length > 0 || raw.count !== undefined;
		return page;
	}

	private async fetch(number: number): Promise<RawPage> {
		const startedAt = clock.now();
		this.requests += 1;
		return await this.fetchPage(number, this.deadlineMs).finally(() => {
			this.slowestMs = Math.max(this.slowestMs, clock.now() - startedAt);
		});
	}

	/**
	 * Some services fail behind the end. The page behind one that seems to be the last is none; where the count says
	 * otherwise, or nothing shows the end, the next one has to fail too: a row that breaks a page breaks no other.
	 */
	private async isBehindEnd(number: number, error: unknown): Promise<boolean> {
		const isBroken = error instanceof ServiceFailure && error.failure.status === SERVER_ERROR;
		if (!isBroken || number === 1 || this.isLooking) return false;
		// Where nothing shows the end, the second of two that fail is behind it, if the first was asked for before.
		if (this.hasFailed(number - 1)) return this.cursor.list.length.kind === 'uncounted';
		this.isLooking = true;
		const before = await this.read(number - 1);
		const signs = before === undefined ? 0 : signsOfEnd(before, this.cursor.list);
		const faults = { error: this.error, failures: this.failures };
		if (signs === 1) await this.read(number + 1);
		this.isLooking = false;
		const isEnd = signs > 1 || (signs === 1 && this.hasFailed(number + 1));
		// Both were denied by the answer before them: that they fail is no fault.
		if (isEnd && before?.saysNext === false) Object.assign(this, faults);
		return isEnd;
	}

	/** @throws what is no failure of the service: it is one of our own, or the user's */
	private countFailure(error: unknown): undefined {
		if (!(error instanceof ServiceFailure || error instanceof ReportedError)) throw error;
		this.error ??= error;
		this.failures += 1;
		if (FINAL_STATUSES.has(error.failure?.status ?? 0)) this.isRefused = true;
		return undefined;
	}

	private get numberingNow(): string {
		const { newEnd, length } = this.cursor.list;
		return `${newEnd} ${length.kind}`;
	}

	/** Pages are asked for anew. */
	forget(): void {
		this.placer.forget();
	}

	/** Whether a page was asked for and failed: nobody can say what stands there. */
	hasFailed(number: number): boolean {
		return this.pages.has(number) && this.pages.get(number) === undefined;
	}
}
