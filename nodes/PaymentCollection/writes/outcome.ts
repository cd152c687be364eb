import { CancelledError } from '../../shared/clock';
import type { Failure } from '../../shared/errors/failure';
import { ReportedError } from '../../shared/errors/reportedError';

/** Phrases for the outcome of a failed write. The message contains it: an agent's model may see nothing else. */
export interface WriteWords {
	/** "the link was created", and "the link was NOT created by this request". */
	readonly whether: string;
	readonly denial: string;
}

/** @param why there is no confirmation */
export const unknownOutcome = (
	{ whether }: WriteWords,
	why: string,
	advice: string,
	failure?: Failure,
): ReportedError => {
	const message = `UNKNOWN whether ${whether}: check before you retry. ${why}`;
	return new ReportedError(message, advice, { failure, outcome: 'unknown' });
};

export const NOT_STORED = 'its result is no longer stored';

export const notRepeated = (words: WriteWords, why: string, advice: string): ReportedError =>
	unknownOutcome(
		words,
		`The request was sent in an earlier attempt, and not repeated: ${why}`,
		advice,
	);

export const notCarriedOut = (
	{ denial }: WriteWords,
	why: string,
	advice: string,
	failure?: Failure,
): ReportedError =>
	new ReportedError(`${why} – ${denial}`, advice, { failure, outcome: 'notCarriedOut' });

export const notRefunded = (why: string, advice: string): ReportedError =>
	new ReportedError(`NOT refunded: ${why}`, advice, { outcome: 'notCarriedOut' });

/**
 * Adds to an item's error what is known of its write.
 *
 * @param denial phrase that the message gets if nothing was sent, unless the error has an outcome
 * @param doubt message of an earlier attempt (Retry On Fail) with an unknown outcome. The item stays in doubt, although the
 *   latest attempt sent nothing
 */
export function withOutcome(error: ReportedError, denial?: string, doubt?: string): ReportedError {
	const { advice, details } = error;
	if (details.outcome === 'unknown') return error;
	// The message of a stopped execution must stay: n8n recognizes it by that.
	const keepsMessage = details.outcome !== undefined || details.foreign instanceof CancelledError;
	const message =
		denial === undefined || keepsMessage ? error.message : `${error.message} – ${denial}`;
	if (doubt === undefined) return new ReportedError(message, advice, details);
	return new ReportedError(
		doubt,
		`An earlier attempt sent this, and its outcome is still unknown: check it first. About the latest attempt only: ${message}. ${advice}`,
		{ outcome: 'unknown' },
	);
}
