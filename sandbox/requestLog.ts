import { performance } from 'node:perf_hooks';
import type { RequestFacts } from './faults';

/** One request to the service. The key itself is never kept. */
export interface RequestEntry extends RequestFacts {
	/** True if the header with the key was there, even with a wrong key. */
	readonly keySent: boolean;
	readonly keyRight: boolean;
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
	entries: RequestEntry[] = [];
	/** The most requests that were in flight at once since the last {@link clear}. */
	maxInFlight = 0;
	/** Requests seen since the start, also those that {@link clear} forgot. */
	count = 0;
	private open = 0;

	start(facts: Pick<RequestEntry, keyof RequestFacts | 'keySent' | 'keyRight'>): RequestEntry {
		this.count += 1;
		this.open += 1;
		this.maxInFlight = Math.max(this.maxInFlight, this.open);
		const startedAtMs = performance.now();
		const entry: RequestEntry = { ...facts, startedAtMs, endedAtMs: null, status: null };
		this.entries.push(entry);
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
		this.entries = [];
		this.maxInFlight = this.open;
	}
}
