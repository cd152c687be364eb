import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import type { CustomerFilters } from '../../../../contract/schemas/customer';
import type { FilterTable } from '../../../shared/input/filters';
import { checkRequiredText } from '../../../shared/input/inputChecks';
import { toCustomerItem } from '../../../shared/records/recordItem';
import { customOperations } from '../../run/custom';
import { routed } from '../../run/declarative';
import { listRecords } from '../../run/listRecords';
import { fieldsOf } from '../../run/operation';
import type { Operations } from '../../run/operation';
import { getAllFields } from './getAll';

const text = (field: string) => (value: unknown) => checkRequiredText(value, `Filter ${field}`);

/** Filters of GET /v1/customers by their names in the node. */
const CUSTOMER_FILTERS = {
	businessName: { sentAs: 'business_name', check: text('Business Name') },
	customerId: { sentAs: 'id', check: text('Customer ID') },
	email: { sentAs: 'email', check: text('Email') },
	firstName: { sentAs: 'first_name', check: text('First Name') },
	lastName: { sentAs: 'last_name', check: text('Last Name') },
	search: { sentAs: 'search', check: text('Search') },
} as const satisfies FilterTable<keyof CustomerFilters>;

const operations = {
	getAll: {
		endpoint: ENDPOINTS.customerList,
		fields: getAllFields,
		run: listRecords({
			endpoint: ENDPOINTS.customerList,
			filters: CUSTOMER_FILTERS,
		}),
		toItem: toCustomerItem,
	},
} satisfies Operations;

export const customerCustomOperations = customOperations(operations);

export const customerProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'Get many customers with their contact data, by filters',
				action: 'Get many customers',
				routing: routed(operations.getAll),
			},
		],
		default: 'getAll',
	},
	...fieldsOf(operations),
];
