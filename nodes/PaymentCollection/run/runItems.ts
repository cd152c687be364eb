import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { MAX_INTEGER } from '../../../contract/constants';
import { cancelSignalOf, logWarning, markFailed } from '../../shared/n8nAdapter';
import { CancelledError, sleepUnlessAborted } from '../../shared/clock';
import { toNodeError } from '../../shared/errors/reportedError';
import { checkInteger } from '../../shared/input/inputChecks';
import { MAX_CONCURRENCY } from '../../shared/service/requestLimiter';
import type { RequestSettings } from '../../shared/service/requestOptions';
import { ranges, type Effects, type FailedItem } from './effects';
import { itemParameter, openItem } from './item';
import type { OperationDefinition } from '../operation';
import { itemError, outputOf, toErrorOutput } from './output';
import { runMemoryOf } from './runMemory';

/**
 * Runs an operation for every item, several at a time. After an item fails the node, no other item begins, and those in
 * progress are awaited: nothing is sent after the node has ended, and its error says everything that was done.
 */
export async function runItems(
	context: IExecuteFunctions,
	definition: OperationDefinition,
): Promise<INodeExecutionData[][]> {
	const attempt = new RunAttempt(context, definition);
	const { size, interval } = await batching(context).catch(async (error: unknown) => {
		// `end` throws this error, with what an earlier attempt has sent.
		await attempt.fail(error, 0);
		return { size: 1, interval: 0 };
	});
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < attempt.count && !attempt.mustEnd()) {
			const index = next++;
			if (interval > 0 && index > 0 && index % size === 0) {
				await sleepUnlessAborted(interval, attempt.cancel).catch(() => undefined);
			}
			if (!attempt.mustEnd()) await attempt.runItem(index);
		}
	};
	const isOneByOne = definition.write?.movesMoney === true || interval > 0;
	const workers = isOneByOne ? 1 : Math.min(MAX_CONCURRENCY, size, attempt.count);
	await Promise.all(Array.from({ length: workers }, worker));
	return [attempt.end()];
}

class RunAttempt {
	readonly count: number;
	/** Aborted when the user stops the execution. */
	readonly cancel: AbortSignal | undefined;
	private readonly results: INodeExecutionData[][] = [];
	private readonly failed: FailedItem[] = [];
	private readonly itemFailed = new AbortController();
	private readonly effects: Effects;
	/** Settled when all items that have begun are open. */
	private opened: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly definition: OperationDefinition,
	) {
		this.count = context.getInputData().length;
		this.cancel = cancelSignalOf(context);
		this.effects = runMemoryOf(context).effects;
	}

	mustEnd(): boolean {
		return this.itemFailed.signal.aborted || this.cancel?.aborted === true;
	}

	async runItem(index: number): Promise<void> {
		const { context, count: total, definition, itemFailed } = this;
		try {
			const opening = openItem(context, index, definition, itemFailed.signal);
			// Items open at once, and continue in order: the first of two with the same Idempotency Key gets the key.
			const inOrder = Promise.all([opening, this.opened]);
			this.opened = Promise.allSettled([opening, this.opened]);
			const [item] = await inOrder;
			this.results[index] = await outputOf(item, definition);
		} catch (error) {
			if (error instanceof CancelledError || !context.continueOnFail()) {
				await this.fail(error, index);
			} else {
				const failed = await itemError(error, context, definition, index);
				const shown = toNodeError(failed, context.getNode(), { index, total });
				this.results[index] = [markFailed(context, toErrorOutput(shown, index), shown)];
			}
		}
	}

	/** Makes the item's error that of the node. */
	async fail(error: unknown, index: number): Promise<void> {
		const { context, definition } = this;
		// First of all, so that no other item begins.
		this.itemFailed.abort();
		if (error instanceof CancelledError) return;
		this.failed.push({ index, error: await itemError(error, context, definition, index) });
	}

	/** @throws the node's error, with everything that was done or is in doubt */
	end(): INodeExecutionData[] {
		const { context, definition, effects, count: total, results } = this;
		if (this.cancel?.aborted === true) {
			const text = effects.stoppedText();
			// n8n keeps no error of a stopped execution, so only the log can say it.
			if (text !== '') logWarning(context, `The execution was stopped. ${text}`);
			throw new CancelledError();
		}
		const [first, ...others] = this.failed;
		if (first === undefined) {
			this.hintAtEmpty();
			return total === 1 ? (results[0] ?? []) : results.flat();
		}
		const { index, error } = first;
		const effectsText = definition.write && effects.failedText(index, others, total);
		throw toNodeError(error, context.getNode(), { index, total }, effectsText);
	}

	/** Names the items without a result, except the only item of a read. */
	private hintAtEmpty(): void {
		const { context, count, definition, results } = this;
		const empty = results.flatMap((items, index) => (items.length === 0 ? [index] : []));
		const isWrite = definition.write !== undefined;
		if (empty.length === 0 || (count === 1 && !isWrite)) return;
		const message = isWrite
			? `Skipped ${ranges(empty)}: ${SKIPPED}`
			: `Nothing was found for ${ranges(empty)}.`;
		context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
	}
}

const SKIPPED =
	"the 'Idempotency Key' was used before, so nothing was sent and no item is returned. Inside a Loop Over Items loop, turn on 'Always Output Data' in the settings of this node: without an item, the loop ends here.";

/** `interval` is the wait after `size` items, in milliseconds. @throws {InputError} */
async function batching(context: IExecuteFunctions): Promise<{ size: number; interval: number }> {
	const { batching: given } = itemParameter(context, 0, 'requestOptions', {}) as RequestSettings;
	const { batchSize = -1, batchInterval = 0 } = given?.batch ?? {};
	const size = checkInteger(batchSize, ITEMS_PER_BATCH, -1, MAX_INTEGER);
	// As n8n documents it: -1 means no batches, and 0 counts as 1.
	return { size: size < 0 ? Infinity : Math.max(1, size), interval: batchInterval };
}

const ITEMS_PER_BATCH = "'Request Options → Batching → Items per Batch'";
