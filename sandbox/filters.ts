import type { Switches } from './switches';

/** One test per filter of a list, under the name of its query parameter. */
export type Predicates<Row, Filters> = {
	[Name in keyof Filters]-?: (row: Row, wanted: NonNullable<Filters[Name]>) => boolean;
};

/**
 * The filters of a query as one test, all of which must hold; undefined when there is none. An empty value
 * filters nothing, and neither does a filter that the switches make the service ignore.
 */
export function activeFilters<Row, Filters extends object>(
	query: Filters,
	predicates: Predicates<Row, Filters>,
	{ ignoredFilters }: Pick<Switches, 'ignoredFilters'>,
): ((row: Row) => boolean) | undefined {
	const names = (Object.keys(predicates) as (keyof Filters & string)[]).filter(
		(name) => query[name] !== undefined && query[name] !== '' && !ignoredFilters.includes(name),
	);
	if (names.length === 0) return undefined;
	return (row) =>
		names.every((name) => {
			const wanted = query[name];
			return wanted === undefined || wanted === null || predicates[name](row, wanted);
		});
}
