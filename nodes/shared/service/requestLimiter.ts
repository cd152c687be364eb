/** Requests in flight at most, over all items of one run of a node, unless the node's option says otherwise. */
export const DEFAULT_CONCURRENCY = 8;
export const MAX_CONCURRENCY = 16;

/**
 * The permits for requests that all items of one run of a node share. n8n starts every item of a declarative node at
 * once, each with a context of its own: without a common bound a thousand items would be a thousand connections.
 */
export class RequestLimiter {
	/** Undefined while nobody has set one. */
	private setLimit: number | undefined;

	private inFlight = 0;

	private readonly waiting: Array<() => void> = [];

	/** How often the limit was halved; tells whether an answer belongs to a request sent before the last time. */
	private halvings = 0;

	/** Sets the limit; once set it never rises within a run, so the most careful item decides. */
	limitConcurrency(limit: number): void {
		this.setLimit = Math.min(this.setLimit ?? limit, limit);
	}

	private get limit(): number {
		return this.setLimit ?? DEFAULT_CONCURRENCY;
	}

	/** Runs `send` once fewer requests than the limit are in flight; what it is given is for {@link slowDown}. */
	async withPermit<T>(send: (halvingsAtStart: number) => Promise<T>): Promise<T> {
		if (this.inFlight < this.limit) this.inFlight += 1;
		// Whoever is let in from the line takes over the place of the one that left.
		else await new Promise<void>((enter) => this.waiting.push(enter));
		try {
			return await send(this.halvings);
		} finally {
			const next = this.inFlight <= this.limit ? this.waiting.shift() : undefined;
			if (next === undefined) this.inFlight -= 1;
			else next();
		}
	}

	/**
	 * Halves the limit for the rest of the run after a 429, once for all requests that were under way together.
	 * Half of what was under way, if that was less than allowed; a request refused alone says nothing about it.
	 */
	slowDown(halvingsAtStart: number): void {
		if (halvingsAtStart !== this.halvings) return;
		this.halvings += 1;
		const underWay = this.inFlight > 1 ? this.inFlight : this.limit;
		this.setLimit = Math.max(1, Math.floor(Math.min(this.limit, underWay) / 2));
	}
}
