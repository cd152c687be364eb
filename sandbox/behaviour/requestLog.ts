import { performance } from 'node:perf_hooks';

/** One request to the service. The key itself is never kept. */
export interface RequestEntry {
	/** 1 for the first request. */
	readonly order: number;
	readonly method: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	/** Whether the key header was there at all, and whether it was the right one. */
	readonly keySent: boolean;
	readonly keyRight: boolean;
	/** Requests in flight when this one came in, itself included. */
	readonly inFlight: number;
	/** Milliseconds of a monotonic clock, for gaps between requests. */
	readonly startedAtMs: number;
	endedAtMs: number | null;
	/** The JSON body that came in, if any. */
	body?: unknown;
	/** Null as long as there is no answer, and for good when there was none (reset, hang, client gone). */
	status: number | null;
}

/** Requests in the order in which they came in. */
export class RequestLog {
	private list: RequestEntry[] = [];
	private open = 0;
	private greatest = 0;
	/** Counts on across {@link clear}. */
	private count = 0;

	get entries(): readonly RequestEntry[] {
		return this.list;
	}

	/** Requests seen since the start. */
	get size(): number {
		return this.count;
	}

	/** The most requests that were in flight at once since the last {@link clear}. */
	get maxInFlight(): number {
		return this.greatest;
	}

	start(
		facts: Pick<RequestEntry, 'method' | 'path' | 'query' | 'keySent' | 'keyRight'>,
	): RequestEntry {
		this.count += 1;
		this.open += 1;
		this.greatest = Math.max(this.greatest, this.open);
		const entry: RequestEntry = {
			order: this.count,
			...facts,
			inFlight: this.open,
			startedAtMs: performance.now(),
			endedAtMs: null,
			status: null,
		};
		this.list.push(entry);
		return entry;
	}

	/** Marks the end of a request, answered or not; a second call is ignored. */
	end(entry: RequestEntry, status: number | null): void {
		if (entry.endedAtMs !== null) return;
		entry.endedAtMs = performance.now();
		entry.status = status;
		this.open -= 1;
	}

	clear(): void {
		this.list = [];
		this.greatest = this.open;
	}
}
