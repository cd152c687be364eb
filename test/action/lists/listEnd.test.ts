import { isListEnd } from '../../../nodes/shared/lists/listEnd';

const PAGE_SIZE = 3;

type Row = [what: string, rows: number, through: number, count?: number, hasNext?: boolean];

const ENDS: Row[] = [
	['an empty page, whatever else it says', 0, 6, 9, true],
	['the last row by count', 3, 6, 6],
	['the last row by count, on a full page without a next one', 3, 6, 6, false],
	['more rows than its count, on a short page without a next one', 2, 5, 4, false],
	['no count, on a short page without a next one', 2, 5, undefined, false],
];
const CONTINUATIONS: Row[] = [
	['a short page that names a next one', 2, 2, undefined, true],
	['a page that names a next one, beyond its count', 2, 5, 5, true],
	['fewer rows than its count', 3, 6, 7],
	['fewer rows than its count, without a next one', 2, 5, 7, false],
	['more rows than its count', 2, 5, 4],
	['more rows than its count, on a full page without a next one', 3, 6, 4, false],
	['nothing but rows', 2, 5],
	['no count, on a full page without a next one', 3, 6, undefined, false],
	['no count, on a page longer than requested', 4, 4, undefined, false],
];

const isEnd = ([, rows, through, count, hasNext]: Row): boolean =>
	isListEnd({ rows: Array(rows).fill({}), count, hasNext }, through, PAGE_SIZE);

it.each(ENDS)('ends: %s, %i rows, %i so far', (...row) => expect(isEnd(row)).toBe(true));

it.each(CONTINUATIONS)('continues: %s, %i rows, %i so far', (...row) =>
	expect(isEnd(row)).toBe(false),
);
