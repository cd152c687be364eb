import { InputError, shown, shownText } from '../errors/inputError';
import { locatorValue } from './locatorValue';
/** By a filter's name in the node: its name in the service's query, and the check of its value. */
export type FilterTable<ServiceName extends string = string> = Readonly<
	Record<string, { readonly sentAs: ServiceName; readonly check: (value: unknown) => string }>
>;

/**
 * The query of a list. A filter that was added and is empty, because its expression found nothing, is refused:
 * leaving it out would list everybody's rows instead of one customer's.
 *
 * @throws {InputError} naming the filter
 */
export function filtersToQuery(values: unknown = {}, table: FilterTable): Record<string, string> {
	if (typeof values !== 'object' || values === null || Array.isArray(values)) {
		throw new InputError(`Filters is ${shown(values)}: it must be an object of filters`);
	}
	const query: Record<string, string> = {};
	for (const [name, value] of Object.entries(values)) {
		const filter = Object.hasOwn(table, name) ? table[name] : undefined;
		if (filter === undefined) {
			throw new InputError(`There is no filter named ${shownText(name)}`);
		}
		query[filter.sentAs] = filter.check(locatorValue(value));
	}
	return query;
}
