import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { checkUuid } from '../../../shared/input/inputChecks';
import { customOperations } from '../../run/custom';
import { routed } from '../../run/declarative';
import { getRecord } from '../../run/getRecord';
import { fieldsOf } from '../../run/operation';
import type { Operations } from '../../run/operation';
import { getFields } from './get';

const operations = {
	get: {
		endpoint: ENDPOINTS.invoiceGet,
		fields: getFields,
		run: getRecord(ENDPOINTS.invoiceGet, 'invoiceId', checkUuid, 'Invoice ID'),
	},
} satisfies Operations;

export const invoiceCustomOperations = customOperations(operations);

export const invoiceProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['invoice'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Get an invoice with its items, reminders, files and events',
				action: 'Get an invoice',
				routing: routed(operations.get),
			},
		],
		default: 'get',
	},
	...fieldsOf(operations),
];
