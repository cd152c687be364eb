import { ReportedError, ServiceFailure } from '../../shared/errors/failures';
import { clock } from '../../shared/clock';
import type { FetchPage, RawPage } from './chargePages';

/** Requests of one poll at most. */
const MAX_REQUESTS = 400;
/** Pages that may fail before a poll stops asking: a row that breaks a page does not break three. */
const MAX_FAILURES = 3;
/** After these, another request would get the same answer. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** What went wrong in a poll so far. */
interface Faults {
	/** With the first page that could not be had. */
	readonly error: ServiceFailure | ReportedError | undefined;
	/** Pages. */
	readonly failures: number;
}

/** The requests of one poll: how many it may send, and until when. */
export class Requests {
	sent = 0;
	faults: Faults = { error: undefined, failures: 0 };
	/** An answer would have been the same for any other request. */
	isRefused = false;
	private slowestMs = 0;

	/** @param deadlineMs when the last one must have ended, by the clock's elapsed milliseconds */
	constructor(
		private readonly fetchPage: FetchPage,
		private readonly deadlineMs: number,
	) {}

	/** Whether there was no time for all that was to be read. */
	get isOutOfTime(): boolean {
		return this.sent > 0 && clock.elapsed() + this.slowestMs >= this.deadlineMs;
	}

	/** Whether there is time for another one, if it takes as long as the slowest so far. */
	get mayRead(): boolean {
		const isBroken = this.isRefused || this.faults.failures >= MAX_FAILURES;
		return !isBroken && !this.isOutOfTime && this.sent < MAX_REQUESTS;
	}

	async send(page: number): Promise<RawPage> {
		const startedAt = clock.elapsed();
		this.sent += 1;
		return await this.fetchPage(page).finally(() => {
			this.slowestMs = Math.max(this.slowestMs, clock.elapsed() - startedAt);
		});
	}

	/** @throws what is no failure of the service: it is one of our own, or the user's */
	countFailure(error: unknown): undefined {
		if (!(error instanceof ServiceFailure || error instanceof ReportedError)) throw error;
		this.faults = { error: this.faults.error ?? error, failures: this.faults.failures + 1 };
		if (FINAL_STATUSES.has(error.failure?.status ?? 0)) this.isRefused = true;
		return undefined;
	}
}
