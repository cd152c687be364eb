import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { redactText } from '../redaction/redactText';
import { isTool } from '../n8nFeatures';
import { asError, plainText, withUnseenShown } from '../values';
import type { Failure } from './failure';
import { failureTexts } from './failureTable';

interface ErrorFacts {
	readonly failure?: Failure | undefined;
	/** Of a write, where the message says it already. */
	readonly outcome?: 'notCarriedOut' | 'unknown';
	/** A foreign error that it stands for: a bug, or one of n8n itself. */
	readonly own?: Error;
}

/** An error to be shown as it stands: `message`, then `advice` below it, which says what to do. */
export class ReportedError extends Error {
	constructor(
		message: string,
		readonly advice: string,
		readonly facts: ErrorFacts = {},
	) {
		super(message);
	}
}

export class ServiceFailure extends ReportedError {
	constructor(readonly failure: Failure) {
		const { message, advice } = failureTexts(failure);
		super(message, advice, { failure });
	}
}

/**
 * A value that the user gave and that can't be sent. Nothing was carried out for it; a charge may have been read.
 *
 * `message` names the field, the limit and the value's size; `advice` says what to change, and that nothing was sent.
 */
export class InputError extends ReportedError {
	constructor(message: string, advice = 'Correct the value. Nothing was sent.') {
		super(message, advice);
	}
}

export interface ItemPlace {
	/** From 0, as n8n counts. */
	readonly index: number;
	readonly total: number;
	/** n8n makes a NodeApiError of whatever a routing throws, and of another one it may replace the message. */
	readonly isRouted?: boolean;
}

/** For people, who count from 1; which item it was goes without saying where there is only one. */
export const itemText = ({ index, total }: ItemPlace): string =>
	total > 1 ? `Item ${index + 1} of ${total}: ` : '';

/** Any error as one to be shown. @param clean takes out of its texts what must not be */
export function asReported(thrown: unknown, clean: (text: string) => string): ReportedError {
	const own: Error & { description?: unknown } = asError(thrown);
	const isOwn = !(own instanceof ReportedError);
	const advice = isOwn ? plainText(own.description) : own.advice;
	return new ReportedError(clean(own.message), clean(advice), isOwn ? { own } : own.facts);
}

/**
 * Turns an error into n8n's own kind, with the item's index. A foreign one stays the same object.
 *
 * @param place `messageOnly` where n8n shows nothing else: publishing, and a list to choose from
 * @param others what to say of other items
 */
export function toNodeError(
	{ message: said, advice, facts: { failure, own } }: ReportedError,
	node: INode,
	place?: ItemPlace | 'messageOnly',
	others = '',
): Error {
	const item = place === 'messageOnly' ? undefined : place;
	const where = item === undefined || own !== undefined ? '' : itemText(item);
	const description = [where + advice, others].filter(Boolean).join(' ');
	if (own !== undefined) {
		// n8n knows some errors by their message: it is set only where it changes.
		if (said !== own.message) own.message = said;
		return description === '' ? own : Object.assign(own, { description });
	}
	// A model may read nothing but the message.
	const message = place === 'messageOnly' || isTool(node) ? `${said}. ${advice}` : said;
	const options = { description, ...(item === undefined ? {} : { itemIndex: item.index }) };
	// Never a network code as httpCode: n8n would replace the message, and advise to retry a write.
	const httpCode = String(failure?.status ?? 'none');
	const nodeError =
		failure === undefined && item?.isRouted !== true
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, { message }, { message, httpCode, ...options });
	// n8n replaces a message in which the letters of a system code occur, wherever they stand.
	nodeError.message = message;
	return nodeError;
}

const MAX_SHOWN = 60;
const MAX_SEARCHED = 2_000;

/**
 * The value's own text, short enough for a message, so that a whole pasted document does not end up in it, with
 * escapes for what can't be seen, and without card numbers: a field may be given any part of a charge by mistake.
 */
export const quoted = (value: unknown): string => quotedText(textOf(value));

/** The same of a text, without quotation marks. */
export function quotedText(text: string): string {
	// Of more than that nothing is shown: a pasted document need not be searched.
	const beginning = withUnseenShown(redactText(text.slice(0, MAX_SEARCHED), ''));
	if (text.length <= MAX_SEARCHED && beginning.length <= MAX_SHOWN) return beginning;
	return `${beginning.slice(0, MAX_SHOWN - 3)}… (${text.length} characters)`;
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return `"${value}"`;
	// JSON would turn NaN and Infinity into null, and fails for a bigint.
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	const json = JSON.stringify(value) as string | undefined;
	return json ?? typeof value;
}
