import { InputError } from '../../../shared/inputError';
import { ReportedError, ServiceFailure, failureTexts } from '../../../shared/failures';

/** Told to the user when nobody can know whether money was moved. */
export class UnknownRefund extends ReportedError {}

/** The refund went out in an earlier try, and the memory of it was dropped; see writeMemory.ts. */
export function outcomeDropped(id: string): UnknownRefund {
	return new UnknownRefund(
		`UNKNOWN whether charge ${id} was refunded: check before you retry`,
		'The refund was sent in an earlier try, and what came of it is no longer kept. It was not sent again.',
	);
}

/** Another refund of the charge in this execution is open. */
export function earlierRefundOpen(id: string): ReportedError {
	return new ReportedError(
		`NOT refunded: it is unknown whether an earlier refund of charge ${id} in this execution was carried out`,
		'No second refund was sent, since the first may still be on its way. Look at the charge in the payment collection service before you run this again.',
	);
}

/** The refund was to go out again after a 429, and what was checked before no longer holds. */
export function changedMeanwhile(id: string): InputError {
	return new InputError(
		`NOT refunded: somebody else refunded charge ${id} while the service asked to wait`,
		'Look at the charge before you run this again.',
	);
}

/** Says of whatever failed before anything was refunded that this is so, in the message itself. */
export function notRefunded(error: unknown): never {
	if (error instanceof UnknownRefund) throw error;
	if (error instanceof ServiceFailure) {
		const { message, advice } = failureTexts(error.failure);
		throw new ReportedError(saying(message), advice, error.failure);
	}
	if (error instanceof ReportedError) {
		throw new ReportedError(saying(error.message), error.advice, error.failure);
	}
	if (error instanceof InputError) throw new InputError(saying(error.message), error.advice);
	throw error;
}

/** Marks an error from before the service was asked for anything; n8n's own, of an expression say, keeps its kind. */
export function nothingSent(error: unknown): never {
	if (error instanceof Error) error.message = saying(error.message);
	throw error;
}

const saying = (message: string): string =>
	message.includes('NOT refunded') ? message : `${message} – NOT refunded`;
