import type { IDataObject } from 'n8n-workflow';
import { ReportedError, ServiceFailure } from '../../shared/failures';
import type { ServiceRequest } from '../../shared/transport';
import type { Item } from './item';
import { WriteMemory } from './writeMemory';

const outcomes = new WriteMemory<string>();

/**
 * Sends a write so that Retry On Fail can't send it twice: what succeeded is given back from memory, and a POST
 * whose outcome is unknown does not go out again. PATCH and DELETE come to the same when they are repeated.
 *
 * @param send sends the request and reads the answer
 */
export async function writeOnce(
	item: Item,
	request: ServiceRequest,
	send: () => Promise<IDataObject>,
): Promise<IDataObject> {
	const slot = item.writeSlot(request);
	const known = outcomes.recall(slot);
	if (known?.state === 'done') return known.result;
	const isRepeatable = request.endpoint.method !== 'POST';
	if (known !== undefined && !isRepeatable) {
		throw new ReportedError(
			known.state === 'unknown'
				? `Not sent again: it is unknown whether the first try succeeded (${known.about})`
				: 'Not sent again: it was sent in an earlier try, whose outcome is no longer kept',
			'Check in the payment collection service whether it is there before you run this again.',
		);
	}
	// Before the request goes out, so that no error, whatever its kind, can make a sent request look unsent.
	outcomes.remember(slot, { state: 'unknown', about: 'no answer was read' });
	const result = await send().catch((error: unknown): never => {
		if (wasNotCarriedOut(error)) outcomes.forget(slot);
		else if (error instanceof ServiceFailure) {
			outcomes.remember(slot, { state: 'unknown', about: error.message });
		}
		throw error;
	});
	outcomes.remember(slot, { state: 'done', result });
	return result;
}

/** The transport reports by itself what never left n8n. */
const wasNotCarriedOut = (error: unknown): boolean =>
	error instanceof ServiceFailure ? error.failure.notExecuted : error instanceof ReportedError;
