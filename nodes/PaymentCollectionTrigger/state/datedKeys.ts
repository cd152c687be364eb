import { hashOf } from '../../shared/values';
import { fromMs, toMs, type Instant } from '../../shared/timestamps';

/** Characters of a key: 60 bits, so that among 8,000 of them hardly any other key is the same by chance. */
const KEY_LENGTH = 10;
const BASE = 36;
const SECOND_MS = 1000;
/** Characters of a value that a key may have, so that each takes about as much room. */
const VALUE_LENGTH = 16;
/** What is kept where there is too much: forgetting a little in every poll would raise a warning in every poll. */
const SHARE_KEPT = 0.9;

/** How many keys the stored state holds at most, in one object so that tests can fill it with a few. */
export const budgets = {
	/** Of charges that were looked at and may be met again. */
	knownKeys: 8_000,
	/** Of watched charges that were refunded, or had another status than most. */
	factKeys: 4_000,
	/** Of charges that a backlog emitted last. Where no more than these came in, there is no backlog. */
	recentKeys: 1_000,
};

/** The stored state holds neither identifiers nor anything else of a charge or an account, but hashes. */
export const keyOf = (id: string): string => hashOf(id).slice(0, KEY_LENGTH);

/** Keys of charges, each with the second since 1970 in which the charge was created and, if need be, a value. */
export class DatedKeys extends Map<string, { readonly second: number; readonly value: string }> {
	/** @param text what {@link DatedKeys.toText} has given: each key, its seconds after the one before, and its value */
	constructor(text: string) {
		super();
		let second = 0;
		for (const part of text === '' ? [] : text.split(',')) {
			const [, key = '', delta = '', value = ''] = /^(.{10})([^:]*):?(.*)$/.exec(part) ?? [];
			second += Number.parseInt(delta, BASE);
			this.set(key, { second, value });
		}
	}

	note(key: string, created: Instant, value = ''): void {
		this.set(key, { second: secondOf(created), value });
	}

	/** Forgets charges created before the second of an instant. */
	forgetBefore(instant: Instant): void {
		const first = secondOf(instant);
		for (const [key, { second }] of this) if (second < first) this.delete(key);
	}

	/**
	 * Forgets the oldest where there are more than `most`. A long value takes the place of further keys.
	 *
	 * @returns since when nothing was forgotten; undefined where nothing had to be
	 */
	shrink(most: number): Instant | undefined {
		const seconds = [...this.values()].flatMap(({ second, value }) =>
			Array<number>(1 + Math.floor(value.length / VALUE_LENGTH)).fill(second),
		);
		if (seconds.length <= most) return undefined;
		const newestFirst = seconds.sort((one, other) => other - one);
		const lastForgotten = newestFirst[Math.floor(most * SHARE_KEPT)] ?? 0;
		const from = fromMs((lastForgotten + 1) * SECOND_MS);
		this.forgetBefore(from);
		return from;
	}

	toText(): string {
		const byTime = [...this].sort(([, one], [, other]) => one.second - other.second);
		let last = 0;
		return byTime
			.map(([key, { second, value }]) => {
				const delta = (second - last).toString(BASE);
				last = second;
				return value === '' ? key + delta : `${key}${delta}:${value}`;
			})
			.join(',');
	}
}

const secondOf = (instant: Instant): number => Math.floor(toMs(instant) / SECOND_MS);
