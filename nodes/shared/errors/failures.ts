import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { InputError } from './inputError';
import { CredentialError } from '../service/credentialFields';
import type { Failure } from './failure';
import { failureTexts } from './failureTable';

export type { Failure } from './failure';
export { failureTexts } from './failureTable';

/** A request that failed for good. */
export class ServiceFailure extends Error {
	constructor(readonly failure: Failure) {
		super(failureTexts(failure).message);
	}
}

/** An error that a node composed itself, to be shown as it stands: `message`, then `advice` below it. */
export class ReportedError extends Error {
	constructor(
		message: string,
		readonly advice: string,
		readonly failure?: Failure,
	) {
		super(message);
	}
}

/** The item that an error is about. */
export interface ItemPlace {
	/** From 0, as n8n counts. */
	readonly index: number;
	/** Number of items. */
	readonly total: number;
}

/** For people, who count from 1; which item it was goes without saying where there is only one. */
export const itemText = ({ index, total }: ItemPlace): string =>
	total > 1 ? `Item ${index + 1} of ${total}: ` : '';

/**
 * Turns any error of this package into n8n's own kind, with the item's index. A foreign error (a bug, or one of
 * n8n itself) stays the same object.
 *
 * @param clean takes out of the texts what must not be shown: before n8n makes copies of them
 */
export function toNodeError(
	error: unknown,
	node: INode,
	item?: ItemPlace,
	clean = (text: string): string => text,
): Error {
	const place = item === undefined ? {} : { itemIndex: item.index };
	const where = item === undefined ? '' : itemText(item);
	const apiError = ({ status }: Failure, text: string, advice: string): NodeApiError => {
		const message = clean(text);
		const plain: JsonObject = { message };
		const description = where + clean(advice);
		// Never a network code here: n8n would replace the message, and advise to retry a write.
		const httpCode = String(status ?? 'none');
		const shown = new NodeApiError(node, plain, { message, description, httpCode, ...place });
		// n8n replaces a message in which the letters of a system code occur, wherever they stand.
		shown.message = message;
		return shown;
	};
	if (error instanceof ServiceFailure) {
		return apiError(error.failure, error.message, failureTexts(error.failure).advice);
	}
	if (error instanceof ReportedError && error.failure !== undefined) {
		return apiError(error.failure, error.message, error.advice);
	}
	if (
		error instanceof InputError ||
		error instanceof ReportedError ||
		error instanceof CredentialError
	) {
		const message = clean(error.message);
		const advice =
			error instanceof CredentialError
				? 'Correct the Payment Collection API credential. Nothing was sent.'
				: (error.advice ?? 'Correct the value. Nothing was sent.');
		const operationError = new NodeOperationError(node, message, {
			description: where + clean(advice),
			...place,
		});
		operationError.message = message;
		return operationError;
	}
	return withCleanTexts(error instanceof Error ? error : new Error(String(error)), clean);
}

function withCleanTexts(
	error: Error & { description?: unknown },
	clean: (text: string) => string,
): Error {
	const message = clean(error.message);
	// n8n knows some errors by their message: it is set only where it changes.
	if (message !== error.message) error.message = message;
	if (typeof error.description === 'string') error.description = clean(error.description);
	return error;
}
