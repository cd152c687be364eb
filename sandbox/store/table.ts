/**
 * Rows in the order of their creation, newest first, built when they are first read: a sandbox with
 * 100,000 charges starts as fast as an empty one, and a test that reads one page builds one page.
 */

interface Entry<Row> {
	readonly name: () => string;
	readonly createdMs: number;
	readonly build: () => Row;
	row: Row | undefined;
}

export interface TableSeed<Row> {
	count: number;
	idAt: (index: number) => string;
	createdAt: (index: number) => number;
	build: (index: number) => Row;
}

export class LazyTable<Row> {
	private readonly entries: Entry<Row>[];
	private index: Map<string, Entry<Row>> | undefined;

	/** Seeded rows are numbered from the newest (0) to the oldest; createdAt must not increase with the number. */
	constructor(seed: TableSeed<Row>) {
		this.entries = Array.from({ length: seed.count }, (_, index) => ({
			name: () => seed.idAt(index),
			createdMs: seed.createdAt(index),
			build: () => seed.build(index),
			row: undefined,
		}));
	}

	get size(): number {
		return this.entries.length;
	}

	/** The row at a position, newest first. */
	at(position: number): Row | undefined {
		const entry = this.entries[position];
		return entry && materialise(entry);
	}

	/** Every row, newest first. */
	all(): Row[] {
		return this.entries.map(materialise);
	}

	get(id: string): Row | undefined {
		const entry = this.byId().get(id);
		return entry && materialise(entry);
	}

	/** Among rows of the same instant a later arrival counts as newer. */
	insert(id: string, createdMs: number, row: Row): void {
		const entry = { name: () => id, createdMs, build: () => row, row };
		let low = 0;
		let high = this.entries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			const other = this.entries[middle];
			if (other && other.createdMs > createdMs) low = middle + 1;
			else high = middle;
		}
		this.entries.splice(low, 0, entry);
		this.index?.set(id, entry);
	}

	replace(id: string, row: Row): void {
		const entry = this.byId().get(id);
		if (!entry) return;
		entry.row = row;
	}

	remove(id: string): boolean {
		const entry = this.byId().get(id);
		if (!entry) return false;
		this.entries.splice(this.entries.indexOf(entry), 1);
		this.byId().delete(id);
		return true;
	}

	private byId(): Map<string, Entry<Row>> {
		this.index ??= new Map(this.entries.map((entry) => [entry.name(), entry]));
		return this.index;
	}
}

function materialise<Row>(entry: Entry<Row>): Row {
	entry.row ??= entry.build();
	return entry.row;
}
