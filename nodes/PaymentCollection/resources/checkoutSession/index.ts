import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { checkId } from '../../../shared/input/inputChecks';
import { customOperations } from '../../run/custom';
import { routed } from '../../run/declarative';
import { getRecord } from '../../run/getRecord';
import { fieldsOf } from '../../run/operation';
import type { Operations } from '../../run/operation';
import { getFields } from './get';

const operations = {
	get: {
		endpoint: ENDPOINTS.checkoutGet,
		fields: getFields,
		run: getRecord(ENDPOINTS.checkoutGet, 'checkoutSessionId', checkId, 'Checkout Session ID'),
	},
} satisfies Operations;

export const checkoutSessionCustomOperations = customOperations(operations);

export const checkoutSessionProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['checkoutSession'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Get a checkout session with its items, metadata and charges',
				action: 'Get a checkout session',
				routing: routed(operations.get),
			},
		],
		default: 'get',
	},
	...fieldsOf(operations),
];
