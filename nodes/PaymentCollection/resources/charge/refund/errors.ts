import { InputError } from '../../../../shared/errors/inputError';
import { ReportedError, ServiceFailure, failureTexts } from '../../../../shared/errors/failures';
import { RepeatedKey } from '../../../writes/idempotencyKey';
import { UnknownOutcome } from '../../../writes/unknownOutcome';

/** Says of whatever failed before anything was refunded that this is so, in the message itself. */
export function rethrowRefundError(error: unknown): never {
	// A repeated key says that nothing was sent this time; the first time may well have refunded.
	if (error instanceof UnknownOutcome || error instanceof RepeatedKey) throw error;
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
export function rethrowAsNotRefunded(error: unknown): never {
	if (error instanceof Error) error.message = saying(error.message);
	throw error;
}

const saying = (message: string): string =>
	message.includes('NOT refunded') ? message : `${message} – NOT refunded`;
