import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { onePer } from '../../shared/values';
import type { WriteId } from '../operation';

/** Longer than five attempts of a usual run of many items take. */
export const MAX_AGE_MS = 3_600_000;
export const MAX_ENTRIES = 20_000;

/** A write that was sent, whose outcome is unknown. Both are missing if they were dropped for age or number. */
export interface UnknownWrite {
	readonly state: 'unknown';
	/** What came instead of a response. */
	readonly came?: string;
	/** See WriteParts in onceOnly.ts. */
	readonly subject?: string;
}

/** The outcome of a write. */
type SentWrite = { readonly state: 'carriedOut'; readonly result: IDataObject } | UnknownWrite;

interface Entry {
	readonly run: WeakRef<object>;
	readonly values: string;
	/** By the clock's elapsed milliseconds. */
	readonly writtenAt: number;
	readonly outcome: SentWrite;
}

/**
 * "Retry On Fail" runs the whole node again with every item, and would create or refund all of it a second time. So the
 * outcome of each write is kept for the next attempt, in memory: n8n runs all attempts in one process. Bounded in number and age.
 */
export class SentWrites {
	/** In the order of writing, so that the oldest come first. */
	private readonly entries = new Map<string, Entry>();

	/** That something was written is known as long as its run can still be tried again, whatever was dropped. */
	private readonly writtenIn = onePer(() => new Set<string>());

	recall({ step, run, values }: WriteId): SentWrite | undefined {
		const entry = this.entries.get(step);
		const isKept = entry !== undefined && clock.elapsed() - entry.writtenAt <= MAX_AGE_MS;
		if (isKept && (entry.run.deref() === run || entry.values === values)) return entry.outcome;
		return this.writtenIn(run).has(step) ? { state: 'unknown' } : undefined;
	}

	note({ step, run, values }: WriteId, outcome: SentWrite): void {
		this.writtenIn(run).add(step);
		this.entries.delete(step);
		this.entries.set(step, { run: new WeakRef(run), values, writtenAt: clock.elapsed(), outcome });
		for (const [oldest, { writtenAt }] of this.entries) {
			if (this.entries.size <= MAX_ENTRIES && clock.elapsed() - writtenAt <= MAX_AGE_MS) break;
			this.entries.delete(oldest);
		}
	}

	/** Of a write that was certainly not carried out: it may go out again. */
	release({ step, run }: WriteId): void {
		this.entries.delete(step);
		this.writtenIn(run).delete(step);
	}

	get size(): number {
		return this.entries.size;
	}
}

/** The writes of this process. */
export const sentWrites = new SentWrites();
