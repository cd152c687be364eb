import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { onePer } from '../../shared/values';
import type { WriteId } from '../operation';

/** Longer than five attempts of a usual run with many items. */
export const MAX_AGE_MS = 3_600_000;
export const MAX_ENTRIES = 20_000;

/** oneRequest.ts notes `why`, ledger.ts notes `subject`. Both are missing if the entry was dropped for age or number. */
export interface UnknownWrite {
	readonly state: 'unknown';
	/** Says why there is no confirmation. */
	readonly why?: string;
	readonly subject?: string;
}

type SentWrite = { readonly state: 'carriedOut'; readonly result: IDataObject } | UnknownWrite;

interface Entry {
	readonly run: WeakRef<object>;
	readonly hash: string;
	/** Milliseconds of clock.elapsed(). */
	readonly notedAt: number;
	readonly outcome: SentWrite;
}

/**
 * "Retry On Fail" runs the whole node again with every item, and would create or refund everything a second time. So each
 * outcome is kept for the next attempt, in memory: n8n runs all attempts in one process.
 */
export class SentWrites {
	private readonly entries = new Map<string, Entry>();
	/** The steps that have sent a write, known as long as their run can be tried again, even if an entry was dropped. */
	private readonly sentIn = onePer(() => new Set<string>());

	recall({ step, run, hash }: WriteId): SentWrite | undefined {
		const entry = this.entries.get(step);
		const isKept = entry !== undefined && clock.elapsed() - entry.notedAt <= MAX_AGE_MS;
		if (isKept && (entry.run.deref() === run || entry.hash === hash)) return entry.outcome;
		return this.sentIn(run).has(step) ? { state: 'unknown' } : undefined;
	}

	note({ step, run, hash }: WriteId, outcome: SentWrite): void {
		this.sentIn(run).add(step);
		this.entries.delete(step);
		this.entries.set(step, { run: new WeakRef(run), hash, notedAt: clock.elapsed(), outcome });
		for (const [oldest, { notedAt }] of this.entries) {
			if (this.entries.size <= MAX_ENTRIES && clock.elapsed() - notedAt <= MAX_AGE_MS) break;
			this.entries.delete(oldest);
		}
	}

	/** The write was certainly not carried out, so it can be sent again. */
	release({ step, run }: WriteId): void {
		this.entries.delete(step);
		this.sentIn(run).delete(step);
	}

	get size(): number {
		return this.entries.size;
	}
}

export const sentWrites = new SentWrites();
