import {
	Workflow,
	type ICredentialType,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { PaymentCollectionApi } from '../../../credentials/PaymentCollectionApi.credentials';
import { type CredentialData, HarnessCredentialsHelper } from './credentials';
import {
	type PreparedNodeType,
	HarnessNodeTypes,
	prepareNodeType,
	latestVersion,
} from './workflow/nodeTypes';
import { TESTED_NODE } from './workflow/workflowNodes';

export interface NodeUnderTest {
	nodeType: INodeType;
	/** Key of n8n's memory of processed data. */
	nodeId?: string;
	/** Values, or n8n expressions such as `={{ $json.id }}`. Everything left out gets its default. */
	parameters?: INodeParameters;
	/** Decrypted data; leave it out for a node without credentials. */
	credentials?: CredentialData;
	credentialType?: ICredentialType;
}

interface Prepared {
	node: INode;
	prepared: PreparedNodeType;
	nodeTypes: HarnessNodeTypes;
	credentialsHelper: HarnessCredentialsHelper;
}

export function prepare(
	options: NodeUnderTest,
	settings: Partial<INode>,
	...others: INodeType[]
): Prepared {
	const prepared = prepareNodeType(options.nodeType);
	const { description } = prepared.type;
	const type = options.credentialType ?? new PaymentCollectionApi();
	const node: INode = {
		id: options.nodeId ?? 'tested-node',
		name: TESTED_NODE,
		type: description.name,
		typeVersion: latestVersion(description),
		position: [0, 0],
		parameters: structuredClone(options.parameters ?? {}),
		...(options.credentials === undefined
			? {}
			: { credentials: { [type.name]: { id: 'credential', name: 'Test account' } } }),
		...settings,
	};
	return {
		node,
		prepared,
		nodeTypes: new HarnessNodeTypes(prepared.type, ...others),
		credentialsHelper: new HarnessCredentialsHelper(type, options.credentials ?? {}),
	};
}

/** Without a pause: n8n reads one of 0 ms as a second. */
export const retrySettings = (retryOnFail: { maxTries: number } | undefined): Partial<INode> =>
	retryOnFail === undefined
		? {}
		: { retryOnFail: true, maxTries: retryOnFail.maxTries, waitBetweenTries: 1 };

export const toolType = ({ nodeType }: NodeUnderTest): string =>
	`${prepareNodeType(nodeType).type.description.name}Tool`;

export function detached(
	options: NodeUnderTest & { timezone?: string },
	settings: Partial<INode> = {},
	workflowId: string | undefined = 'workflow',
) {
	const { node, prepared, nodeTypes, credentialsHelper } = prepare(options, settings);
	const workflow = new Workflow({
		id: workflowId,
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', timezone: options.timezone ?? 'UTC' },
	});
	return { node, prepared, workflow, credentialsHelper };
}
