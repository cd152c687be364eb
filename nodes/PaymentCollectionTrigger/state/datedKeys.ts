import { hashOf } from '../../shared/values';
import { SECOND_MS, fromMs, toMs, type Instant } from '../../shared/timestamps';

/** 60 bits: among 8,000 keys, hardly any other one is the same by chance. */
const KEY_LENGTH = 10;
const BASE = 36;
/** A value of this length or more counts as several keys. */
const VALUE_LENGTH = 16;
/** If keys are too many, this share of the limit is kept: forgetting a few in every poll would warn in every poll. */
const SHARE_KEPT = 0.9;

/** The most keys in the stored state, in one object so that tests can lower them. */
export const budgets = {
	/** Keys of charges that may be read again. */
	knownKeys: 8_000,
	/** Keys of watched charges that were refunded, or have an unusual status. */
	factKeys: 4_000,
	/** Keys of the last charges that a backlog emitted. If no more than these come in, there is no backlog. */
	recentKeys: 1_000,
};

/** The stored state has only hashes of a charge and an account, no identifiers. */
export const keyOf = (id: unknown): string => hashOf(id).slice(0, KEY_LENGTH);

/** Keys of charges, each with the second since 1970 in which the charge was created, and with a value if needed. */
export class DatedKeys extends Map<string, { readonly second: number; readonly value: string }> {
	/** @param text by {@link DatedKeys.toText}: each key, its seconds after the key before, and its value */
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

	/** Forgets the oldest keys if there are more than `most`. @returns the instant from which all are kept; undefined if none had to go */
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
