import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { ReportedError, type Failure } from './failure';
import { failureTexts } from './failureTable';

export { ReportedError, type Failure } from './failure';
export { failureTexts } from './failureTable';

/** A request that failed for good. */
export class ServiceFailure extends ReportedError {
	constructor(override readonly failure: Failure) {
		const { message, advice } = failureTexts(failure);
		super(message, advice, failure);
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
	if (!(error instanceof ReportedError)) {
		return withCleanTexts(error instanceof Error ? error : new Error(String(error)), clean);
	}
	const message = clean(error.message);
	const description = (item === undefined ? '' : itemText(item)) + clean(error.advice);
	const options = { description, ...(item === undefined ? {} : { itemIndex: item.index }) };
	const { failure } = error;
	// Never a network code as httpCode: n8n would replace the message, and advise to retry a write.
	const httpCode = String(failure?.status ?? 'none');
	const nodeError =
		failure === undefined
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, { message }, { message, httpCode, ...options });
	// n8n replaces a message in which the letters of a system code occur, wherever they stand.
	nodeError.message = message;
	return nodeError;
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
