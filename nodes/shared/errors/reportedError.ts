import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { redactText } from '../redaction/redactText';
import { isTool } from '../n8nAdapter';
import { asError, plainText, withUnseenShown } from '../values';
import type { Failure } from './failure';
import { failureTexts } from './failureTable';

interface ErrorDetails {
	readonly failure?: Failure | undefined;
	/** Set for a write if the message already says its outcome. */
	readonly outcome?: 'notCarriedOut' | 'unknown';
	/** The error that it replaces if that is not ours: a bug, or one of n8n itself. */
	readonly foreign?: Error;
}

/** `message` is shown as it is; `advice` below it says what to do. */
export class ReportedError extends Error {
	constructor(
		message: string,
		readonly advice: string,
		readonly details: ErrorDetails = {},
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
 * A value that can't be sent: nothing was carried out, but a charge may have been read. `message` names the field, the limit
 * and the value's size; `advice` says what to change, and that nothing was sent.
 */
export class InputError extends ReportedError {
	constructor(message: string, advice = 'Correct the value. Nothing was sent.') {
		super(message, advice);
	}
}

/** A value that is not of the kind that a field takes. @param must ends the message: "be true or false" */
export const notOfKind = (value: unknown, label: string, must: string, advice?: string) =>
	new InputError(`${label} is ${quoted(value)}: it must ${must}`, advice);

interface ItemPlace {
	/** Counts from 0, as n8n does. */
	readonly index: number;
	readonly total: number;
	/** True for a declarative operation: n8n makes a NodeApiError of its error, and may replace the message. */
	readonly isRouted?: boolean;
}

/** Counts from 1. Empty for a single item. */
export const itemText = ({ index, total }: ItemPlace): string =>
	total > 1 ? `Item ${index + 1} of ${total}: ` : '';

/** @param clean removes secrets from the texts */
export function asReported(thrown: unknown, clean: (text: string) => string): ReportedError {
	const error: Error & { description?: unknown } = asError(thrown);
	const isOurs = error instanceof ReportedError;
	const advice = isOurs ? error.advice : plainText(error.description);
	const details = isOurs ? error.details : { foreign: error };
	return new ReportedError(clean(error.message), clean(advice), details);
}

/** A foreign error stays the same object. @param place `messageOnly` where n8n shows only that: publishing, dropdown lists */
export function toNodeError(
	{ message: text, advice, details: { failure, foreign } }: ReportedError,
	node: INode,
	place?: ItemPlace | 'messageOnly',
	effectsText = '',
): Error {
	const item = place === 'messageOnly' ? undefined : place;
	const where = item === undefined || foreign !== undefined ? '' : itemText(item);
	const description = [where + advice, effectsText].filter(Boolean).join(' ');
	if (foreign !== undefined) {
		// n8n recognizes some errors by their message, so it is set only if it changes. The stack repeats it.
		const stack = foreign.stack?.replace(foreign.message, () => text);
		if (text !== foreign.message) Object.assign(foreign, { message: text, stack });
		return description === '' ? foreign : Object.assign(foreign, { description });
	}
	// A model may read nothing but the message.
	const message = place === 'messageOnly' || isTool(node) ? `${text}. ${advice}` : text;
	const options = { description, ...(item === undefined ? {} : { itemIndex: item.index }) };
	// Never a network code as httpCode: n8n would replace the message, and advise repeating a write.
	const httpCode = String(failure?.status ?? 'none');
	const nodeError =
		failure === undefined && item?.isRouted !== true
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, { message }, { message, httpCode, ...options });
	// n8n replaces a message that contains the letters of a system code.
	nodeError.message = message;
	return nodeError;
}

const MAX_QUOTED = 60;
const MAX_SEARCHED = 2_000;

/** The value for a message: cut, with unseen characters as escapes, and without card numbers entered by mistake. */
export const quoted = (value: unknown): string => quotedText(textOf(value));

export function quotedText(text: string): string {
	// The rest is not shown, so it need not be searched.
	const beginning = withUnseenShown(redactText(text.slice(0, MAX_SEARCHED), ''));
	if (text.length <= MAX_SEARCHED && beginning.length <= MAX_QUOTED) return beginning;
	return `${beginning.slice(0, MAX_QUOTED - 3)}… (${text.length} characters)`;
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return `"${value}"`;
	// JSON would turn NaN and Infinity into null, and fails for a bigint.
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	const json = JSON.stringify(value) as string | undefined;
	return json ?? typeof value;
}
