import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits';
import { filtersToQuery } from '../../shared/input/filters';
import type { FilterTable } from '../../shared/input/filters';
import { checkBoolean, checkInteger } from '../../shared/input/inputChecks';
import { readPage } from '../../shared/lists/listPage';
import { MAX_ROWS_AT_ONCE, readRows } from '../../shared/lists/listRows';
import type { Endpoint } from '../../shared/service/transport';
import type { Item } from './item';
import type { RunOperation } from './operation';

/** A list of the service: where it is, and its filters. */
export interface ListKind {
	readonly endpoint: Endpoint;
	readonly filters: FilterTable;
}

/** An operation that lists rows: up to Limit, all of them, or the one page that the user asks for. */
export function listRecords({ endpoint, filters }: ListKind): RunOperation {
	return async (item) => {
		const query = { endpoint, filters: filtersToQuery(item.parameter('filters', {}), filters) };
		// Before anything is sent; the output reads them again.
		checkBoolean(item.parameter('simplify', false), 'Simplify');
		checkBoolean(item.parameter('options.includeSensitiveData', false), 'Include Sensitive Data');
		return await readWanted(item, query);
	};
}

async function readWanted(
	item: Item,
	query: { endpoint: Endpoint; filters: Record<string, string> },
): Promise<IDataObject[]> {
	const options = (item.parameter('options', {}) ?? {}) as IDataObject;
	// An option that is there and empty, as an expression without a result leaves it, does not count as not set:
	// a loop over pages would read the same rows for ever.
	const option = (name: string, label: string): number | undefined =>
		name in options ? checkInteger(options[name], label, 1) : undefined;
	const asked = option('pageSize', 'Page Size') ?? DEFAULT_PAGE_SIZE;
	const page = option('page', 'Page');
	const limit = checkBoolean(item.parameter('returnAll', false), 'Return All')
		? undefined
		: checkInteger(item.parameter('limit', 50), 'Limit', 1, MAX_ROWS_AT_ONCE);
	// One page is given whole: cut at Limit, a loop over pages would lose the rest of each.
	if (page !== undefined) return (await readPage(item.transport, query, page, asked)).rows;
	const { rows, warning } = await readRows(item.transport, query, {
		limit,
		pageSize: Math.min(asked, limit ?? asked),
	});
	if (warning !== undefined) item.warn(warning);
	return rows;
}
