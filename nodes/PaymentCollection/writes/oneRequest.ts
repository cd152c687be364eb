import type { IDataObject } from 'n8n-workflow';
import { wasNotCarriedOut, type Failure } from '../../shared/errors/failure';
import { ServiceFailure } from '../../shared/errors/reportedError';
import { shownText } from '../../shared/redaction/redactText';
import type { ServiceRequest } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';
import type { AnyItem, WriteId } from '../operation';
import type { KeyContent } from './idempotencyKey';
import { onceOnly, type WriteParts, type WriteTexts } from './onceOnly';
import { NOT_STORED, notCarriedOut, notRepeated, unknownOutcome } from './outcome';
import { sentWrites } from './sentWrites';

interface RequestWrite extends Omit<WriteTexts, 'denial' | 'describeEffect'> {
	/** Messages say that the "link" was "deleted". */
	readonly record: string;
	readonly done: string;
	readonly whereToLook: string;
	readonly key?: KeyContent<ServiceRequest>;
	/** Missing if the service returns the record that it wrote. */
	readonly resultOf?: (answer: IDataObject, request: ServiceRequest) => IDataObject;
	/** True if a failed write was carried out after all. Not called in later attempts of a POST, which send nothing. */
	readonly isDone?: (
		failure: Failure,
		request: ServiceRequest,
		/** True if an earlier attempt was sent and its outcome is unknown. */
		context: { readonly transport: Transport; readonly wasSent: boolean },
	) => Promise<boolean>;
}

/** A service can fail because several links are written at once. A model writes only one. */
const ONE_AT_A_TIME =
	" If this happens only with several items, set 'Request Options → Batching → Items per Batch' to 1: they are then sent one at a time.";

/** A write of one request. @throws {ReportedError} with an outcome, if the request was sent */
export function oneRequest({ record, done, resultOf = withId, ...write }: RequestWrite) {
	const { whereToLook, isDone, key, ...texts } = write;
	const whether = `the ${record} was ${done}`;
	const words = { whether, denial: `the ${record} was NOT ${done} by this request` };
	const parts: WriteParts<ServiceRequest, undefined> = {
		read: ({ endpoint, values }) => ({ endpoint, ...values().pathAndBody }),
		subjectOf: ({ id, endpoint }) => id ?? endpoint.path,
		contentOf: ({ id, body }) => [id, body],
		// These writes don't affect one another.
		inTurn: async (_item, _subject, task) => await task(undefined),
		inDoubt: ({ why = NOT_STORED }) => notRepeated(words, why, whereToLook),
		send,
		...(key && { key }),
	};
	const describeEffect = ({ id }: IDataObject): string => `${record} ${shownText(id, '')} ${done}`;
	return onceOnly(parts, { ...texts, denial: words.denial, describeEffect });

	async function send(
		{ transport, isTool }: AnyItem,
		request: ServiceRequest,
		id: WriteId,
	): Promise<IDataObject> {
		const wasSent = sentWrites.recall(id) !== undefined;
		// Noted before the request goes out, so that no error can make a sent request look unsent.
		const beforeSend = (): void =>
			sentWrites.note(id, { state: 'unknown', why: 'no response was received' });
		const sendForResult = async (): Promise<IDataObject> =>
			resultOf(await transport.send(request, { beforeSend }), request);
		const result = await sendForResult().catch(async (error: unknown): Promise<IDataObject> => {
			if (!(error instanceof ServiceFailure)) throw error;
			const { failure } = error;
			if (await isDone?.(failure, request, { transport, wasSent })) return resultOf({}, request);
			const { message: why, advice } = error;
			// A refusal of this attempt says nothing about an earlier one.
			const isRefused = wasNotCarriedOut(failure);
			if (isRefused && !wasSent) {
				sentWrites.release(id);
				throw notCarriedOut(words, why, advice, failure);
			}
			sentWrites.note(id, { state: 'unknown', why });
			// The advice of a refusal says that nothing was changed: true only for this attempt.
			const toDo = isRefused ? 'The outcome of an earlier attempt is unknown.' : advice;
			const hint = (failure.status ?? 0) >= 500 && !isTool ? ONE_AT_A_TIME : '';
			throw unknownOutcome(words, why, `${toDo} ${whereToLook}${hint}`, failure);
		});
		sentWrites.note(id, { state: 'carriedOut', result });
		return result;
	}
}

/** The response to an update may have no ID. */
const withId = (answer: IDataObject, { id }: ServiceRequest): IDataObject =>
	id === undefined ? answer : { id, ...answer };
