import { toolArguments, type ItemContext } from '../../shared/n8nFeatures';
import { RequestLimiter } from '../../shared/service/requestLimiter';
import { onePer } from '../../shared/values';
import { Effects } from './effects';

let lastId = 0;

/** What all items of one run of the node share, in all attempts of Retry On Fail. Sent writes are in sentWrites.ts. */
export class RunMemory {
	readonly id = ++lastId;

	readonly limiter = new RequestLimiter();

	readonly effects = new Effects();

	/** How often n8n has tried a model's call. */
	tries = 0;
}

const memoryOf = onePer(() => new RunMemory());

/** By the object that n8n keeps for a run, or for a model's call. */
export const runMemoryOf = (context: ItemContext): RunMemory =>
	memoryOf(toolArguments(context) ?? context.getExecuteData());
