import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { CHARGE_FILTERS } from '../../../shared/chargeFilters';
import { toChargeItem } from '../../../shared/recordItem';
import { custom } from '../../run/custom';
import { routed } from '../../run/declarative';
import { listRecords } from '../../run/listRecords';
import { getAllFields } from './getAll';
import { refundFields } from './refund';
import { refundCharge } from './refundCharge';
import { describeRefund } from './refundResult';

const listCharges = listRecords({
	endpoint: ENDPOINTS.chargeList,
	filters: CHARGE_FILTERS,
	toItem: toChargeItem,
});

/** Both have a routing as well: n8n passes custom operations by when an agent's older tool path runs the node. */
export const chargeCustomOperations = {
	getAll: custom(listCharges),
	refund: custom(refundCharge, { oneByOne: true, describeDone: describeRefund }),
};

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
				routing: routed(ENDPOINTS.chargeList, listCharges),
			},
			{
				name: 'Refund',
				value: 'refund',
				description:
					'Pay money back to the customer who paid a charge. Moves real money and can’t be undone.',
				action: 'Refund a charge',
				routing: routed(ENDPOINTS.chargeRefund, refundCharge),
			},
		],
		default: 'getAll',
	},
	...getAllFields,
	...refundFields,
];
