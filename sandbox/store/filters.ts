import type { Switches } from '../behaviour/switches';

type FilterSwitches = Pick<Switches, 'ignoredFilters'>;

/** One test per filter of a list, under the name of its query parameter. */
export type Predicates<Row, Filters> = {
	[Name in keyof Filters]-?: (row: Row, wanted: NonNullable<Filters[Name]>) => boolean;
};

/**
 * What a filter asks for; undefined when it is not given or empty, or when the switches make the service
 * ignore it.
 */
export function activeFilter<Filters extends object, Name extends keyof Filters & string>(
	name: Name,
	query: Filters,
	{ ignoredFilters }: FilterSwitches,
): NonNullable<Filters[Name]> | undefined {
	const wanted = query[name];
	if (wanted === undefined || wanted === null || wanted === '') return undefined;
	return ignoredFilters.includes(name) ? undefined : wanted;
}

/** The filters of a query as one test, all of which must hold; undefined when none is active. */
export function activeFilters<Row, Filters extends object>(
	query: Filters,
	predicates: Predicates<Row, Filters>,
	switches: FilterSwitches,
): ((row: Row) => boolean) | undefined {
	const names = Object.keys(predicates) as (keyof Filters & string)[];
	const tests = names.flatMap((name) => {
		const wanted = activeFilter(name, query, switches);
		return wanted === undefined ? [] : [(row: Row) => predicates[name](row, wanted)];
	});
	return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}
