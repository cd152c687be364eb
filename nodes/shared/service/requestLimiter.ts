import { clock, sleepUnlessAborted } from '../clock';

/** Requests in flight at most, over all items of one run of a node, unless the node's option says otherwise. */
export const DEFAULT_CONCURRENCY = 8;
export const MAX_CONCURRENCY = 16;

/** More than n8n needs to work on one answer. */
const MOST_BETWEEN_STARTS_MS = 3;
/**
 * An answer that came sooner is worth no waiting for: n8n itself takes as long for the others that are under way, so that
 * it is n8n that everything waits for.
 */
const QUICK_ANSWER_MS = 10;

/**
 * The permits for requests that all items of one run of a node share. n8n starts every item of a declarative node at
 * once, each with a context of its own: without a common bound a thousand items would be a thousand connections.
 */
export class RequestLimiter {
	/** Requests in flight at most. */
	private limit = Infinity;

	private inFlight = 0;

	private readonly waiting: Array<() => void> = [];

	/** How often the limit was halved; shows whether an answer belongs to a request sent before the last time. */
	private halvings = 0;

	/** The shortest time that an answer took, in milliseconds; undefined before the first one. */
	private shortestAnswer: number | undefined;

	/** When the next request may begin, by the clock's elapsed milliseconds. */
	private nextStart = 0;

	/** Sets the limit. It never rises within a run, so the most careful item decides. */
	limitConcurrency(limit = DEFAULT_CONCURRENCY): void {
		this.limit = Math.min(this.limit, limit);
	}

	/**
	 * Runs `send` once fewer requests than the limit are in flight; what it is given is for {@link slowDown}.
	 *
	 * @throws {CancelledError} when the execution is cancelled before it could begin
	 */
	async withPermit<T>(
		send: (halvingsAtStart: number) => Promise<T>,
		signal?: AbortSignal,
	): Promise<T> {
		if (this.inFlight < this.limit) this.inFlight += 1;
		// The one that is let in from the line takes over the place of the one that left.
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
	 * How long a request waits so that the next ones do not leave all at once, in milliseconds. Requests that leave
	 * together are answered together, and while n8n works on eight answers, it sends nothing: the service waits for n8n
	 * and n8n for the service. Spread over the time of an answer, one waits while the others work.
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

	/**
	 * Halves the limit for the rest of the run after a 429, once for all requests that were under way together.
	 * Half of what was under way, if that was less than allowed; a request refused alone says nothing about it.
	 */
	slowDown(halvingsAtStart: number): void {
		if (halvingsAtStart !== this.halvings) return;
		this.halvings += 1;
		const underWay = this.inFlight > 1 ? this.inFlight : this.limit;
		this.limit = Math.max(1, Math.floor(Math.min(this.limit, underWay) / 2));
	}
}
