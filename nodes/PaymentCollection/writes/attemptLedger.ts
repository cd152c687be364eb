import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';

/**
 * "Retry On Fail" runs the whole node again, with every item: what was created or refunded in the first try
 * would be created or refunded a second time. So the outcome of each write is kept for the next try, in memory:
 * n8n runs all tries of a node in one process.
 */

/** Longer than five tries of a usual run of many items take. */
export const MAX_AGE_MS = 3_600_000;
export const MAX_ENTRIES = 20_000;

/** Which write of which item: the same in every try of Retry On Fail, another when a loop really runs the node again. */
export interface AttemptKey {
	/** Unique for execution, node, run index, item index and endpoint. */
	readonly key: string;
	/** The object that n8n hands to every try of one run; its identity proves a retry, whatever the values are now. */
	readonly run: object;
	/** What would be sent; tells two writes apart where executions share an id. */
	readonly request: string;
}

/** What became of a write: its result, or what is needed to find that out. */
export type AttemptState<Unsettled> =
	| { readonly state: 'done'; readonly result: IDataObject }
	| { readonly state: 'unknown'; readonly about: Unsettled };

/** A write that went out in an earlier try, so long ago or before so many others that its outcome was dropped. */
const DROPPED = { state: 'dropped' } as const;

interface Entry<Unsettled> {
	readonly run: WeakRef<object>;
	readonly request: string;
	/** By the clock's elapsed milliseconds. */
	readonly writtenAt: number;
	readonly outcome: AttemptState<Unsettled>;
}

/** Outcomes of writes, bounded in number and age. */
export class AttemptLedger<Unsettled> {
	/** In the order of writing, so that the oldest come first. */
	private readonly entries = new Map<string, Entry<Unsettled>>();

	/** That something was written is known as long as its run can still be tried again, whatever was dropped. */
	private readonly written = new WeakMap<object, Set<string>>();

	recall({ key, run, request }: AttemptKey): AttemptState<Unsettled> | typeof DROPPED | undefined {
		const entry = this.entries.get(key);
		const isKept = entry !== undefined && clock.elapsed() - entry.writtenAt <= MAX_AGE_MS;
		if (isKept && (entry.run.deref() === run || entry.request === request)) return entry.outcome;
		return this.written.get(run)?.has(key) === true ? DROPPED : undefined;
	}

	record({ key, run, request }: AttemptKey, outcome: AttemptState<Unsettled>): void {
		const written = this.written.get(run) ?? new Set<string>();
		this.written.set(run, written.add(key));
		this.entries.delete(key);
		this.entries.set(key, { run: new WeakRef(run), request, writtenAt: clock.elapsed(), outcome });
		for (const [oldest, { writtenAt }] of this.entries) {
			if (this.entries.size <= MAX_ENTRIES && clock.elapsed() - writtenAt <= MAX_AGE_MS) break;
			this.entries.delete(oldest);
		}
	}

	/** Of a write that was certainly not carried out: it may go out again. */
	release({ key, run }: AttemptKey): void {
		this.entries.delete(key);
		this.written.get(run)?.delete(key);
	}

	get size(): number {
		return this.entries.size;
	}
}
