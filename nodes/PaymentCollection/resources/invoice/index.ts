import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { checkUuid } from '../../../shared/inputChecks';
import { routed } from '../../run/declarative';
import { getRecord } from '../../run/getRecord';
import { getFields } from './get';

const getInvoice = getRecord(ENDPOINTS.invoiceGet, 'invoiceId', checkUuid, 'Invoice ID');

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
				routing: routed(ENDPOINTS.invoiceGet, getInvoice),
			},
		],
		default: 'get',
	},
	...getFields,
];
