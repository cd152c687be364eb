import type { ReportedError } from '../../shared/errors/reportedError';

export interface FailedItem {
	readonly index: number;
	readonly error: ReportedError;
}

/**
 * When an item fails the node, n8n discards the results of the others. So the node's error says what was created, changed,
 * deleted or refunded for them, and which are in doubt, over all attempts of Retry On Fail.
 */
export class Effects {
	private readonly done = new Map<number, string>();
	/** The messages of items whose outcome is unknown. */
	private readonly doubts = new Map<number, string>();

	/** @param effect undefined if the item's write changed nothing */
	noteDone(index: number, effect: string | undefined): void {
		this.doubts.delete(index);
		if (effect !== undefined) this.done.set(index, effect);
	}

	noteFailed(index: number, { message, details }: ReportedError): void {
		if (details.outcome === 'unknown') this.doubts.set(index, message);
	}

	doubtOf(index: number): string | undefined {
		return this.doubts.get(index);
	}

	/** Text for the log of a stopped execution. Empty if nothing was done and nothing is in doubt. */
	stoppedText(): string {
		return joined([
			this.done.size === 0 ? '' : `Done: ${listed(this.done)}.`,
			this.doubts.size === 0 ? '' : `In doubt: ${listed(this.doubts)}.`,
		]);
	}

	/** Text for the error of one item: what was done for all items, and the errors and doubts of the others. */
	failedText(index: number, failures: readonly FailedItem[], total: number): string {
		const failed = new Map([
			...this.doubts,
			...failures.map((one) => [one.index, one.error.message] as const),
		]);
		failed.delete(index);
		const isUntouched = (one: number): boolean =>
			one !== index && !this.done.has(one) && !failed.has(one);
		const untouched = Array.from({ length: total }, (_, one) => one).filter(isUntouched);
		return joined([
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
