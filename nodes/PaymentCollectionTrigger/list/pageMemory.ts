import type { ChargeRow } from './chargeRow';

type Rows = ReadonlyArray<ChargeRow | undefined>;

/** What stood on the pages of one poll: what shows again elsewhere tells where the list ends. */
export class PageMemory {
	/** Every row. */
	private readonly keys = new Set<string>();

	/** Pages that gave an answer. */
	private readonly visited = new Set<number>();

	/** Pages of which the answer said that none follows. */
	private readonly ends = new Set<number>();

	private readonly contents = new Map<number, string>();

	note(number: number, rows: Rows, hasNext: boolean | undefined): void {
		this.visited.add(number);
		if (hasNext === false) this.ends.add(number);
		this.contents.set(number, contentOf(rows));
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
	isOnPage(rows: Rows, isOther: (number: number) => boolean): boolean {
		if (rows.length === 0) return false;
		const content = contentOf(rows);
		return [...this.contents].some(([number, other]) => isOther(number) && other === content);
	}
}

/** The same for pages that hold the same rows, in whatever order. */
export const contentOf = (rows: Rows): string =>
	rows
		.map((row) => row?.key ?? '')
		.sort()
		.join();
