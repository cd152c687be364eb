import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../../shared/errors/failure';
import { ReportedError } from '../../shared/errors/reportedError';
import { DEFAULT_PAGE_SIZE, MAX_INTEGER } from '../../../contract/constants';
import { inQuotes, type Field } from '../../shared/fields/field';
import { trueOrFalse, wholeNumber } from '../../shared/fields/kinds';
import type { FieldValues } from '../../shared/fields/readFields';
import { readPage } from '../../shared/lists/listPage';
import { MAX_ROWS, readRows } from '../../shared/lists/listRows';
import { shownText } from '../../shared/redaction/redactText';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../../shared/service/requestLimiter';
import { plainText } from '../../shared/values';
import type { Item, RunOperation } from '../operation';

const returnAllField = {
	displayName: 'Return All',
	name: 'returnAll',
	...trueOrFalse,
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} as const satisfies Field<boolean>;

const longListNotice: Field = {
	displayName: `A long list takes a lot of memory. To get more than ${MAX_ROWS.toLocaleString('en-US')} rows, read one page at a time with 'Options → Page'.`,
	name: 'longListNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { returnAll: [true] } },
	check: () => undefined,
};

const limitField = {
	displayName: 'Limit',
	name: 'limit',
	...wholeNumber(1, MAX_ROWS),
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
} satisfies Field<number>;

const maxConcurrencyField = {
	displayName: 'Max Parallel Requests',
	name: 'maxConcurrency',
	...wholeNumber(1, MAX_CONCURRENCY),
	default: DEFAULT_CONCURRENCY,
	description:
		'How many requests can be in progress at the same time, across all input items. More requests read a long list faster; fewer are easier on the service.',
} satisfies Field<number>;

const pageField = {
	displayName: 'Page',
	name: 'page',
	...wholeNumber(1, MAX_INTEGER),
	default: 1,
	description:
		"Page to return, for reading any number of rows in a loop. The page is returned whole: 'Return All' and 'Limit' do not apply. A page after the last one returns no items.",
} satisfies Field<number>;

export const pageSizeField = {
	displayName: 'Page Size',
	name: 'pageSize',
	...wholeNumber(1, MAX_INTEGER),
	default: DEFAULT_PAGE_SIZE,
	description:
		'Number of rows to request at a time. Lower it if responses take too long. The service might return fewer: its maximum is not documented.',
} satisfies Field<number>;

export const howManyFields: readonly Field[] = [returnAllField, longListNotice, limitField];

export const pagingOptions: readonly Field[] = [maxConcurrencyField, pageField, pageSizeField];

const moreThanANodeTakes = (rows: number): ReportedError =>
	new ReportedError(
		`There are at least ${rows} rows: more than the ${MAX_ROWS.toLocaleString('en-US')} that n8n can handle from one node at once`,
		"Narrow the list with 'Filters', or read it page by page with 'Options → Page' in a loop, as the example workflow “Export contacts in batches” does.",
	);

const listRecords: RunOperation = async (item) => {
	const { endpoint, transport, toItems, warn, warnOnce } = item;
	const values = item.values();
	const pageSize = values.orDefault(pageSizeField);
	const list = { endpoint, filters: values.query, pageSize, convert: toItems, warn: warnOnce };
	const page = values.of(pageField);
	const limit = values.of(limitField) ?? Infinity;
	const upToLimit = { ...list, pageSize: Math.min(pageSize, limit) };
	const { rows, warnings = [] }: { rows: IDataObject[]; warnings?: string[] } =
		page === undefined
			? await readRows(transport, upToLimit, { limit, tooMany: moreThanANodeTakes })
			: // Limit does not cut a page: a loop would lose rows. Only a 404 or 410 shows that the chosen page does not exist.
				await readPage(transport, { ...list, meansEnd: isNotFound }, page);
	warnings.forEach(warn);
	if (rows.length > 0) return rows;
	const { status, ...filters } = values.query;
	const mayNameStatuses = status !== undefined && (page ?? 1) === 1;
	// Reads again without Status, to name those that exist. It is only a hint, so failures are ignored.
	const others = mayNameStatuses
		? await readPage(transport, { endpoint, filters, pageSize }, 1).catch(() => undefined)
		: undefined;
	return nothingFound(item, others?.rows);
};

/** A model gets the message as its result: without one, it would think that the tool is broken. @param others excluded by Status */
export function nothingFound(
	{ action, isTool, transport, values, warn }: Item,
	others: ReadonlyArray<{ readonly status?: unknown }> = [],
): IDataObject[] {
	const entered = [...values().entered].map(
		([field, given]) => `${inQuotes(field)} ${[given].flat().join(', ')}`,
	);
	const asked = shownText(entered.join(', '), transport.apiKey);
	const statuses = new Set(others.map(({ status }) => plainText(status)).filter(Boolean));
	const shown = shownText([...statuses].join(', '), transport.apiKey);
	const records = action.replace(/^Get (many )?/, '');
	const hint = shown && ` The newest ${records} have the statuses ${shown}.`;
	const message = `No ${records} were found${asked && ` with ${asked}`}.${hint}`;
	if (hint !== '' && !isTool) warn(message);
	return isTool ? [{ message }] : [];
}

export const listing = {
	run: listRecords,
	concurrency: (values: FieldValues) => values.orDefault(maxConcurrencyField),
} as const;
