import type { IDataObject } from 'n8n-workflow';
import { onePer, plainText } from '../../shared/values';
import { UnknownOutcome } from '../../shared/errors/reportedError';
import type { OperationDefinition } from './item';

export interface FailedItem {
	readonly index: number;
	readonly error: DescribedError;
}

interface DescribedError extends Error {
	description?: unknown;
}

/**
 * When an item fails the node, n8n keeps nothing of the others: neither what was created, changed, deleted or refunded
 * for them, nor which of them are in doubt. So the error of the node says all of it, over all tries of Retry On Fail.
 */
export class Effects {
	private readonly done = new Map<number, string>();

	/** Items of which nobody knows whether they were carried out, with what was said of them. */
	private readonly doubts = new Map<number, string>();

	/** What a write gave for an item, which may turn out to have changed nothing. What was only read has no effect. */
	addDone(
		index: number,
		results: readonly IDataObject[],
		write: OperationDefinition['write'],
	): void {
		if (write === undefined) return;
		for (const result of results) {
			this.doubts.delete(index);
			const text = write.describeEffect(result);
			if (text !== undefined) this.done.set(index, text);
		}
	}

	/**
	 * An item whose write an earlier try of Retry On Fail left in doubt stays in doubt, whatever kept a later try from
	 * finding out more: that it sent nothing is not the whole truth.
	 *
	 * @param shown what the user is told of the error
	 */
	addFailed(index: number, error: unknown, shown: DescribedError): void {
		const doubt = this.doubts.get(index);
		if (error instanceof UnknownOutcome) this.doubts.set(index, shown.message);
		else if (doubt !== undefined) {
			const { message, description } = shown;
			shown.message = doubt;
			shown.description = `That was an earlier attempt. A later one could not continue: ${message}. ${plainText(description)}`;
		}
	}

	/** All that was done or is in doubt; empty when nothing was sent. */
	text(): string {
		return joined([
			this.done.size === 0 ? '' : `Done: ${listed(this.done)}.`,
			this.doubts.size === 0 ? '' : `In doubt: ${listed(this.doubts)}.`,
		]);
	}

	/** Adds to the description of the node's error what happened for the other items. @param total number of items */
	describeIn({ index, error }: FailedItem, others: readonly FailedItem[], total: number): void {
		const failed = new Map([
			...[...this.doubts].filter(([item]) => item !== index),
			...others.map((one) => [one.index, one.error.message] as const),
		]);
		const isUntouched = (item: number): boolean =>
			item !== index && !this.done.has(item) && !failed.has(item);
		const untouched = Array.from({ length: total }, (_, item) => item).filter(isUntouched);
		error.description = joined([
			plainText(error.description),
			this.done.size === 0 ? '' : `Done before this error: ${listed(this.done)}. ${DONE_AGAIN}`,
			failed.size === 0 ? '' : `Also failed: ${listed(failed)}.`,
			untouched.length === 0 ? '' : `Not sent: ${ranges(untouched)}.`,
		]);
	}
}

const DONE_AGAIN =
	"A retry of this execution, or another run, does it again. An 'Idempotency Key' prevents that for refunds and new links.";

/** "item 1: link … created; item 2: …", in the order of the items, counted as people do. */
const listed = (items: ReadonlyMap<number, string>): string =>
	[...items]
		.sort(([one], [other]) => one - other)
		.map(([index, text]) => `item ${index + 1}: ${text}`)
		.join('; ');

const joined = (parts: readonly string[]): string => parts.filter(Boolean).join(' ');

/** "items 4, 6 to 40" of sorted indexes. */
export function ranges(indexes: readonly number[]): string {
	const numbers = indexes.map((index) => index + 1);
	const spans: Array<[from: number, to: number]> = [];
	for (const number of numbers) {
		const last = spans.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else spans.push([number, number]);
	}
	const texts = spans.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
	return `${numbers.length === 1 ? 'item' : 'items'} ${texts.join(', ')}`;
}

/** By n8n's object for one run of the node: the same in all tries of Retry On Fail. */
export const effectsOf = onePer(() => new Effects());
