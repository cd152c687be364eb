import { toolArguments, type ItemContext } from '../../shared/n8nAdapter';
import { RequestLimiter } from '../../shared/service/requestLimiter';
import { onePer } from '../../shared/values';
import { Effects } from './effects';

let lastId = 0;

/** Shared by all items of a run, in all attempts of Retry On Fail. Sent writes are in sentWrites.ts. */
class RunMemory {
	readonly id = ++lastId;
	readonly limiter = new RequestLimiter();
	readonly effects = new Effects();
	/** Attempts of a model's call so far. */
	attempts = 0;
}

const memories = onePer(() => new RunMemory());

/** Uses the object that n8n keeps for a run, or for a model's call. */
export const runMemoryOf = (context: ItemContext): RunMemory =>
	memories(toolArguments(context) ?? context.getExecuteData());
