import type { IDataObject } from 'n8n-workflow';
import {
	ReportedError,
	ServiceFailure,
	InputError,
	UnknownOutcome,
} from '../../shared/errors/reportedError';
import { failureTexts } from '../../shared/errors/failureTable';
import type { Failure } from '../../shared/errors/failure';
import { SentWrites, type WriteId } from './sentWrites';
import type { Endpoint, SendOptions, ServiceRequest } from '../../shared/service/request';
import type { Item } from '../run/item';

/** Of a write whose outcome is unknown, `about` says what came instead of an answer. */
const sentWrites = new SentWrites();

/** What can be said of a write before any value of an item is read. */
export interface WriteKind {
	readonly endpoint: Endpoint;
	/** What it is about: link. */
	readonly what: string;
	/** created, updated or deleted. */
	readonly done: string;
	/** How to find out what became of it. */
	readonly whereToLook: string;
}

/** A write that is sent at most once for an item. */
export interface Write {
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
	kind: WriteKind,
	prepare: () => Write,
	around: Around = alone,
): Promise<IDataObject[]> {
	return await once(item, kind, prepare, around).catch((error: unknown) => {
		throw item.isTool && error instanceof InputError ? refusedForModel(kind, error) : error;
	});
}

/** A model may see nothing but the message: it says what was not done, and what to change. */
function refusedForModel({ what, done }: WriteKind, error: InputError): InputError {
	error.message = `${error.message} – the ${what} was NOT ${done}. ${error.advice}`;
	return error;
}

async function once(
	item: Item,
	kind: WriteKind,
	prepare: () => Write,
	around: Around,
): Promise<IDataObject[]> {
	const { endpoint } = kind;
	// Before any value is read, which may throw or be another one by now: what an earlier try of the same run has sent.
	const earlier = sentWrites.recall(item.writeId({ endpoint }));
	if (earlier?.state === 'done') return [earlier.result];
	const isRepeatable = endpoint.method !== 'POST';
	if (earlier !== undefined && !isRepeatable) throw notSentAgain(kind, earlier);
	const write = prepared(kind, prepare, earlier);
	const id = item.writeId(write.request);
	// And with the values: where executions share an id, they tell two writes apart.
	const known = earlier ?? sentWrites.recall(id);
	if (known?.state === 'done') return [known.result];
	if (known !== undefined && !isRepeatable) throw notSentAgain(kind, known);
	return await around(
		async () => await sendRecorded(kind, write, id, known),
		() => sentWrites.recall(id) !== undefined,
	);
}

/** @param known what became of an earlier try, when that is unknown */
async function sendRecorded(
	kind: WriteKind,
	write: Write,
	id: WriteId,
	known: Known,
): Promise<IDataObject> {
	// Before the request goes out, so that no error, whatever its kind, can make a sent request look unsent.
	const beforeSend = (): void =>
		sentWrites.record(id, { state: 'unknown', about: 'no answer was read' });
	const result = await write.send({ beforeSend }).catch((error: unknown): IDataObject => {
		if (!(error instanceof ServiceFailure)) throw error;
		const { failure } = error;
		const found = known === undefined ? undefined : write.afterLostTry?.(failure);
		if (found !== undefined) return found;
		// A later try that is refused tells nothing of the earlier one.
		const isCertain = failure.notExecuted && known === undefined;
		if (isCertain) sentWrites.release(id);
		else sentWrites.record(id, { state: 'unknown', about: error.message });
		throw failedWrite(kind, failure, isCertain);
	});
	sentWrites.record(id, { state: 'done', result });
	return result;
}

const alone: Around = async (send) => [await send()];

type Known = ReturnType<typeof sentWrites.recall>;

/** A value that is refused now says nothing of a try that was sent with another one. */
function prepared(kind: WriteKind, prepare: () => Write, earlier: Known): Write {
	try {
		return prepare();
	} catch (error) {
		throw earlier === undefined ? error : notSentAgain(kind, earlier);
	}
}

function notSentAgain({ what, done, whereToLook }: WriteKind, known: Known): UnknownOutcome {
	const came = known?.state === 'unknown' ? known.about : 'what came of it is no longer kept';
	return new UnknownOutcome(
		`UNKNOWN whether the ${what} was ${done}: check before you retry. It was sent in an earlier try and not again: ${came}`,
		whereToLook,
	);
}

function failedWrite(
	{ what, done, whereToLook }: WriteKind,
	failure: Failure,
	isCertain: boolean,
): ReportedError {
	const { message: came, advice } = failureTexts(failure);
	if (isCertain) {
		const message = `${came} – the ${what} was NOT ${done} by this request`;
		return new ReportedError(message, advice, failure);
	}
	// What to do about a refusal says that nothing was changed, which holds for this try alone.
	const toDo = failure.notExecuted ? 'The outcome of an earlier try is unknown.' : advice;
	return new UnknownOutcome(
		`UNKNOWN whether the ${what} was ${done}: check before you retry. ${came}`,
		`${toDo} ${whereToLook}`,
		failure,
	);
}
