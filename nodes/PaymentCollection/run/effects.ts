import type { IDataObject } from 'n8n-workflow';
import { ReportedError } from '../../shared/errors/reportedError';
import { asError, plainText } from '../../shared/values';

export interface FailedItem {
	readonly index: number;
	readonly error: Error & { description?: unknown };
}

/**
 * When an item fails the node, n8n keeps nothing of the others: neither what was created, changed, deleted or refunded
 * for them, nor which of them are in doubt. So the error of the node says all of it, over all attempts of Retry On Fail.
 */
export class Effects {
	private readonly done = new Map<number, string>();

	/** Items of which it is unknown whether they were carried out, with what was said of them. */
	private readonly doubts = new Map<number, string>();

	/** @param describe a result of the item's write in words; undefined for one that has changed nothing */
	addDone(
		index: number,
		results: readonly IDataObject[],
		describe: (result: IDataObject) => string | undefined,
	): void {
		for (const result of results) {
			this.doubts.delete(index);
			const text = describe(result);
			if (text !== undefined) this.done.set(index, text);
		}
	}

	/**
	 * An item whose write an earlier attempt of Retry On Fail left in doubt stays in doubt, whatever kept a later one from
	 * finding out more: that it sent nothing is not the whole truth.
	 *
	 * @param clean takes the API key out of a text
	 * @returns the error that says so
	 */
	errorWithDoubt(index: number, thrown: unknown, clean: (text: string) => string): unknown {
		const doubt = this.doubts.get(index);
		const error: FailedItem['error'] = asError(thrown);
		const isReported = error instanceof ReportedError;
		if (isReported && error.facts.outcome === 'unknown')
			this.doubts.set(index, clean(error.message));
		else if (doubt !== undefined) {
			const advice = isReported ? error.advice : plainText(error.description);
			return new ReportedError(
				doubt,
				`An earlier attempt sent this, and its outcome is still unknown: check it first. About the latest attempt only: ${error.message}. ${advice}`,
				{ outcome: 'unknown' },
			);
		}
		return thrown;
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
			failed.size === 0 ? '' : `Other errors: ${listed(failed)}.`,
			untouched.length === 0 ? '' : `Not sent: ${ranges(untouched)}.`,
		]);
	}
}

const DONE_AGAIN =
	"Retrying this execution or running the workflow again repeats this, except for refunds and new links that had an 'Idempotency Key'.";

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
