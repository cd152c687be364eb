import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { checkId } from '../../../shared/inputChecks';
import { routed } from '../../run/declarative';
import { getRecord } from '../../run/getRecord';
import { getFields } from './get';

const getCheckoutSession = getRecord(
	ENDPOINTS.checkoutGet,
	'checkoutSessionId',
	checkId,
	'Checkout Session ID',
);

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
				routing: routed(ENDPOINTS.checkoutGet, getCheckoutSession),
			},
		],
		default: 'get',
	},
	...getFields,
];
