import './environment';

import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import {
	UnexpectedError,
	type ICredentialType,
	type INodeCredentialTestResult,
	type INodeListSearchResult,
	type INodeType,
} from 'n8n-workflow';

import { PaymentCollectionApi } from '../../../credentials/PaymentCollectionApi.credentials';
import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { createAdditionalData } from './additionalData';
import {
	HarnessCredentialsHelper,
	withCredentialDefaults,
	type CredentialData,
} from './credentials';
import { type NodeUnderTest, detached } from './nodeUnderTest';

/** n8n's "Test" button: the function that a node names in `testedBy`, unless the credential type has a test itself. */
export async function runCredentialTest({
	credentials,
}: {
	credentials: CredentialData;
}): Promise<INodeCredentialTestResult> {
	const type: ICredentialType = new PaymentCollectionApi();
	const { description, methods }: INodeType = new PaymentCollection();
	const testedBy = description.credentials?.find(({ name }) => name === type.name)?.testedBy;
	const test = typeof testedBy === 'string' ? methods.credentialTest?.[testedBy] : undefined;
	if (type.test !== undefined || test === undefined) throw new Error('The node has no test');
	const data = withCredentialDefaults(type, credentials);
	const credentialsHelper = new HarnessCredentialsHelper(type, data);
	const context = new CredentialTestContext(
		createAdditionalData({ credentialsHelper, mode: 'internal', nodeParameters: {} }),
	);
	return await test.call(context, { id: 'credential', name: 'Account', type: type.name, data });
}

interface ListSearchOptions extends Omit<NodeUnderTest, 'nodeType'> {
	method: string;
	filter?: string;
	paginationToken?: string;
	/** IANA name of n8n's time zone; UTC by default. */
	timezone?: string;
}

export async function runListSearch(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const nodeType: INodeType = new PaymentCollection();
	const method = nodeType.methods?.listSearch?.[options.method];
	if (method === undefined) throw new UnexpectedError(`No list search "${options.method}"`);
	const { node, workflow, credentialsHelper } = detached({ ...options, nodeType });
	const context = new LoadOptionsContext(
		workflow,
		node,
		createAdditionalData({
			credentialsHelper,
			mode: 'internal',
			nodeParameters: options.parameters ?? {},
		}),
		'parameters',
	);
	return await method.call(context, options.filter, options.paginationToken);
}
