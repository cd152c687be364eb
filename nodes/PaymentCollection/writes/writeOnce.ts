import type { IDataObject } from 'n8n-workflow';
import { ReportedError, ServiceFailure, failureTexts } from '../../shared/failures';
import type { Failure } from '../../shared/failures';
import { textsOf } from '../../shared/messageKind';
import type { SendOptions, ServiceRequest } from '../../shared/transport';
import type { Item } from '../run/item';
import { AttemptLedger } from './attemptLedger';
import { LINK_WRITE_MESSAGES } from './messages';

/** What was unknown about a write that was sent: what came instead of an answer. */
const ledger = new AttemptLedger<string>();

/** A write of which nobody knows whether it was carried out. */
export class UnknownWrite extends ReportedError {}

/** A write that is sent at most once for an item. */
export interface LinkWrite {
	readonly request: ServiceRequest;
	/** created, updated or deleted. */
	readonly done: string;
	readonly whereToLook: string;
	/** Sends the request and reads the answer. */
	readonly send: (options: SendOptions) => Promise<IDataObject>;
	/** The result when the service refuses the request after an earlier try of it was lost; undefined if that means nothing. */
	readonly afterLostTry?: (failure: Failure) => IDataObject | undefined;
}

/**
 * What is done before and after a request that may really go out.
 *
 * @param mayBeCarriedOut afterwards: whether it was carried out, or may have been
 */
type Around = (
	send: () => Promise<IDataObject>,
	mayBeCarriedOut: () => boolean,
) => Promise<IDataObject[]>;

/**
 * Sends a write so that Retry On Fail can't carry it out twice: what succeeded is given back from memory, and a POST
 * whose outcome is unknown does not go out again. PATCH and DELETE come to the same when they are repeated.
 *
 * @throws {ReportedError} whose message says NOT or UNKNOWN; {@link UnknownWrite} for the latter
 */
export async function writeOnce(
	item: Item,
	write: LinkWrite,
	around: Around = alone,
): Promise<IDataObject[]> {
	const { request, done, whereToLook } = write;
	const key = item.attemptKey(request);
	const known = ledger.recall(key);
	if (known?.state === 'done') return [known.result];
	const isRepeatable = request.endpoint.method !== 'POST';
	if (known !== undefined && !isRepeatable) {
		const came = known.state === 'unknown' ? known.about : 'what came of it is no longer kept';
		const facts = { done, came, whereToLook };
		throw new UnknownWrite(...textsOf(LINK_WRITE_MESSAGES.notSentAgain, facts));
	}
	const mayBeCarriedOut = (): boolean => ledger.recall(key) !== undefined;
	return await around(async () => {
		// Before the request goes out, so that no error, whatever its kind, can make a sent request look unsent.
		const beforeSend = (): void =>
			ledger.record(key, { state: 'unknown', about: 'no answer was read' });
		const result = await write.send({ beforeSend }).catch((error: unknown): IDataObject => {
			if (!(error instanceof ServiceFailure)) throw error;
			const { failure } = error;
			const found = known === undefined ? undefined : write.afterLostTry?.(failure);
			if (found !== undefined) return found;
			// What a refusal of a later try says of the earlier one is nothing.
			const isCertain = failure.notExecuted && known === undefined;
			if (isCertain) ledger.release(key);
			else ledger.record(key, { state: 'unknown', about: error.message });
			throw failedWrite(write, failure, isCertain);
		});
		ledger.record(key, { state: 'done', result });
		return result;
	}, mayBeCarriedOut);
}

const alone: Around = async (send) => [await send()];

function failedWrite(
	{ done, whereToLook }: LinkWrite,
	failure: Failure,
	isCertain: boolean,
): ReportedError {
	const { message: came, advice } = failureTexts(failure);
	const facts = { done, came, whereToLook, advice };
	return isCertain
		? new ReportedError(...textsOf(LINK_WRITE_MESSAGES.notCarriedOut, facts), failure)
		: new UnknownWrite(...textsOf(LINK_WRITE_MESSAGES.unknown, facts), failure);
}
