import { createHash } from 'node:crypto';
import { fromMs, toMs } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { Budget } from './budgets';

/** Characters of a key: 60 bits, so that two among millions are the same by chance less than once in a thousand years. */
const KEY_LENGTH = 10;
const BASE = 36;
/** What a bucket of time costs beside its keys, as JSON text: its number, quotes and punctuation. */
const BUCKET_OVERHEAD = 16;
/** Characters that a bucket has at most to be kept among those that are forgotten. */
const MAX_SPARED = 5_000;

/** Keys end to end, under the number (base 36) of the bucket of time that they belong to. */
export type KeyBuckets = Readonly<Record<string, string>>;

/** A hash of so many characters: static data holds neither identifiers nor anything else of a charge or an account. */
export const hashOf = (parts: unknown, length: number): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, length);

export const keyOf = (...parts: string[]): string => hashOf(parts, KEY_LENGTH);

/** The keys of a text that holds them end to end. */
export function splitKeys(text: string): string[] {
	const keys: string[] = [];
	for (let start = 0; start < text.length; start += KEY_LENGTH) {
		keys.push(text.slice(start, start + KEY_LENGTH));
	}
	return keys;
}

/** Numbers the buckets of `seconds` seconds that time is cut into; equal for instants of one bucket. */
const bucketOf = (instant: Instant, seconds: number): number =>
	Math.floor(toMs(instant) / (seconds * 1000));

/** When the buckets begin. */
export const startsOf = (buckets: KeyBuckets, seconds: number): Instant[] =>
	Object.keys(buckets).map((number) => fromMs(Number.parseInt(number, BASE) * seconds * 1000));

/** A set of keys, each with the time it belongs to, that forgets by time. Written small: see {@link KeyBuckets}. */
export class KeySet {
	/** Each key with the number of its bucket. */
	private readonly buckets = new Map<string, number>();

	/** @param seconds length of the buckets: forgetting is as exact as they are short */
	constructor(
		buckets: KeyBuckets,
		private readonly seconds: number,
	) {
		for (const [number, text] of Object.entries(buckets)) {
			const bucket = Number.parseInt(number, BASE);
			for (const key of splitKeys(text)) this.buckets.set(key, bucket);
		}
	}

	has(key: string): boolean {
		return this.buckets.has(key);
	}

	/** Whether it is there with that time. */
	hasAt(key: string, at: Instant): boolean {
		return this.buckets.get(key) === bucketOf(at, this.seconds);
	}

	delete(key: string): void {
		this.buckets.delete(key);
	}

	/** Adds a key, or moves one that is there on to a later time: a key is forgotten by its latest. */
	add(key: string, at: Instant): void {
		const bucket = bucketOf(at, this.seconds);
		const present = this.buckets.get(key);
		if (present === undefined || present < bucket) this.buckets.set(key, bucket);
	}

	/**
	 * Forgets the buckets that lie wholly before an instant.
	 *
	 * @param kept but for the one that holds this
	 */
	forgetBefore(instant: Instant, kept?: Instant): void {
		const first = bucketOf(instant, this.seconds);
		const spared = kept === undefined ? undefined : bucketOf(kept, this.seconds);
		for (const [key, bucket] of this.buckets) {
			if (bucket < first && bucket !== spared) this.buckets.delete(key);
		}
	}

	/**
	 * Makes the set fit into `most` characters by forgetting its oldest buckets, down to `enough`.
	 *
	 * @param kept the bucket that holds this is kept besides, unless it is large itself
	 * @returns from when on nothing was forgotten; undefined when all fits
	 */
	shrink({ most, enough }: Budget, kept?: Instant): Instant | undefined {
		const newestFirst = [...this.sizes()].sort(([one], [other]) => other - one);
		let total = 0;
		let firstForgotten: number | undefined;
		for (const [bucket, size] of newestFirst) {
			total += size;
			if (total > enough) firstForgotten ??= bucket;
		}
		if (total <= most || firstForgotten === undefined) return undefined;
		const from = fromMs((firstForgotten + 1) * this.seconds * 1000);
		const size = kept === undefined ? 0 : this.sizes().get(bucketOf(kept, this.seconds));
		this.forgetBefore(from, (size ?? 0) > MAX_SPARED ? undefined : kept);
		return from;
	}

	private sizes(): Map<number, number> {
		const sizes = new Map<number, number>();
		for (const bucket of this.buckets.values()) {
			sizes.set(bucket, (sizes.get(bucket) ?? BUCKET_OVERHEAD) + KEY_LENGTH);
		}
		return sizes;
	}

	toBuckets(): KeyBuckets {
		const buckets: Record<string, string[]> = {};
		for (const [key, bucket] of this.buckets) {
			(buckets[bucket.toString(BASE)] ??= []).push(key);
		}
		return Object.fromEntries(
			Object.entries(buckets).map(([number, keys]) => [number, keys.join('')]),
		);
	}
}
