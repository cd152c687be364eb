import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { searchCustomers } from '../shared/listSearch/searchRows';
import { testCredential } from '../shared/service/credentialTest';
import { triggerProperties, triggerSubtitle } from './description/settings';
import { pollNode } from './host/pollNode';

export class PaymentCollectionTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payment Collection Trigger',
		name: 'paymentCollectionTrigger',
		icon: {
			light: 'file:../../icons/paymentCollection.svg',
			dark: 'file:../../icons/paymentCollection.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle,
		// The editor shows this for both nodes, on two lines at most.
		description: 'Payment links, charges, refunds. Starts on new charges, refunds, customers.',
		defaults: { name: 'Payment Collection Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentCollectionApi', required: true, testedBy: 'testCredential' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testCredential }, listSearch: { searchCustomers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollNode(this);
	}
}
