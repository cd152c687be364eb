import { plainText } from '../../shared/plainText';

/** An item that failed, in the order in which the items did. */
export interface FailedItem {
	readonly index: number;
	readonly error: Error;
}

/**
 * When an item fails the node, n8n keeps nothing of the others: neither what was created, changed, deleted or refunded
 * for them, nor which of them are in doubt. So the error of the node says all of it.
 */
export class Effects {
	private readonly done = new Map<number, string>();

	/** @param total number of items */
	constructor(private readonly total: number) {}

	/** Something was changed for an item. */
	add(index: number, text: string): void {
		this.done.set(index, text);
	}

	/** Adds what was done for an item that then failed all the same. */
	describeOwn(error: Error, index: number): void {
		const text = this.done.get(index);
		if (text === undefined) return;
		const described: Error & { description?: unknown } = error;
		described.description =
			`${plainText(described.description)} Done all the same: ${text}.`.trimStart();
	}

	get isEmpty(): boolean {
		return this.done.size === 0;
	}

	/** "item 0: link … created; item 1: …", in the order of the items. */
	text(): string {
		return [...this.done]
			.sort(([one], [other]) => one - other)
			.map(([index, text]) => `item ${index}: ${text}`)
			.join('; ');
	}

	/**
	 * Adds to the description of the node's error what happened for the other items.
	 *
	 * @param others items that failed while the first failing one was being dealt with
	 * @param untouched items for which nothing was sent
	 */
	describeIn(error: Error, others: readonly FailedItem[], untouched: readonly number[]): void {
		const described: Error & { description?: unknown } = error;
		const parts = [
			plainText(described.description),
			this.isEmpty ? '' : `Done before this error: ${this.text()}.`,
			others.length === 0
				? ''
				: `Also failed: ${others.map(({ index, error: { message } }) => `item ${index}: ${message}`).join('; ')}.`,
			untouched.length === 0 || this.total === 1 ? '' : `Not sent: ${ranges(untouched)}.`,
		];
		described.description = parts.filter((part) => part !== '').join(' ');
	}
}

/** "items 3, 5 to 39" of sorted numbers. */
function ranges(numbers: readonly number[]): string {
	const spans: Array<[from: number, to: number]> = [];
	for (const number of numbers) {
		const last = spans.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else spans.push([number, number]);
	}
	const texts = spans.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
	return `${numbers.length === 1 ? 'item' : 'items'} ${texts.join(', ')}`;
}
