import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { apiKeyRemover } from '../../shared/errors/apiKeyRemover';
import { toNodeError } from '../../shared/errors/failures';
import { CancelledError } from '../../shared/errors/cancellation';
import { cancelSignalOf, markFailed } from '../../shared/n8nFeatures';
import { sleepUnlessAborted } from '../../shared/clock';
import { MAX_CONCURRENCY } from '../../shared/service/requestLimiter';
import { UnknownOutcome } from '../writes/sentWrites';
import { effectsOf, type FailedItem } from './effects';
import { itemParameter, openItem } from './item';
import type { OperationDefinition, Operations } from './operation';
import { toErrorOutput, toOutput } from './output';

/** n8n's Request Options → Batching, which n8n applies to declarative operations alone. */
interface Batching {
	readonly batch?: { readonly batchSize?: number; readonly batchInterval?: number };
}

type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** The operations of a resource as n8n's custom operations: n8n hands each of them all items. */
export function customOperations(operations: Operations): Record<string, CustomOperation> {
	return Object.fromEntries(
		Object.entries(operations).map(([name, definition]) => [name, custom(definition)]),
	);
}

function custom(definition: OperationDefinition): CustomOperation {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runItems(this, definition)];
	};
}

/**
 * Runs an operation for every item, several at a time. Once an item fails the node, no other one is begun, and what is
 * under way is waited for: nothing may be sent after the node has ended, and its error says all that was done.
 */
async function runItems(
	context: IExecuteFunctions,
	definition: OperationDefinition,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	const cancel = cancelSignalOf(context);
	const results: INodeExecutionData[][] = [];
	const failed: FailedItem[] = [];
	const stop = new AbortController();
	const effects = effectsOf(context.getExecuteData());

	const shownError = async (error: unknown, index: number): Promise<Error> =>
		toNodeError(
			error,
			context.getNode(),
			{ index, total: count },
			await apiKeyRemover(context, index),
		);

	const runItem = async (index: number): Promise<void> => {
		try {
			const item = await openItem(context, index, definition, stop.signal);
			const records = await definition.run(item, definition);
			// Noted before anything else is done with the records, so that no later fault can hide it.
			effects.addDone(index, records, definition.write);
			results[index] = toOutput(item, records, definition);
		} catch (error) {
			const isCancelled = error instanceof CancelledError;
			const goesOn = context.continueOnFail() && !isCancelled;
			// Before anything else: nobody may begin another item meanwhile.
			if (!goesOn) stop.abort();
			const nodeError = await shownError(error, index);
			if (error instanceof UnknownOutcome) effects.addDoubt(index, nodeError.message);
			else if (!isCancelled) effects.keepDoubt(nodeError, index);
			if (goesOn) {
				effects.describeOwn(nodeError, index);
				results[index] = [markFailed(context, toErrorOutput(nodeError, index), nodeError)];
				return;
			}
			if (!isCancelled) failed.push({ index, error: nodeError });
		}
	};

	const { size, interval } = await batching(context).catch(async (error: unknown) => {
		// An earlier try may have sent something all the same.
		failed.push({ index: 0, error: await shownError(error, 0) });
		stop.abort();
		return NO_BATCHES;
	});
	const isStopped = (): boolean => stop.signal.aborted || cancel?.aborted === true;
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < count && !isStopped()) {
			const index = next++;
			if (interval > 0 && index > 0 && index % size === 0) {
				await sleepUnlessAborted(interval, cancel).catch(() => undefined);
			}
			if (!isStopped()) await runItem(index);
		}
	};
	const isOneByOne = definition.write?.oneByOne === true || interval > 0;
	const workers = isOneByOne ? 1 : Math.min(MAX_CONCURRENCY, count);
	await Promise.all(Array.from({ length: workers }, worker));

	if (cancel?.aborted === true) {
		const text = effects.text();
		// n8n keeps no error of an execution that was stopped: the log is all that is left.
		if (text !== '') context.logger.warn(`The execution was stopped. ${text}`);
		throw new CancelledError();
	}
	const [first, ...others] = failed;
	if (first === undefined) return count === 1 ? (results[0] ?? []) : results.flat();
	if (definition.write !== undefined) effects.describeIn(first, others, count);
	throw first.error;
}

const NO_BATCHES = { size: 1, interval: 0 };

/** @throws when an expression of the Request Options does */
async function batching(context: IExecuteFunctions): Promise<typeof NO_BATCHES> {
	const options = itemParameter(context, 0, 'requestOptions', {}) as { batching?: Batching };
	const { batchSize = 1, batchInterval = 0 } = options.batching?.batch ?? {};
	return { size: Math.max(1, batchSize), interval: batchInterval };
}
