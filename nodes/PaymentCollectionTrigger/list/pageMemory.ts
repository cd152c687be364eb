import { keyOf } from '../cursor/keySet';
import type { Rows } from './chargeRow';

const NO_ROWS = '';

/** What stood on the pages of one poll: what shows again elsewhere tells where the list ends. */
export class PageMemory {
	/** Of every row. */
	private readonly keys = new Set<string>();
	/** Pages that gave an answer. */
	private readonly visited = new Set<number>();
	/** Pages of which the answer said that none follows. */
	private readonly ends = new Set<number>();
	private readonly contents = new Map<number, string>();

	note(number: number, rows: Rows, content: string, hasNext: boolean | undefined): void {
		this.visited.add(number);
		if (hasNext === false) this.ends.add(number);
		this.contents.set(number, content);
		for (const row of rows) if (row !== undefined) this.keys.add(row.key);
	}

	/** Rows stand on other pages now. */
	forgetPlaces(): void {
		this.contents.clear();
		this.ends.clear();
	}

	hasVisited(number: number): boolean {
		return this.visited.has(number);
	}

	/** Whether the page was said to be the last. */
	wasEnd(number: number): boolean {
		return this.ends.has(number);
	}

	hasSeenSome(rows: Rows): boolean {
		return rows.some((row) => row !== undefined && this.keys.has(row.key));
	}

	/** Whether the rows are those of one of the other pages. */
	isOnPage(content: string, isOther: (number: number) => boolean): boolean {
		if (content === NO_ROWS) return false;
		return [...this.contents].some(([number, other]) => isOther(number) && other === content);
	}
}

/** The same for pages that hold the same rows, in whatever order. */
export const contentOf = (rows: Rows, records: readonly unknown[]): string =>
	rows
		.map((row, index) => row?.key ?? keyOf('unreadable', textOf(records[index])))
		.sort()
		.join();

function textOf(record: unknown): string {
	try {
		return JSON.stringify(record);
	} catch {
		return 'nested too deep';
	}
}
