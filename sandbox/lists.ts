import { createHash } from 'node:crypto';
import type { Envelope } from '../contract/schemas/list';

/** Filters, pages and envelopes of lists (docs/service.md, Lists), also for the models of the tests. */

/** Rows in their order: an array, or what builds no more rows than are read. */
export interface Rows<Row> {
	readonly length: number;
	slice(start: number, end: number): Row[];
}

/** One test per filter of a list, under the name of its query parameter. */
export type Predicates<Row, Filters> = {
	[Name in keyof Filters]-?: (row: Row, wanted: NonNullable<Filters[Name]>) => boolean;
};

/** All filters that are set and not empty, as one test; undefined where there is none. */
export function filterOf<Row, Filters extends object>(
	filters: Filters,
	predicates: Predicates<Row, Filters>,
): ((row: Row) => boolean) | undefined {
	const names = Object.keys(predicates) as (keyof Filters)[];
	const tests = names.flatMap((name) => {
		const wanted = filters[name];
		if (wanted === undefined || wanted === null || wanted === '') return [];
		return [(row: Row) => predicates[name](row, wanted)];
	});
	return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}

export interface Page<Row> {
	/** Counted from 1. */
	readonly number: number;
	/** The number of the last page; an empty list has one page. */
	readonly last: number;
	readonly rows: Row[];
}

/** A page of so many rows. Past the end, it has none, or those of the last page. */
export function pageOf<Row>(
	rows: Rows<Row>,
	asked: number,
	size: number,
	isLastAgain = false,
): Page<Row> {
	const last = Math.max(1, Math.ceil(rows.length / size));
	const number = isLastAgain ? Math.min(asked, last) : asked;
	return { number, last, rows: rows.slice((number - 1) * size, number * size) };
}

/** Undefined fields are left out of an envelope. */
type Shown<Row> = { [Field in keyof Envelope<Row>]: unknown };

/** An envelope as it is sent: without what is left out, and in an array of one where the service does that. */
export function wrap<Row>(envelope: Shown<Row>, isInArray: boolean): object {
	const shown = Object.entries(envelope).filter(([, value]) => value !== undefined);
	const body = Object.fromEntries(shown);
	return isInArray ? [body] : body;
}

/** An order that depends on each row's id alone, so that rows which come or go leave the others' order as it is. */
export function shuffle<Row>(
	rows: readonly Row[],
	salt: string,
	idOf: (row: Row) => string,
): Row[] {
	const rankOf = (row: Row) =>
		createHash('sha256')
			.update(`${salt}:${idOf(row)}`)
			.digest('hex');
	return rows
		.map((row) => ({ row, rank: rankOf(row) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.map(({ row }) => row);
}
