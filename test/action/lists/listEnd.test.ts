import { isListEnd, type ListPage } from '../../../nodes/shared/lists/listEnd';

const PAGE_SIZE = 3;

type Facts = Omit<ListPage, 'rows'>;
type Row = [what: string, rows: number, through: number, facts: Facts, isEnd: boolean];

it.each<Row>([
	['an empty page, whatever else it says', 0, 6, { count: 9, hasNext: true }, true],
	['a short page that names a next one', 2, 2, { hasNext: true }, false],
	['a page that names a next one, beyond its count', 2, 5, { count: 5, hasNext: true }, false],
	['the last row by count', 3, 6, { count: 6, hasNext: undefined }, true],
	[
		'the last row by count, on a full page without a next one',
		3,
		6,
		{ count: 6, hasNext: false },
		true,
	],
	['fewer rows than its count', 3, 6, { count: 7, hasNext: undefined }, false],
	['fewer rows than its count, without a next one', 2, 5, { count: 7, hasNext: false }, false],
	['more rows than its count', 2, 5, { count: 4, hasNext: undefined }, false],
	[
		'more rows than its count, on a full page without a next one',
		3,
		6,
		{ count: 4, hasNext: false },
		false,
	],
	[
		'more rows than its count, on a short page without a next one',
		2,
		5,
		{ count: 4, hasNext: false },
		true,
	],
	['nothing but rows', 2, 5, { hasNext: undefined }, false],
	['no count, on a short page without a next one', 2, 5, { hasNext: false }, true],
	['no count, on a full page without a next one', 3, 6, { hasNext: false }, false],
	['no count, on a page longer than requested', 4, 4, { hasNext: false }, false],
])('%s: %i rows, %i so far', (_what, rows, through, facts, isEnd) => {
	expect(isListEnd({ rows: Array(rows).fill({}), ...facts }, through, PAGE_SIZE)).toBe(isEnd);
});
