import { type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import type { ReportedError } from '../../shared/errors/reportedError';
import { isTool, type ItemContext } from '../../shared/n8nAdapter';
import { CredentialError, withoutApiKey } from '../../shared/service/credential';
import { withOutcome } from '../writes/outcome';
import { sentWrites } from '../writes/sentWrites';
import { writeIdOf } from './item';
import type { AnyItem, Item, OperationDefinition } from '../operation';
import { runMemoryOf } from './runMemory';

export async function outputOf(
	item: AnyItem,
	{ run }: OperationDefinition,
): Promise<INodeExecutionData[]> {
	// One object for all items, as in n8n's own nodes: n8n stores it once.
	const pairedItem = { item: item.index };
	// The item was opened for this definition, so `run` accepts its endpoint.
	return (await run(item as AnyItem & Item)).map((json) => ({ json, pairedItem }));
}

/** Removes the API key, adds whether something was sent or is in doubt, and notes a doubt for later attempts. */
export async function itemError(
	thrown: unknown,
	context: ItemContext,
	{ endpoint, write }: OperationDefinition,
	index: number,
): Promise<ReportedError> {
	// An error of the credential makes it clear to people that nothing was done.
	const mustSayNotDone =
		isTool(context.getNode()) ||
		(write?.movesMoney === true && !(thrown instanceof CredentialError));
	const isUnsent = write && sentWrites.recall(writeIdOf(context, index, endpoint)) === undefined;
	const denial = isUnsent && mustSayNotDone ? write.denial : undefined;
	const { effects } = runMemoryOf(context);
	const reported = await withoutApiKey(thrown, context, index);
	const error = withOutcome(reported, denial, effects.doubtOf(index));
	effects.noteFailed(index, error);
	return error;
}

/** A failed item under On Error: Continue. n8n recognizes it by exactly these keys (n8nAdapter.ts). */
export function toErrorOutput(
	error: Error & { description?: unknown },
	index: number,
): INodeExecutionData {
	const { message, description } = error;
	const httpCode = error instanceof NodeApiError && error.httpCode !== 'none' && error.httpCode;
	const details = {
		itemIndex: index,
		...(typeof description === 'string' && { description }),
		...(httpCode && { httpCode }),
	};
	return { json: { error: message, details }, pairedItem: { item: index } };
}
