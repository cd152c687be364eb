import type { ModelCharge } from '../service/charge';
import { SECOND_MS } from '../time';

/** From a first poll of which nothing was known before, to the end of what is known. */
export interface Life {
	/** When the first answer came of which the trigger kept something, by the host's clock if that is fast. */
	beganAt: number;
	/** The same of the first filters. */
	startedAt: number;
	/** The service's sequence before the first poll. */
	beganSequence: number;
	/** The service's sequence at the first answer of which the trigger kept something. */
	baselineSequence: number;
	/** The same when the baseline was read for certain. */
	baselineEndSequence: number;
	pollsOfBaseline: number;
	/** The last poll had time for all, and nothing stood in its way: after one that had not, it takes two. */
	wasClear: boolean;
	/** A page failed while the baseline was being read. */
	hasFailed: boolean;
	/** A page failed that nothing but another walk reads again, and until then the baseline is not over. */
	walksAgainAt: number;
	/** While the baseline was being read, no date could tell what was there. */
	wasDateless: boolean;
	/** While the baseline was being read, the list contradicted itself. */
	isDoubtful: boolean;
	/** When a poll that ended well last began and ended, and the service's sequence at its first answer. */
	lastPollBeganAt: number;
	lastPollAt: number;
	lastPollSequence: number;
	/** What was refunded of each charge when it began, and what its status was. */
	readonly before: ReadonlyMap<ModelCharge, { readonly refunds: number; readonly status: string }>;
}

/** Whether two dates showed at which end the list grows when it began: of one row, or none, the next ones show it. */
export const showsNewEnd = ({ before }: Life): boolean =>
	before.size <= 1 || new Set([...before.keys()].map(({ createdMs }) => createdMs)).size > 1;

/** Polls that a wrong count is believed for, at most. */
const POLLS_TO_DOUBT = 4;

const NEVER = Number.POSITIVE_INFINITY;

export const beginLife = (
	beganAt: number,
	beganSequence: number,
	listed: readonly ModelCharge[],
): Life => ({
	beganSequence,
	beganAt,
	startedAt: beganAt,
	baselineSequence: NEVER,
	baselineEndSequence: NEVER,
	pollsOfBaseline: 0,
	hasFailed: false,
	wasDateless: false,
	walksAgainAt: 0,
	isDoubtful: false,
	wasClear: false,
	lastPollBeganAt: beganAt,
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
		/** Date of the newest charge that is not dated far ahead: a clock may be slow. */
		newestMs: number;
		/** It told as many as it may, so that it may not have seen all. */
		isFull: boolean;
		/** Without a count, the first reading waits with what has to wait for the next poll. */
		isHeldUp: boolean;
		/** Rows are listed that can't be read or change their places: nobody can say, later, that they were there before. */
		hasUnreadable: boolean;
		/** Charges came in while it read: what belongs to the beginning shows in the next one. */
		hasArrivals: boolean;
		/** Only after some polls it is no longer believed. */
		isCountWrong: boolean;
		/** Without a count, or by a fast clock, a page that failed is read again by the walk of half a lookback later. */
		leftOutForMs: number;
	},
): void {
	if (life.baselineSequence === NEVER) {
		life.beganAt = poll.now - poll.tookMs + poll.fastMs;
		life.startedAt = life.beganAt;
	}
	life.lastPollBeganAt = poll.now - poll.tookMs;
	life.lastPollAt = Math.max(poll.now, poll.newestMs);
	life.lastPollSequence = poll.firstAnswer;
	life.baselineSequence = Math.min(life.baselineSequence, poll.firstAnswer);
	if (life.baselineEndSequence !== NEVER) return;
	if (poll.leftOutForMs > 0) life.walksAgainAt = poll.now + poll.leftOutForMs;
	life.pollsOfBaseline += 1;
	// The baseline is read when a poll had time left, or after so many polls that it must be.
	const hadTime =
		!poll.hasArrivals &&
		!(poll.isCountWrong && life.pollsOfBaseline < POLLS_TO_DOUBT) &&
		poll.tookMs < 8 * SECOND_MS &&
		!poll.isFaulty &&
		!poll.hasUnreadable &&
		!poll.isFull &&
		poll.now >= life.walksAgainAt;
	const isAgain = hadTime && (life.wasClear || life.pollsOfBaseline === 1);
	life.wasClear = hadTime;
	const mustBe =
		life.pollsOfBaseline > 2 * poll.pages + 4 &&
		!poll.hasUnreadable &&
		!poll.isHeldUp &&
		poll.now >= life.walksAgainAt;
	if (isAgain || mustBe) life.baselineEndSequence = poll.sequence;
}

/** n8n died, and with it what was known of the baseline beyond the last save. */
export function forgetBaseline(life: Life, sequence: number): void {
	life.beganSequence = sequence;
	life.baselineEndSequence = NEVER;
	life.pollsOfBaseline = 0;
}

/** What was known is another account's: what comes until the next good poll may be told or not. */
export function interruptLife(life: Life): void {
	life.baselineSequence = NEVER;
	life.baselineEndSequence = NEVER;
	life.pollsOfBaseline = 0;
}
