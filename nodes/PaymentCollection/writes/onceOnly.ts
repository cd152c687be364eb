import type { IDataObject } from 'n8n-workflow';
import type { ReportedError } from '../../shared/errors/reportedError';
import type { AnyItem, OnceOnly, WriteDefinition, WriteId } from '../operation';
import { keyFields, oncePerKey, type KeyContent } from './idempotencyKey';
import { sentWrites, type UnknownWrite } from './sentWrites';

export type WriteTexts = Omit<WriteDefinition, 'keyFields'>;

/**
 * @template Asked the checked request of an item
 * @template Ledger of the write's subject, such as a charge; undefined for writes that don't affect one another
 */
export interface WriteParts<Asked, Ledger> {
	/** @throws {InputError} */
	readonly read: (item: AnyItem) => Asked;
	/** Identifies what the write changes, such as a charge's ID. */
	readonly subjectOf: (asked: Asked) => string;
	/** Distinguishes writes of an item in executions that share an ID. */
	readonly contentOf: (asked: Asked) => unknown;
	/** Missing for a write that takes no Idempotency Key. */
	readonly key?: KeyContent<Asked>;
	/** Runs a task while no other write of the subject is in progress, if they affect one another. */
	readonly inTurn: <Result>(
		item: AnyItem,
		subject: string,
		task: (ledger: Ledger) => Promise<Result>,
	) => Promise<Result>;
	/** Finds the outcome of a write that an earlier attempt sent. @returns undefined if it can't be found */
	readonly resolve?: (
		item: AnyItem,
		id: WriteId,
		ledger: Ledger,
	) => Promise<IDataObject | undefined>;
	/** The error if the outcome of an earlier attempt can't be found. */
	readonly inDoubt: (earlier: UnknownWrite) => ReportedError;
	/** Notes the write in sentWrites, a refund by its ledger, before it goes out, and its outcome afterward: everyWrite.test.ts checks it. */
	readonly send: (item: AnyItem, asked: Asked, id: WriteId, ledger: Ledger) => Promise<IDataObject>;
}

/**
 * Makes the only kind of `run` function that a write accepts. Later attempts (Retry On Fail) return a known result, whatever
 * the values are by then, and look up or report an unknown outcome. A PATCH or a DELETE that moves no money is sent again.
 */
export function onceOnly<Asked, Ledger>(parts: WriteParts<Asked, Ledger>, texts: WriteTexts) {
	const { read, subjectOf, contentOf, key, inTurn, resolve, inDoubt, send } = parts;
	const { describeEffect } = texts;
	const run = async (item: AnyItem): Promise<IDataObject[]> => {
		const result = await resultFor(item);
		if (result === undefined) return [];
		// First of all, so that no later fault can hide the result.
		item.noteDone(describeEffect(result));
		return item.toItems([result]);
	};

	/** @returns undefined if nothing was sent for a key that is to be skipped */
	async function resultFor(item: AnyItem): Promise<IDataObject | undefined> {
		// First without the values: they can have changed since, or be refused now.
		const runId = item.writeId();
		const earlier = sentWrites.recall(runId);
		if (earlier?.state === 'carriedOut') return earlier.result;
		if (earlier?.subject !== undefined) {
			const { subject } = earlier;
			const lookUp = async (ledger: Ledger) => await earlierResult(item, runId, subject, ledger);
			const result = await inTurn(item, subject, lookUp);
			if (result !== undefined) return result;
		}
		const asked = readOrInDoubt(earlier, () => read(item));
		const subject = subjectOf(asked);
		return await inTurn(item, subject, async (ledger) => {
			const id = item.writeId(contentOf(asked));
			const result = await earlierResult(item, id, subject, ledger);
			if (result !== undefined) return result;
			const once = async (): Promise<IDataObject> => await send(item, asked, id, ledger);
			if (key === undefined) return await once();
			return await oncePerKey(item, id, { ...key, describeEffect }, asked, once);
		});
	}

	/** Recalls the write again, since an earlier attempt can have ended while this one waited for its turn. */
	async function earlierResult(item: AnyItem, id: WriteId, subject: string, ledger: Ledger) {
		const known = sentWrites.recall(id);
		if (known?.state !== 'unknown') return known?.result;
		// Repeating a PATCH or a DELETE does no harm, unless it moves money.
		if (item.endpoint.method !== 'POST' && texts.movesMoney !== true) return undefined;
		const result = await resolve?.(item, id, ledger);
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
