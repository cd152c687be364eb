import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

import { processWide } from './jest/processWide';

/**
 * n8n's memory of processed data, in memory. Like n8n's own it reads, changes and writes a node's whole list without a
 * lock, and the second of two first entries of a node fails with a UNIQUE constraint.
 */
export class ProcessedData implements IDataDeduplicator {
	/** Keys by "workflow node". The list that all nodes of a workflow share has no node after the blank. */
	readonly lists = new Map<string, string[]>();

	/** Awaited between reading a list and writing it. What it throws, n8n throws. */
	meanwhile: (place: string) => Promise<void> = untilNextTurn;

	reset(): void {
		this.lists.clear();
		this.meanwhile = untilNextTurn;
	}

	/** Keys of the nodes' own lists. */
	keys(): string[] {
		return [...this.lists].flatMap(([place, list]) => (place.endsWith(' ') ? [] : list));
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries = Number.POSITIVE_INFINITY }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const place = placeOf(scope, context);
		const before = this.lists.get(place);
		const list = [...(before ?? [])];
		await this.meanwhile(place);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			const isKnown = list.includes(String(item));
			(isKnown ? output.processed : output.new).push(item);
			if (!isKnown) list.push(String(item));
		}
		if (before === undefined && this.lists.has(place)) {
			throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.workflowId');
		}
		this.lists.set(place, list.slice(-maxEntries));
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const place = placeOf(scope, context);
		const list = this.lists.get(place) ?? [];
		await this.meanwhile(place);
		this.lists.set(
			place,
			list.filter((key) => !items.map(String).includes(key)),
		);
	}

	async clearAllProcessedItems(): Promise<void> {
		await Promise.resolve();
	}

	async getProcessedDataCount(): Promise<number> {
		return await Promise.resolve(this.keys().length);
	}
}

const untilNextTurn = async (): Promise<void> => {
	await new Promise(setImmediate);
};

const placeOf = (
	scope: DeduplicationScope,
	{ workflow, node }: ICheckProcessedContextData,
): string => `${workflow.id} ${scope === 'node' ? (node?.id ?? '') : ''}`;

/** n8n has one for the whole process. */
export const processedData = processWide('processedData', () => {
	const data = new ProcessedData();
	void DataDeduplicationService.init(data);
	return data;
});

// Imported by a test file, it is empty for every test.
if (typeof beforeEach === 'function') beforeEach(() => processedData.reset());
