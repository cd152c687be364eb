import { idFor, instantOf, type Kind, type World } from './data/world';
import { notFound } from './errors';

interface Entry<Row> {
	readonly idOf: () => string;
	readonly createdMs: number;
	readonly build: () => Row;
	row?: Row;
}

/**
 * Rows in the order of their creation, newest first, built when they are first read: a sandbox with
 * 100,000 charges starts as fast as an empty one, and a test that reads one page builds one page.
 */
export class LazyTable<Row> {
	private readonly entries: Entry<Row>[];
	private index: Map<string, Entry<Row>> | undefined;

	constructor(
		private readonly kind: Kind<Row>,
		world: World,
		count: number,
	) {
		this.entries = Array.from({ length: count }, (_, number) => {
			const createdMs = instantOf(kind, world, number);
			return {
				idOf: () => idFor(world, kind.name, number),
				createdMs,
				build: () => kind.build(world, number, createdMs),
			};
		});
	}

	get size(): number {
		return this.entries.length;
	}

	/** The row at a position, newest first. */
	at(position: number): Row | undefined {
		return this.slice(position, position + 1)[0];
	}

	/** Every row, newest first. */
	all(): Row[] {
		return this.slice(0, this.size);
	}

	slice(start: number, end: number): Row[] {
		return this.entries.slice(start, end).map(rowOf);
	}

	get(id: string): Row | undefined {
		const entry = this.entriesById().get(id);
		return entry && rowOf(entry);
	}

	/** Throws 404 if there is no such row. */
	find(id: string): Row {
		const row = this.get(id);
		if (!row) throw notFound(this.kind.name, id);
		return row;
	}

	/** Among rows of the same instant a later arrival counts as newer. */
	insert(id: string, createdMs: number, row: Row): void {
		const entry = { idOf: () => id, createdMs, build: () => row };
		const older = this.entries.findIndex((other) => other.createdMs <= createdMs);
		this.entries.splice(older < 0 ? this.size : older, 0, entry);
		this.index?.set(id, entry);
	}

	replace(id: string, row: Row): void {
		const entry = this.entriesById().get(id);
		if (entry) entry.row = row;
	}

	/** Throws 404 if there is no such row. */
	remove(id: string): void {
		const entry = this.entriesById().get(id);
		if (!entry) throw notFound(this.kind.name, id);
		this.entries.splice(this.entries.indexOf(entry), 1);
		this.entriesById().delete(id);
	}

	private entriesById(): Map<string, Entry<Row>> {
		this.index ??= new Map(this.entries.map((entry) => [entry.idOf(), entry]));
		return this.index;
	}
}

function rowOf<Row>(entry: Entry<Row>): Row {
	return (entry.row ??= entry.build());
}
