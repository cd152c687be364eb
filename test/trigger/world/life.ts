import type { ModelCharge } from './charge';
import { SECOND_MS } from './time';

/** From a first poll of which nothing was known before, to the end of what is known. */
export interface Life {
	/** When the first answer came of which the trigger kept something, by the host's clock if that is fast. */
	beganAt: number;
	/** The service's sequence at the first answer of which the trigger kept something. */
	baselineSequence: number;
	/** The same when the baseline was read for certain. */
	baselineEndSequence: number;
	pollsOfBaseline: number;
	/** When a poll last ended well, and the service's sequence at its first answer. */
	lastPollAt: number;
	lastPollSequence: number;
	/** What was refunded of each charge when it began, and what its status was. */
	readonly before: ReadonlyMap<ModelCharge, { readonly refunds: number; readonly status: string }>;
}

const NEVER = Number.POSITIVE_INFINITY;

export const beginLife = (beganAt: number, listed: readonly ModelCharge[]): Life => ({
	beganAt,
	baselineSequence: NEVER,
	baselineEndSequence: NEVER,
	pollsOfBaseline: 0,
	lastPollAt: beganAt,
	lastPollSequence: NEVER,
	before: new Map(
		listed.map((charge) => [charge, { refunds: charge.refunds.length, status: charge.status }]),
	),
});

/** A poll ended well and left a state behind. */
export function keepPoll(
	life: Life,
	poll: {
		firstAnswer: number;
		sequence: number;
		now: number;
		tookMs: number;
		isFaulty: boolean;
		pages: number;
		/** By which the host's clock is fast. */
		fastMs: number;
		/** It told as many as it may, so that it may not have seen all. */
		isFull: boolean;
		/** Rows are listed that can't be read or change their places: nobody can say, later, that they were there before. */
		hasUnreadable: boolean;
	},
): void {
	if (life.baselineSequence === NEVER) life.beganAt = poll.now - poll.tookMs + poll.fastMs;
	life.lastPollAt = poll.now;
	life.lastPollSequence = poll.firstAnswer;
	life.baselineSequence = Math.min(life.baselineSequence, poll.firstAnswer);
	if (life.baselineEndSequence !== NEVER) return;
	life.pollsOfBaseline += 1;
	// The baseline is read when a poll had time left, or after so many polls that it must be.
	const hadTime =
		poll.tookMs < 8 * SECOND_MS && !poll.isFaulty && !poll.hasUnreadable && !poll.isFull;
	if (hadTime || life.pollsOfBaseline > 2 * poll.pages + 4)
		life.baselineEndSequence = poll.sequence;
}

/** n8n died, and with it what was known of the baseline beyond the last save. */
export function forgetBaseline(life: Life): void {
	life.baselineEndSequence = NEVER;
	life.pollsOfBaseline = 0;
}

/** What was known is another account's: what comes until the next good poll may be told or not. */
export function interruptLife(life: Life): void {
	life.baselineSequence = NEVER;
	life.baselineEndSequence = NEVER;
	life.pollsOfBaseline = 0;
}
