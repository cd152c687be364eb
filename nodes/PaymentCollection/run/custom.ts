import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleepUnlessAborted } from '../../shared/clock';
import { MAX_CONCURRENCY } from '../../shared/executionScope';
import { toNodeError } from '../../shared/failures';
import { plainText } from '../../shared/plainText';
import { itemParameter, openItem } from './item';
import type { Operation } from './item';
import { toErrorOutput, toOutput } from './outcome';

/** n8n's Request Options → Batching, which n8n applies to declarative operations alone. */
interface Batching {
	readonly batch?: { readonly batchSize?: number; readonly batchInterval?: number };
}

type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/**
 * Runs an operation over all items outside of n8n's declarative machinery, where an operation may give hints,
 * return any number of rows, stop at the first failing item and say what was done before it.
 *
 * @param describeDone for writes: one item's result in words, for the error of a later item
 */
export function custom(
	operation: Operation,
	{
		oneByOne = false,
		describeDone,
	}: {
		oneByOne?: boolean;
		describeDone?: (result: IDataObject) => string;
	} = {},
): CustomOperation {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		const results: INodeExecutionData[][] = [];
		const { batch } =
			(itemParameter(this, 0, 'requestOptions', {}) as { batching?: Batching }).batching ?? {};
		const interval = batch?.batchInterval ?? 0;
		const batchSize = Math.max(1, batch?.batchSize ?? 1);

		const stopped = new AbortController();

		const runItem = async (index: number): Promise<void> => {
			try {
				const item = await openItem(this, index, {}, stopped.signal);
				results[index] = toOutput(item, await operation(item), operation.toItem);
			} catch (error) {
				if (!this.continueOnFail()) {
					throw withDone(toNodeError(error, this.getNode(), index), results, describeDone);
				}
				results[index] = [toErrorOutput(error, this.getNode(), index)];
			}
		};

		let next = 0;
		// An item has failed the node: the pages and retries of the others would go on unseen.
		const stopAll = (error: unknown): never => {
			next = count;
			stopped.abort();
			throw error;
		};
		const worker = async (): Promise<void> => {
			while (next < count) {
				const index = next++;
				if (interval > 0 && index > 0 && index % batchSize === 0) {
					await sleepUnlessAborted(interval, this.getExecutionCancelSignal());
				}
				await runItem(index).catch(stopAll);
			}
		};
		const workers = oneByOne || interval > 0 ? 1 : Math.min(MAX_CONCURRENCY, count);
		await Promise.all(Array.from({ length: workers }, worker));
		return [results.flat()];
	};
}

/** A failing item loses n8n the results of those before it: what they did to money is told in the error. */
function withDone(
	error: Error,
	results: readonly INodeExecutionData[][],
	describeDone: ((result: IDataObject) => string) | undefined,
): Error {
	if (describeDone === undefined || results.length === 0) return error;
	const described: Error & { description?: unknown } = error;
	const done = results.map(
		(rows, index) => `item ${index}: ${rows.map(({ json }) => describeDone(json)).join(', ')}`,
	);
	const own = plainText(described.description);
	described.description = `${own} Done before this error: ${done.join('; ')}.`.trimStart();
	return described;
}
