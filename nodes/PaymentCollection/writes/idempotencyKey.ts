import type { IDataObject } from 'n8n-workflow';
import { throwIfCancelled } from '../../shared/errors/cancellation';
import { quotedText } from '../../shared/errors/inputError';
import { ReportedError } from '../../shared/errors/failures';
import { textsOf } from '../../shared/errors/messageKind';
import { redactText } from '../../shared/redaction/redactText';
import type { Item } from '../run/item';
import type { KeyOptions } from './idempotencyFields';
import { forgetUse, knownUse, noteUse } from './keyHistory';
import { KeyMemory, type Claim } from './keyMemory';
import { KEY_MESSAGES } from './messages';
import { Queues } from './queues';

/** A key that was used before. Its message says by itself that nothing was sent, and nothing about the first time. */
export class RepeatedKey extends ReportedError {}

/** The write that a key is for. */
export interface KeyedWrite {
	/** Which operation: the same key of two operations is two keys. */
	readonly operation: string;
	readonly write: () => Promise<IDataObject>;
	/** A result in words; undefined when nothing was changed. */
	readonly describeEffect: (result: IDataObject) => string | undefined;
	/** After `write`: whether the request was carried out, or may have been. */
	readonly mayBeCarriedOut: () => boolean;
}

/**
 * Does a write at most once for its Idempotency Key, whatever execution asks. The key is claimed before anything is
 * sent, given back only when the write was certainly not carried out, and kept on success and when that is unknown.
 *
 * @returns the result, or nothing for a key that was used before and is to be skipped
 * @throws {RepeatedKey} for a key that was used before
 */
export async function oncePerKey(
	item: Item,
	options: KeyOptions | undefined,
	keyed: KeyedWrite,
): Promise<IDataObject[]> {
	if (options === undefined) return [await keyed.write()];
	const { context } = item;
	const memory = KeyMemory.of(context);
	if (memory === undefined) throw new ReportedError(...textsOf(KEY_MESSAGES.noMemory, {}));
	const stored = `${keyed.operation} ${options.key}`;
	const place = `${String(context.getWorkflow().id)} ${context.getNode().id} ${stored}`;
	// Until the write that is under way for the key is through: refused, it gives the key back.
	return await queues.inTurn(place, async () => {
		throwIfCancelled(item.transport.signal);
		return await claimAndWrite(item, options, keyed, { memory, stored, place });
	});
}

const queues = new Queues<string>();

/** Where a key is kept: in n8n's database, and with what this process knows of it. */
interface KeyPlace {
	readonly memory: KeyMemory;
	readonly stored: string;
	readonly place: string;
}

async function claimAndWrite(
	item: Item,
	options: KeyOptions,
	{ write, describeEffect, mayBeCarriedOut }: KeyedWrite,
	{ memory, stored, place }: KeyPlace,
): Promise<IDataObject[]> {
	const { context, index: itemIndex } = item;
	const claim = await memory.claim(stored).catch(notRecorded);
	if (claim === undefined) {
		if (options.onRepeatedKey === 'skip') return [];
		const facts = { key: quotedText(options.key), known: knownUse(place) };
		throw new RepeatedKey(...textsOf(KEY_MESSAGES.repeatedKey, facts));
	}
	const use = { executionId: context.getExecutionId(), itemIndex };
	noteUse(place, use);
	let effect: string | undefined;
	try {
		const result = await write();
		effect = describeEffect(result) ?? 'nothing was changed';
		return [result];
	} finally {
		if (mayBeCarriedOut()) {
			noteUse(place, effect === undefined ? { ...use, doubt: 'unknown' } : { ...use, effect });
			await keep(memory, claim, item);
		} else if (await release(memory, claim, item)) {
			forgetUse(place);
		} else {
			noteUse(place, { ...use, doubt: 'notGivenBack' });
		}
	}
}

/** Before anything was sent. */
function notRecorded(error: unknown): never {
	const reason = redactText(error instanceof Error ? error.message : String(error), '');
	throw new ReportedError(...textsOf(KEY_MESSAGES.notRecorded, { reason }));
}

/** n8n's memory failed after the write: its result is not to be lost for that. */
async function keep(memory: KeyMemory, claim: Claim, { context }: Item): Promise<void> {
	await memory.keep(claim).catch(() => {
		context.logger.warn('The Idempotency Key of a write could not be checked again after it.');
	});
}

/** @returns whether the key is free again */
async function release(memory: KeyMemory, claim: Claim, { context }: Item): Promise<boolean> {
	return await memory.release(claim).then(
		() => true,
		() => {
			context.logger.warn(
				'An Idempotency Key could not be given back: it stays used, though nothing was carried out for it.',
			);
			return false;
		},
	);
}
