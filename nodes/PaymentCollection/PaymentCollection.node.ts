import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { searchCustomers } from '../shared/lists/searchCustomers';
import { searchCharges } from './listSearch/searchCharges';
import { chargeCustomOperations, chargeProperties } from './resources/charge';
import {
	checkoutSessionCustomOperations,
	checkoutSessionProperties,
} from './resources/checkoutSession';
import { customerCustomOperations, customerProperties } from './resources/customer';
import { invoiceCustomOperations, invoiceProperties } from './resources/invoice';
import { linkCustomOperations, linkProperties } from './resources/link';

export class PaymentCollection implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payment Collection',
		name: 'paymentCollection',
		icon: {
			light: 'file:../../icons/paymentCollection.svg',
			dark: 'file:../../icons/paymentCollection.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Collect payments by link, read invoices, charges and customers, and refund',
		defaults: { name: 'Payment Collection' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentCollectionApi', required: true }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Charge', value: 'charge' },
					{ name: 'Checkout Session', value: 'checkoutSession' },
					{ name: 'Customer', value: 'customer' },
					{ name: 'Invoice', value: 'invoice' },
					{ name: 'Link', value: 'link' },
				],
				default: 'link',
			},
			...chargeProperties,
			...checkoutSessionProperties,
			...customerProperties,
			...invoiceProperties,
			...linkProperties,
		],
	};

	methods = { listSearch: { searchCharges, searchCustomers } };

	customOperations = {
		charge: chargeCustomOperations,
		checkoutSession: checkoutSessionCustomOperations,
		customer: customerCustomOperations,
		invoice: invoiceCustomOperations,
		link: linkCustomOperations,
	};
}
