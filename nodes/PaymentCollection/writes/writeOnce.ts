import type { IDataObject } from 'n8n-workflow';
import { ServiceFailure, type ReportedError } from '../../shared/errors/reportedError';
import { wasNotCarriedOut, type Failure } from '../../shared/errors/failure';
import { sentWrites } from './sentWrites';
import type { ServiceRequest } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';
import type { Item, RunOperation, WriteId } from '../operation';
import { oncePerKey } from './idempotencyKey';
import { NOT_STORED, notCarriedOut, notRepeated, unknownOutcome, type WriteWords } from './outcome';

export interface Write {
	readonly words: WriteWords;
	/** How to find out its outcome. */
	readonly whereToLook: string;
	/** What an Idempotency Key stands for; missing for a write that takes none. */
	readonly keyedBy?: (request: ServiceRequest) => unknown;
	readonly resultOf: (answer: IDataObject, request: ServiceRequest) => IDataObject;
	/** Whether something shows that the write was carried out though it failed. */
	readonly isDone?: (
		failure: Failure,
		request: ServiceRequest,
		/** Whether an earlier attempt of it was sent, whose answer was lost. */
		context: { readonly transport: Transport; readonly wasSent: boolean },
	) => Promise<boolean>;
}

/**
 * Runs a write for an item so that Retry On Fail can't carry it out twice: a result is returned from memory, and a POST
 * whose outcome is unknown is not sent again. Repeating a PATCH or a DELETE does no harm. The outcome of an earlier attempt
 * counts, whatever the item's values are now.
 *
 * @throws {ReportedError} with an outcome, where a request was sent
 */
export const writeOnce =
	(write: Write): RunOperation =>
	async (item) => {
		// Before any value is read, which may throw or be another one by now: what an earlier attempt of the same run has sent.
		const ofRun = sentWrites.recall(item.writeId());
		const result = resultOfEarlier(item, write, ofRun);
		if (result !== undefined) return [result];
		const request = requestOf(item, write, ofRun);
		const id = item.writeId([request.id, request.body]);
		// And with the values: where executions share an ID, they distinguish two writes.
		const sameResult = resultOfEarlier(item, write, ofRun ?? sentWrites.recall(id));
		if (sameResult !== undefined) return [sameResult];
		const sendOnce = async (): Promise<IDataObject> => await send(item, write, request, id);
		return await oncePerKey(item, id, write.keyedBy?.(request), sendOnce);
	};

/** @returns undefined when the write is to be sent @throws {ReportedError} when it must not be sent again */
function resultOfEarlier({ endpoint }: Item, write: Write, known: Known): IDataObject | undefined {
	if (known?.state === 'carriedOut') return known.result;
	if (known !== undefined && endpoint.method === 'POST') throw notSentAgain(write, known);
	return undefined;
}

async function send(
	{ transport, isTool }: Item,
	write: Write,
	request: ServiceRequest,
	id: WriteId,
): Promise<IDataObject> {
	const wasSent = sentWrites.recall(id) !== undefined;
	// Before the request goes out, so that no error, whatever its kind, can make a sent request look unsent.
	const beforeSend = (): void =>
		sentWrites.note(id, { state: 'unknown', came: 'no response was received' });
	const sent = async (): Promise<IDataObject> =>
		write.resultOf(await transport.send(request, { beforeSend }), request);
	const result = await sent().catch(async (error: unknown): Promise<IDataObject> => {
		if (!(error instanceof ServiceFailure)) throw error;
		const { failure } = error;
		const isDone = await write.isDone?.(failure, request, { transport, wasSent });
		if (isDone === true) return write.resultOf({}, request);
		const { message: came, advice } = error;
		// A later attempt that is refused says nothing of the earlier one.
		const isRefused = wasNotCarriedOut(failure);
		const isCertain = isRefused && !wasSent;
		if (isCertain) sentWrites.release(id);
		else sentWrites.note(id, { state: 'unknown', came });
		if (isCertain) throw notCarriedOut(write.words, came, advice, failure);
		// What to do about a refusal says that nothing was changed, which holds for this attempt alone.
		const toDo = isRefused ? 'The outcome of an earlier attempt is unknown.' : advice;
		const hint = (failure.status ?? 0) >= 500 && !isTool ? ONE_AT_A_TIME : '';
		throw unknownOutcome(write.words, came, `${toDo} ${write.whereToLook}${hint}`, failure);
	});
	sentWrites.note(id, { state: 'carriedOut', result });
	return result;
}

/** A service can fail because several links are written at once. A model calls the node for one item. */
const ONE_AT_A_TIME =
	" If this happens only with several items, set 'Request Options → Batching → Items per Batch' to 1: they are then sent one at a time.";

type Known = ReturnType<typeof sentWrites.recall>;

/** A value that is refused now says nothing of an attempt that was sent with another one. */
function requestOf(item: Item, write: Write, earlier: Known): ServiceRequest {
	try {
		return { endpoint: item.endpoint, ...item.values().request };
	} catch (error) {
		throw earlier === undefined ? error : notSentAgain(write, earlier);
	}
}

function notSentAgain({ words, whereToLook }: Write, known: Known): ReportedError {
	const { came = NOT_STORED } = known?.state === 'unknown' ? known : {};
	return notRepeated(words, came, whereToLook);
}
