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
 * Adds it to the message of any other error that was thrown before the write was sent: a bad value's, and n8n's own for an
 * expression that fails, which stays n8n's.
 */
export function withNot(error: unknown, not: string): unknown {
	const isSaid = error instanceof ReportedError && error.facts.outcome !== undefined;
	// n8n knows a stopped execution by its message.
	const isStop = error instanceof CancelledError;
	if (error instanceof Error && !isSaid && !isStop) error.message += ` – ${not}`;
	return error;
}
