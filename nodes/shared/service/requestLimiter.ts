import { clock, sleepUnlessAborted } from '../clock';

/** Requests in flight, over all items of one run of a node, unless the node's option says otherwise. */
export const DEFAULT_CONCURRENCY = 8;
export const MAX_CONCURRENCY = 16;

/** More than n8n needs to process one response. */
const MOST_BETWEEN_STARTS_MS = 3;
/** After faster responses, starts are not spread: n8n's own processing is the bottleneck then. */
const QUICK_ANSWER_MS = 10;

/** Shared by all items of a run: several run at once, and each of them can read many pages of a list at once. */
export class RequestLimiter {
	private limit = Infinity;
	private inFlight = 0;
	private readonly waiting: Array<() => void> = [];
	/** Shows whether a response belongs to a request sent before the last halving. */
	private halvings = 0;
	/** Milliseconds; undefined before the first response. */
	private shortestAnswer: number | undefined;
	/** When the next request can begin, in milliseconds of clock.elapsed(). */
	private nextStart = 0;

	/** The limit never rises within a run, so the most careful item decides. */
	limitConcurrency(limit = DEFAULT_CONCURRENCY): void {
		this.limit = Math.min(this.limit, limit);
	}

	/** @param send receives the value for {@link slowDown} @throws {CancelledError} when stopped before it began */
	async withPermit<T>(
		send: (halvingsAtStart: number) => Promise<T>,
		signal?: AbortSignal,
	): Promise<T> {
		if (this.inFlight < this.limit) this.inFlight += 1;
		// The next in line takes the permit of the request that ended.
		else await new Promise<void>((enter) => this.waiting.push(enter));
		try {
			const wait = this.reserveStart();
			if (wait > 0) await sleepUnlessAborted(wait, signal);
			const start = clock.elapsed();
			const answer = await send(this.halvings);
			const took = clock.elapsed() - start;
			this.shortestAnswer = Math.min(this.shortestAnswer ?? took, took);
			return answer;
		} finally {
			const next = this.inFlight <= this.limit ? this.waiting.shift() : undefined;
			if (next === undefined) this.inFlight -= 1;
			else next();
		}
	}

	/**
	 * Milliseconds to wait, so that requests don't leave together: their responses would arrive together, and n8n sends nothing
	 * while it processes them. The service would wait for n8n and n8n for the service.
	 */
	private reserveStart(): number {
		const shortest = this.shortestAnswer ?? 0;
		const distance = Math.min(MOST_BETWEEN_STARTS_MS, shortest / this.limit);
		const now = clock.elapsed();
		const mayWait = this.inFlight > 1 && shortest >= QUICK_ANSWER_MS;
		const start = mayWait ? Math.max(now, this.nextStart) : now;
		this.nextStart = start + distance;
		return start - now;
	}

	/** After a 429, halves the limit or the number in flight, whichever is less: once for all requests in flight together. */
	slowDown(halvingsAtStart: number): void {
		if (halvingsAtStart !== this.halvings) return;
		this.halvings += 1;
		// A request that is refused alone says nothing about how many are allowed.
		const underWay = this.inFlight > 1 ? this.inFlight : this.limit;
		this.limit = Math.max(1, Math.floor(Math.min(this.limit, underWay) / 2));
	}
}
