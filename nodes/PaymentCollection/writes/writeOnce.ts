import type { IDataObject } from 'n8n-workflow';
import { ServiceFailure, type ReportedError } from '../../shared/errors/reportedError';
import type { Failure } from '../../shared/errors/failure';
import { SentWrites, type WriteId } from './sentWrites';
import type { FieldValues } from '../../shared/fields/readFields';
import type { ServiceRequest } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';
import type { Item, RunOperation } from '../run/item';
import { oncePerKey } from './idempotencyKey';
import { notCarriedOut, unknownOutcome, withOutcome, type WriteWords } from './outcome';

/** Of a write whose outcome is unknown, `about` says what came instead of an answer. */
const sentWrites = new SentWrites();

export interface Write {
	readonly words: WriteWords;
	/** How to find out its outcome. */
	readonly whereToLook: string;
	/** @param values of one item, checked */
	readonly requestOf: (values: FieldValues) => ServiceRequest;
	/** What an Idempotency Key stands for; missing for a write that takes none. */
	readonly keyedBy?: (request: ServiceRequest) => unknown;
	readonly resultOf: (answer: IDataObject, request: ServiceRequest) => IDataObject;
	/** The result when something shows that the write was carried out though it failed; undefined if nothing does. */
	readonly recover?: (
		failure: Failure,
		request: ServiceRequest,
		/** Whether an earlier try of it was sent, whose answer was lost. */
		context: { readonly transport: Transport; readonly wasSent: boolean },
	) => Promise<IDataObject | undefined>;
}

/**
 * Runs a write for an item so that Retry On Fail can't carry it out twice: a result is returned from memory, and a POST
 * whose outcome is unknown is not sent again. Repeating a PATCH or a DELETE does no harm. The outcome of an earlier try
 * counts, whatever the item's values are now.
 *
 * @throws {ReportedError} with an outcome, where a request was sent
 */
export const writeOnce =
	(write: Write): RunOperation =>
	async (item) =>
		await once(item, write).catch((error: unknown) => {
			const isUnsent = sentWrites.recall(item.writeId()) === undefined;
			// A model may read nothing but the message; people also read that nothing was sent.
			throw item.isTool && isUnsent ? withOutcome(error, write.words.not) : error;
		});

async function once(item: Item, write: Write): Promise<IDataObject[]> {
	// Before any value is read, which may throw or be another one by now: what an earlier try of the same run has sent.
	const ofRun = sentWrites.recall(item.writeId());
	const result = resultOfEarlier(item, write, ofRun);
	if (result !== undefined) return [result];
	const request = requestOf(item, write, ofRun);
	const id = item.writeId([request.id, request.body]);
	// And with the values: where executions share an ID, they tell two writes apart.
	const known = ofRun ?? sentWrites.recall(id);
	const sameResult = resultOfEarlier(item, write, known);
	if (sameResult !== undefined) return [sameResult];
	return await oncePerKey(
		item,
		write.keyedBy?.(request),
		async () => await send(item, write, request, id),
		() => sentWrites.recall(id) !== undefined,
	);
}

/** @returns undefined when the write is to be sent @throws {ReportedError} when it must not be sent again */
function resultOfEarlier({ endpoint }: Item, write: Write, known: Known): IDataObject | undefined {
	if (known?.state === 'carriedOut') return known.result;
	if (known !== undefined && endpoint.method === 'POST') throw notSentAgain(write, known);
	return undefined;
}

async function send(
	{ transport }: Item,
	write: Write,
	request: ServiceRequest,
	id: WriteId,
): Promise<IDataObject> {
	const wasSent = sentWrites.recall(id) !== undefined;
	// Before the request goes out, so that no error, whatever its kind, can make a sent request look unsent.
	const beforeSend = (): void =>
		sentWrites.note(id, { state: 'unknown', about: 'no response was received' });
	const sent = async (): Promise<IDataObject> =>
		write.resultOf(await transport.send(request, { beforeSend }), request);
	const result = await sent().catch(async (error: unknown): Promise<IDataObject> => {
		if (!(error instanceof ServiceFailure)) throw error;
		const { failure } = error;
		const found = await write.recover?.(failure, request, { transport, wasSent });
		if (found !== undefined) return found;
		// A later try that is refused tells nothing of the earlier one.
		const isCertain = failure.notExecuted && !wasSent;
		if (isCertain) sentWrites.release(id);
		else sentWrites.note(id, { state: 'unknown', about: error.message });
		const { message: came, advice } = error;
		if (isCertain) throw notCarriedOut(write.words, came, advice, failure);
		// What to do about a refusal says that nothing was changed, which holds for this try alone.
		const toDo = failure.notExecuted ? 'The outcome of an earlier attempt is unknown.' : advice;
		throw unknownOutcome(write.words, came, `${toDo} ${write.whereToLook}`, failure);
	});
	sentWrites.note(id, { state: 'carriedOut', result });
	return result;
}

type Known = ReturnType<typeof sentWrites.recall>;

/** A value that is refused now says nothing of a try that was sent with another one. */
function requestOf(item: Item, write: Write, earlier: Known): ServiceRequest {
	try {
		return write.requestOf(item.values());
	} catch (error) {
		throw earlier === undefined ? error : notSentAgain(write, earlier);
	}
}

function notSentAgain({ words, whereToLook }: Write, known: Known): ReportedError {
	const came = known?.state === 'unknown' ? known.about : 'its result is no longer stored';
	return unknownOutcome(
		words,
		`The request was sent in an earlier attempt, and not repeated: ${came}`,
		whereToLook,
	);
}
