import type { IDataObject } from 'n8n-workflow';
import { wasNotCarriedOut, type Failure } from '../../shared/errors/failure';
import { ServiceFailure } from '../../shared/errors/reportedError';
import type { ServiceRequest } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';
import type { Item, WriteId } from '../operation';
import type { KeyUse } from './idempotencyKey';
import { onceOnly, type WriteParts, type WriteTexts } from './onceOnly';
import { NOT_STORED, notCarriedOut, notRepeated, unknownOutcome, type WriteWords } from './outcome';
import { sentWrites } from './sentWrites';

interface RequestWrite extends WriteWords, WriteTexts {
	/** How to find out its outcome. */
	readonly whereToLook: string;
	readonly key?: KeyUse<ServiceRequest>;
	readonly resultOf: (answer: IDataObject, request: ServiceRequest) => IDataObject;
	/** Whether something shows that the write was carried out though it failed. */
	readonly isDone?: (
		failure: Failure,
		request: ServiceRequest,
		/** Whether an earlier attempt of it was sent, whose answer was lost. */
		context: { readonly transport: Transport; readonly wasSent: boolean },
	) => Promise<boolean>;
}

/** A service can fail because several links are written at once. A model calls the node for one item. */
const ONE_AT_A_TIME =
	" If this happens only with several items, set 'Request Options → Batching → Items per Batch' to 1: they are then sent one at a time.";

/**
 * A write that is one request, made of the item's values.
 *
 * @throws {ReportedError} with an outcome, if a request was sent
 */
export function oneRequest({ whereToLook, resultOf, isDone, key, ...words }: RequestWrite) {
	const parts: WriteParts<ServiceRequest, undefined> = {
		read: ({ endpoint, values }) => ({ endpoint, ...values().request }),
		subjectOf: ({ id, endpoint }) => id ?? endpoint.path,
		contentOf: ({ id, body }) => [id, body],
		// None of these writes can spoil another one.
		inTurn: async (_item, _subject, task) => await task(undefined),
		inDoubt: ({ came = NOT_STORED }) => notRepeated(words, came, whereToLook),
		send,
		...(key && { key }),
	};
	return onceOnly(parts, words);

	async function send(
		{ transport, isTool }: Item,
		request: ServiceRequest,
		id: WriteId,
	): Promise<IDataObject> {
		const wasSent = sentWrites.recall(id) !== undefined;
		// Before the request goes out, so that no error, whatever its kind, can make a sent request look unsent.
		const beforeSend = (): void =>
			sentWrites.note(id, { state: 'unknown', came: 'no response was received' });
		const sent = async (): Promise<IDataObject> =>
			resultOf(await transport.send(request, { beforeSend }), request);
		const result = await sent().catch(async (error: unknown): Promise<IDataObject> => {
			if (!(error instanceof ServiceFailure)) throw error;
			const { failure } = error;
			if (await isDone?.(failure, request, { transport, wasSent })) return resultOf({}, request);
			const { message: came, advice } = error;
			// A later attempt that is refused says nothing of the earlier one.
			const isRefused = wasNotCarriedOut(failure);
			const isCertain = isRefused && !wasSent;
			if (isCertain) sentWrites.release(id);
			else sentWrites.note(id, { state: 'unknown', came });
			if (isCertain) throw notCarriedOut(words, came, advice, failure);
			// What to do about a refusal says that nothing was changed, which holds for this attempt alone.
			const toDo = isRefused ? 'The outcome of an earlier attempt is unknown.' : advice;
			const hint = (failure.status ?? 0) >= 500 && !isTool ? ONE_AT_A_TIME : '';
			throw unknownOutcome(words, came, `${toDo} ${whereToLook}${hint}`, failure);
		});
		sentWrites.note(id, { state: 'carriedOut', result });
		return result;
	}
}
