import { CancelledError } from '../../shared/clock';
import type { Failure } from '../../shared/errors/failure';
import { ReportedError } from '../../shared/errors/reportedError';

/**
 * The outcome of a failed write is data, {@link ReportedError.facts}, and becomes a sentence here: in the message, since
 * an agent's model may see nothing else. Its phrases are `refundWords` and `linkWords`.
 */
export interface WriteWords {
	/** "the link was created", and "the link was NOT created by this request". */
	readonly whether: string;
	readonly not: string;
}

/** @param came what came instead of a confirmation */
export const unknownOutcome = (
	{ whether }: WriteWords,
	came: string,
	advice: string,
	failure?: Failure,
): ReportedError => {
	const message = `UNKNOWN whether ${whether}: check before you retry. ${came}`;
	return new ReportedError(message, advice, { failure, outcome: 'unknown' });
};

export const NOT_STORED = 'its result is no longer stored';

/** Of a write that an earlier attempt has sent. */
export const notRepeated = (words: WriteWords, came: string, advice: string): ReportedError =>
	unknownOutcome(
		words,
		`The request was sent in an earlier attempt, and not repeated: ${came}`,
		advice,
	);

export const notCarriedOut = (
	{ not }: WriteWords,
	came: string,
	advice: string,
	failure?: Failure,
): ReportedError =>
	new ReportedError(`${came} – ${not}`, advice, { failure, outcome: 'notCarriedOut' });

/** Of a refund that is not sent because of what is known of its charge. */
export const notRefunded = (why: string, advice: string): ReportedError =>
	new ReportedError(`NOT refunded: ${why}`, advice, { outcome: 'notCarriedOut' });

/**
 * An item's error with what is known of its write.
 *
 * @param not added to the message where nothing was sent, unless it says so already
 * @param doubt what was said of an earlier attempt of Retry On Fail that was left in doubt. The item stays in doubt,
 *   whatever kept a later one from finding out more: that it sent nothing is not the whole truth
 */
export function withOutcome(error: ReportedError, not?: string, doubt?: string): ReportedError {
	const { advice, facts } = error;
	if (facts.outcome === 'unknown') return error;
	// n8n knows a stopped execution by its message.
	const isSaid = facts.outcome !== undefined || facts.own instanceof CancelledError;
	const message = not === undefined || isSaid ? error.message : `${error.message} – ${not}`;
	if (doubt === undefined) return new ReportedError(message, advice, facts);
	return new ReportedError(
		doubt,
		`An earlier attempt sent this, and its outcome is still unknown: check it first. About the latest attempt only: ${message}. ${advice}`,
		{ outcome: 'unknown' },
	);
}
