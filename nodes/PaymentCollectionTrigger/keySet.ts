import { createHash } from 'node:crypto';
import { stretchOf } from './timestamps';
import type { Instant } from './timestamps';

/** Characters of a key: 60 bits, so that two among millions are the same by chance less than once in a thousand years. */
const KEY_LENGTH = 10;
const BASE = 36;

/** Keys end to end, under the number (base 36) of the stretch of time that they belong to. */
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

/** A set of keys that forgets by time. Written small: see {@link KeyBuckets}. */
export class KeySet {
	private readonly keys = new Set<string>();

	private readonly buckets = new Map<number, string>();

	/** @param seconds length of the stretches: forgetting is as exact as they are short */
	constructor(
		buckets: KeyBuckets,
		private readonly seconds: number,
	) {
		for (const [number, text] of Object.entries(buckets)) {
			this.buckets.set(Number.parseInt(number, BASE), text);
			for (const key of splitKeys(text)) this.keys.add(key);
		}
	}

	get size(): number {
		return this.keys.size;
	}

	has(key: string): boolean {
		return this.keys.has(key);
	}

	add(key: string, at: Instant): void {
		if (this.keys.has(key)) return;
		this.keys.add(key);
		const number = stretchOf(at, this.seconds);
		this.buckets.set(number, (this.buckets.get(number) ?? '') + key);
	}

	/** Forgets the stretches that lie wholly before an instant. */
	forgetBefore(instant: Instant): void {
		const first = stretchOf(instant, this.seconds);
		for (const [number, text] of this.buckets) {
			if (number >= first) continue;
			this.buckets.delete(number);
			for (const key of splitKeys(text)) this.keys.delete(key);
		}
	}

	/** When the stretch begins from which on there are at most `most` keys, in ms; undefined when all fit. */
	fits(most: number): number | undefined {
		let total = 0;
		const newestFirst = [...this.buckets].sort(([one], [other]) => other - one);
		for (const [number, text] of newestFirst) {
			total += text.length / KEY_LENGTH;
			if (total > most) return (number + 1) * this.seconds * 1000;
		}
		return undefined;
	}

	toBuckets(): KeyBuckets {
		return Object.fromEntries(
			[...this.buckets].map(([number, text]) => [number.toString(BASE), text]),
		);
	}
}
