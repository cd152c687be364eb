import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { CHARGE_FILTERS } from '../../../shared/charges/chargeFilters';
import { toChargeItem } from '../../../shared/records/recordItem';
import { customOperations } from '../../run/custom';
import { routed } from '../../run/declarative';
import { listRecords } from '../../run/listRecords';
import { fieldsOf } from '../../run/operation';
import type { Operations } from '../../run/operation';
import { getAllFields } from './getAll';
import { refundFields } from './refund/fields';
import { refundCharge } from './refund/refundCharge';
import { describeRefund } from './refund/result';

const operations = {
	getAll: {
		endpoint: ENDPOINTS.chargeList,
		fields: getAllFields,
		run: listRecords({
			endpoint: ENDPOINTS.chargeList,
			filters: CHARGE_FILTERS,
		}),
		toItem: toChargeItem,
	},
	refund: {
		endpoint: ENDPOINTS.chargeRefund,
		fields: refundFields,
		run: refundCharge,
		write: { describeEffect: describeRefund, oneByOne: true },
	},
} satisfies Operations;

export const chargeCustomOperations = customOperations(operations);

export const chargeProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['charge'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'Get many charges, newest and oldest, by filters',
				action: 'Get many charges',
				routing: routed(operations.getAll),
			},
			{
				name: 'Refund',
				value: 'refund',
				description:
					'Pay money back to the customer who paid a charge. Moves real money and can’t be undone.',
				action: 'Refund a charge',
				routing: routed(operations.refund),
			},
		],
		default: 'getAll',
	},
	...fieldsOf(operations),
];
