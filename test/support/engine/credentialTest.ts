import './environment';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialType, INodeCredentialTestResult, INodeType } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { createAdditionalData } from './additionalData';
import {
	HarnessCredentialsHelper,
	credentialTypeFor,
	withCredentialDefaults,
	type CredentialData,
} from './credentials';

/** n8n's "Test" button: the function that a node names in `testedBy`, unless the credential type has a test itself. */
export async function runCredentialTest(options: {
	credentials: CredentialData;
	credentialType?: ICredentialType;
	nodeType?: INodeType;
}): Promise<INodeCredentialTestResult> {
	const type = credentialTypeFor(options);
	const { description, methods }: INodeType = options.nodeType ?? new PaymentCollection();
	const testedBy = description.credentials?.find(({ name }) => name === type.name)?.testedBy;
	const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
	if (type.test !== undefined || test === undefined) {
		return { status: 'Error', message: 'No testing function found for this credential.' };
	}
	const data = withCredentialDefaults(type, options.credentials);
	const context = new CredentialTestContext(
		createAdditionalData({
			credentialsHelper: new HarnessCredentialsHelper(type, data),
			mode: 'internal',
			nodeParameters: {},
		}),
	);
	return await test.call(context, {
		id: 'credential',
		name: 'Test account',
		type: type.name,
		data,
	});
}
