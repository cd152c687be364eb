import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_PAGE_SIZE, MAX_INTEGER } from '../../../contract/limits';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../../shared/service/executionScope';
import { MAX_ROWS_AT_ONCE } from '../../shared/lists/listRows';

/** How many rows a list gives. */
export const amountFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_ROWS_AT_ONCE, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** How a list is read. */
export const pagingOptions: INodeProperties[] = [
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
		default: DEFAULT_CONCURRENCY,
		description: `Requests under way at the same time, over all input items, from 1 to ${MAX_CONCURRENCY}. Halved by itself when the service asks to slow down.`,
	},
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 1,
		description:
			'Return just this page, whole: Return All and Limit do not apply. A page past the end gives no items, so that a loop can go through any number of rows.',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_INTEGER, numberPrecision: 0 },
		default: DEFAULT_PAGE_SIZE,
		description:
			'Rows to ask for per page. The service may give fewer: its maximum is not documented.',
	},
];

/** Whether a list gives whole records or the fields that matter most. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
