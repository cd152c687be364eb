import { createHash } from 'node:crypto';
import { fromMs, toMs } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';

/** Characters of a key: 60 bits, so that two among millions are the same by chance less than once in a thousand years. */
const KEY_LENGTH = 10;
const BASE = 36;
/** What a bucket of time costs beside its keys, as JSON text: its number, quotes and punctuation. */
const BUCKET_OVERHEAD = 16;

/** Keys end to end, under the number (base 36) of the bucket of time that they belong to. */
export type KeyBuckets = Readonly<Record<string, string>>;

/** A short hash: static data holds neither identifiers nor anything else of a charge. */
export function keyOf(...parts: string[]): string {
	return createHash('sha256')
		.update(JSON.stringify(parts))
		.digest('base64url')
		.slice(0, KEY_LENGTH);
}

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

	/** Adds a key, or moves one that is there on to a later time: a key is forgotten by its latest. */
	add(key: string, at: Instant): void {
		const bucket = bucketOf(at, this.seconds);
		const present = this.buckets.get(key);
		if (present === undefined || present < bucket) this.buckets.set(key, bucket);
	}

	/** Forgets the buckets that lie wholly before an instant. */
	forgetBefore(instant: Instant): void {
		const first = bucketOf(instant, this.seconds);
		for (const [key, bucket] of this.buckets) {
			if (bucket < first) this.buckets.delete(key);
		}
	}

	/**
	 * Makes the set fit into `most` characters by forgetting its oldest buckets, down to `enough`.
	 * @returns from when on nothing was forgotten; undefined when all fits
	 */
	shrink(most: number, enough: number): Instant | undefined {
		const newestFirst = [...this.sizes()].sort(([one], [other]) => other - one);
		let kept = 0;
		let firstForgotten: number | undefined;
		for (const [bucket, size] of newestFirst) {
			kept += size;
			if (kept > enough) firstForgotten ??= bucket;
		}
		if (kept <= most || firstForgotten === undefined) return undefined;
		const from = fromMs((firstForgotten + 1) * this.seconds * 1000);
		this.forgetBefore(from);
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
