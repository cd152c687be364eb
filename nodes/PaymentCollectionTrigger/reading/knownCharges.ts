import { budgets } from '../cursor/budgets';
import { KeySet, splitKeys, startsOf } from '../cursor/keySet';
import { newestAgreed, newestOf } from '../dates';
import type { Cursor } from '../cursor/cursor';
import type { KnownAccount } from '../cursor/stored';
import { EARLIEST, earliest, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';

/** Length of the buckets of time that known charges are forgotten by. */
const BUCKET_SECONDS = 1;

/** When the newest charges that earlier polls have looked at were created, to the second; those of the future left out. */
export const newestKnown = ({ known }: Cursor, nowMs: number): Instant[] =>
	newestOf(startsOf(known, BUCKET_SECONDS), nowMs);

/** What every version of the package shall know of the cursor's account. */
export const accountOf = (cursor: Cursor, nowMs: number): KnownAccount => ({
	account: cursor.account,
	seenUpTo: seenUpTo(cursor, nowMs),
	filters: cursor.filters.fingerprint,
	polledAt: cursor.polledAt,
	windowStart: cursor.window.start,
});

/**
 * Up to when charges were looked at, by their own dates: by a clock that is fast, what came in later would count as seen.
 * Before the first of them, and while not all was read, the last poll tells.
 */
function seenUpTo({ known, polledAt, silence }: Cursor, nowMs: number): Instant {
	const newest = newestAgreed(startsOf(known, BUCKET_SECONDS), nowMs);
	if (newest === EARLIEST) return polledAt;
	const upTo = shift(newest, BUCKET_SECONDS * 1000);
	return silence === undefined ? upTo : latest(polledAt, upTo);
}

/** Charges that were looked at. What is added is in the cursor once {@link KnownCharges.save} was called. */
export class KnownCharges {
	private readonly keys: KeySet;

	/** Those that were new last, told or left out, which may be older than what is remembered. */
	private readonly recent: Set<string>;

	constructor(private readonly cursor: Cursor) {
		this.keys = new KeySet(cursor.known, BUCKET_SECONDS);
		this.recent = new Set(splitKeys(cursor.recent ?? ''));
	}

	has(key: string): boolean {
		return this.keys.has(key) || this.recent.has(key);
	}

	/** Whether a charge of that key was looked at, and had been created in the same second. */
	hasCreated(key: string, at: Instant): boolean {
		return this.keys.hasAt(key, at);
	}

	/** Whether it was one of the last that were new, while others wait. */
	wasTaken(key: string): boolean {
		return this.recent.has(key);
	}

	add(key: string, at: Instant): void {
		this.keys.add(key, at);
	}

	/** Adds one that is new, told or left out. */
	addTaken(key: string, at: Instant): void {
		this.keys.add(key, at);
		this.recent.add(key);
	}

	/** @returns since when keys are complete, where some of the window had to be forgotten for want of room */
	save(): Instant | undefined {
		const { cursor, keys } = this;
		const starts = cursor.unread.map(({ since }) => since);
		if (cursor.backlog !== undefined) starts.push(cursor.backlog.since);
		keys.forgetBefore(earliest(cursor.window.start, ...starts));
		// Many ranges, as there are where rows can't be read, make the state no larger.
		const taken = Math.max(0, JSON.stringify(cursor.unread).length - budgets.ranges);
		const { most, enough } = budgets.known;
		const budget = { most: most - taken, enough: enough - taken };
		const forgottenBefore = keys.shrink(budget, cursor.backlog?.since);
		cursor.knownSince = latest(cursor.knownSince, forgottenBefore ?? cursor.knownSince);
		cursor.known = keys.toBuckets();
		const isWaiting = cursor.backlog !== undefined || cursor.unread.length > 0;
		if (!isWaiting || this.recent.size === 0) delete cursor.recent;
		else cursor.recent = [...this.recent].slice(-budgets.recent).join('');
		return forgottenBefore !== undefined && forgottenBefore > cursor.window.start
			? forgottenBefore
			: undefined;
	}
}
