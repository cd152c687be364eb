import type { IDataObject } from 'n8n-workflow';
import { ReportedError, ServiceFailure, failureTexts } from '../../shared/errors/failures';
import type { Failure } from '../../shared/errors/failures';
import { textsOf } from '../../shared/errors/messageKind';
import type { Endpoint, SendOptions, ServiceRequest } from '../../shared/service/request';
import type { Item } from '../run/item';
import { AttemptLedger } from './attemptLedger';
import { LINK_WRITE_MESSAGES } from './messages';
import { UnknownOutcome } from './unknownOutcome';

/** What was unknown about a write that was sent: what came instead of an answer. */
const ledger = new AttemptLedger<string>();

/** What can be said of a write before any value of an item is read. */
export interface LinkWriteKind {
	readonly endpoint: Endpoint;
	/** created, updated or deleted. */
	readonly done: string;
	/** How to find out what became of it. */
	readonly whereToLook: string;
}

/** A write that is sent at most once for an item. */
export interface LinkWrite {
	readonly request: ServiceRequest;
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
 * @param prepare checks the item's values; not called when an earlier try has settled it, whatever the values are now
 * @throws {ReportedError} whose message says NOT or UNKNOWN; {@link UnknownOutcome} for the latter
 */
export async function writeOnce(
	item: Item,
	kind: LinkWriteKind,
	prepare: () => LinkWrite,
	around: Around = alone,
): Promise<IDataObject[]> {
	const { endpoint } = kind;
	const earlier = ledger.recall(item.attemptKey({ endpoint }));
	if (earlier?.state === 'done') return [earlier.result];
	const isRepeatable = endpoint.method !== 'POST';
	if (earlier !== undefined && !isRepeatable) throw notSentAgain(kind, earlier);
	const write = prepared(kind, prepare, earlier);
	const key = item.attemptKey(write.request);
	const known = earlier ?? ledger.recall(key);
	if (known?.state === 'done') return [known.result];
	if (known !== undefined && !isRepeatable) throw notSentAgain(kind, known);
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
			throw failedWrite(kind, failure, isCertain);
		});
		ledger.record(key, { state: 'done', result });
		return result;
	}, mayBeCarriedOut);
}

const alone: Around = async (send) => [await send()];

type Known = ReturnType<typeof ledger.recall>;

/** A value that is refused now says nothing of a try that was sent with another one. */
function prepared(kind: LinkWriteKind, prepare: () => LinkWrite, earlier: Known): LinkWrite {
	try {
		return prepare();
	} catch (error) {
		throw earlier === undefined ? error : notSentAgain(kind, earlier);
	}
}

function notSentAgain({ done, whereToLook }: LinkWriteKind, known: Known): UnknownOutcome {
	const came = known?.state === 'unknown' ? known.about : 'what came of it is no longer kept';
	return new UnknownOutcome(
		...textsOf(LINK_WRITE_MESSAGES.notSentAgain, { done, came, whereToLook }),
	);
}

function failedWrite(
	{ done, whereToLook }: LinkWriteKind,
	failure: Failure,
	isCertain: boolean,
): ReportedError {
	const { message: came, advice } = failureTexts(failure);
	const isUncertainRefusal = failure.notExecuted && !isCertain;
	const facts = {
		done,
		came,
		whereToLook,
		// What to do about a refusal says that nothing was changed, which holds for this try alone.
		advice: isUncertainRefusal ? 'The outcome of an earlier try is unknown.' : advice,
	};
	return isCertain
		? new ReportedError(...textsOf(LINK_WRITE_MESSAGES.notCarriedOut, facts), failure)
		: new UnknownOutcome(...textsOf(LINK_WRITE_MESSAGES.unknown, facts), failure);
}
