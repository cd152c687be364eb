import type { IDataObject } from 'n8n-workflow';
import type { ReportedError } from '../../shared/errors/reportedError';
import type { OnceOnly, WriteDefinition, WriteId, WriteItem } from '../operation';
import { keyFields, oncePerKey, type KeyUse } from './idempotencyKey';
import { sentWrites, type UnknownWrite } from './sentWrites';

export type WriteTexts = Omit<WriteDefinition, 'keyFields'>;

/**
 * @template Asked the checked request of an item
 * @template Turn what a write gets while it is alone with its subject, such as the ledger of a charge
 */
export interface WriteParts<Asked, Turn> {
	/** @throws {InputError} */
	readonly read: (item: WriteItem) => Asked;
	/** Identifies what the write changes, such as a charge's ID. */
	readonly subjectOf: (asked: Asked) => string;
	/** Distinguishes writes of an item in executions that share an ID. */
	readonly contentOf: (asked: Asked) => unknown;
	/** Missing for a write that takes no Idempotency Key. */
	readonly key?: KeyUse<Asked>;
	/** Runs a task while no other write of the subject is in progress, if they affect one another. */
	readonly inTurn: <Result>(
		item: WriteItem,
		subject: string,
		task: (turn: Turn) => Promise<Result>,
	) => Promise<Result>;
	/** Finds the outcome of a write that an earlier attempt sent. @returns undefined if it can't be found */
	readonly resolve?: (item: WriteItem, id: WriteId, turn: Turn) => Promise<IDataObject | undefined>;
	/** The error if the outcome of an earlier attempt can't be found. */
	readonly inDoubt: (earlier: UnknownWrite) => ReportedError;
	/** Notes in sentWrites that the write goes out before it does, and its outcome afterward: everyWrite.test.ts checks it. */
	readonly send: (item: WriteItem, asked: Asked, id: WriteId, turn: Turn) => Promise<IDataObject>;
}

/**
 * Makes the only kind of run that a write accepts. In a later attempt (Retry On Fail), a known result is returned, whatever the
 * values are by now; an unknown outcome is looked up or reported. A PATCH or a DELETE that moves no money is sent again.
 */
export function onceOnly<Asked, Turn>(parts: WriteParts<Asked, Turn>, texts: WriteTexts) {
	const { read, subjectOf, contentOf, key, inTurn, resolve, inDoubt, send } = parts;
	const { describeEffect } = texts;
	const run = async (item: WriteItem): Promise<IDataObject[]> => {
		const result = await resultFor(item);
		if (result === undefined) return [];
		// First of all, so that no later fault can hide the result.
		item.noteDone(describeEffect(result));
		return item.toItems([result]);
	};

	/** @returns undefined if nothing was sent for a key that is to be skipped */
	async function resultFor(item: WriteItem): Promise<IDataObject | undefined> {
		// First without the values: they can have changed since, or be refused now.
		const runId = item.writeId();
		const earlier = sentWrites.recall(runId);
		if (earlier?.state === 'carriedOut') return earlier.result;
		if (earlier?.subject !== undefined) {
			const { subject } = earlier;
			const lookUp = async (turn: Turn) => await earlierResult(item, runId, subject, turn);
			const result = await inTurn(item, subject, lookUp);
			if (result !== undefined) return result;
		}
		const asked = readOrInDoubt(earlier, () => read(item));
		const subject = subjectOf(asked);
		return await inTurn(item, subject, async (turn) => {
			const id = item.writeId(contentOf(asked));
			const result = await earlierResult(item, id, subject, turn);
			if (result !== undefined) return result;
			const once = async (): Promise<IDataObject> => await send(item, asked, id, turn);
			if (key === undefined) return await once();
			return await oncePerKey(item, id, { ...key, describeEffect }, asked, once);
		});
	}

	/** The result of an earlier attempt, which can have ended while this one waited for its turn. */
	async function earlierResult(
		item: WriteItem,
		id: WriteId,
		subject: string,
		turn: Turn,
	): Promise<IDataObject | undefined> {
		const known = sentWrites.recall(id);
		if (known?.state !== 'unknown') return known?.result;
		// Repeating a PATCH or a DELETE does no harm, unless it moves money.
		if (item.endpoint.method !== 'POST' && texts.movesMoney !== true) return undefined;
		const result = await resolve?.(item, id, turn);
		if (result === undefined) throw inDoubt({ ...known, subject });
		return result;
	}

	function readOrInDoubt(earlier: UnknownWrite | undefined, readValues: () => Asked): Asked {
		try {
			return readValues();
		} catch (error) {
			throw earlier === undefined ? error : inDoubt(earlier);
		}
	}

	return {
		run: run as OnceOnly,
		write: { ...texts, keyFields: key === undefined ? [] : keyFields } satisfies WriteDefinition,
	};
}
