import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchCustomers } from '../shared/listSearch/searchRows';
import { testCredential } from '../shared/service/credentialTest';
import { byName } from '../shared/values';
import { searchCharges } from './listSearch/searchCharges';
import { RESOURCES } from './resources';
import { propertiesOfAll } from './resources/resource';

/**
 * resources/resource.ts makes properties, routing and a custom operation of each `OperationDefinition`. n8n runs the routing
 * where a caller skips custom operations, as MCP Server Trigger does. Both end in the same code.
 */
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
		// n8n names the node itself after its action, such as "Get many charges".
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Create payment links, refund charges, and read invoices, charges, checkout sessions and customers',
		defaults: { name: 'Payment Collection' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentCollectionApi', required: true, testedBy: 'testCredential' }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		},
		properties: propertiesOfAll(RESOURCES),
	};

	methods = { credentialTest: { testCredential }, listSearch: { searchCharges, searchCustomers } };

	customOperations = byName(
		RESOURCES.map(({ value, customOperations }) => [value, customOperations]),
	);
}
