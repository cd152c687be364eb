import './environment';

import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	Workflow,
	createEmptyRunExecutionData,
	type ICredentialTestRequest,
	type ICredentialType,
	type INode,
	type INodeType,
} from 'n8n-workflow';

import { createAdditionalData } from './additionalData';
import {
	type CredentialData,
	credentialTypeFor,
	withCredentialDefaults,
	HarnessCredentialsHelper,
} from './credentials';
import { HarnessNodeTypes } from './nodeTypes';
import { NoOp, internalNode } from './workflowNodes';

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** n8n's "Test" button: the request of the credential type on a stand-in node, then its rules. */
export async function runCredentialTest(options: {
	credentials: CredentialData;
	credentialType?: ICredentialType;
}): Promise<CredentialTestResult> {
	const type = credentialTypeFor(options);
	const { test } = type;
	if (test === undefined) {
		return { status: 'Error', message: 'No testing function found for this credential.' };
	}
	const data = withCredentialDefaults(type, options.credentials);
	const { description } = new NoOp();
	const nodeType: INodeType = {
		description: {
			...description,
			credentials: [{ name: type.name, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					default: '',
					routing: { request: test.request },
				},
			],
		},
	};
	const node: INode = {
		...internalNode('Temp-Node', nodeType),
		credentials: { [type.name]: { id: 'credential', name: 'Test account' } },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: new HarnessNodeTypes(nodeType),
	});
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData({
			credentialsHelper: new HarnessCredentialsHelper(type, data),
			mode: 'internal',
			nodeParameters: node.parameters,
		}),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const credentials = { id: 'credential', name: 'Test account', type: type.name, data };
	try {
		const output = await new RoutingNode(context, nodeType, credentials).runNode();
		return bodyVerdict(test, output?.[0]?.[0]?.json);
	} catch (error) {
		return failureVerdict(test, error);
	}
}

function bodyVerdict(test: ICredentialTestRequest, body: unknown): CredentialTestResult {
	for (const rule of test.rules ?? []) {
		if (rule.type !== 'responseSuccessBody') continue;
		const { key, message } = rule.properties;
		const unwanted: unknown = rule.properties.value;
		if (valueAt(body, key) === unwanted) return { status: 'Error', message };
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** Only the status decides: the text of a rule, else the status line, else the network code. */
function failureVerdict(test: ICredentialTestRequest, error: unknown): CredentialTestResult {
	const { cause, message } = error as Error & {
		cause?: { code?: string; response?: { status: number; statusText?: string } };
	};
	const response = cause?.response;
	if (response !== undefined) {
		for (const rule of test.rules ?? []) {
			if (rule.type === 'responseCode' && rule.properties.value === response.status) {
				return { status: 'Error', message: rule.properties.message };
			}
		}
		if (response.status < 199 || response.status > 299) {
			const text = response.statusText || `Received HTTP status code: ${response.status}`;
			return { status: 'Error', message: text };
		}
	} else if (cause?.code !== undefined) {
		return { status: 'Error', message: cause.code };
	}
	return { status: 'Error', message };
}

function valueAt(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(inner, key) =>
				typeof inner === 'object' && inner !== null
					? (inner as Record<string, unknown>)[key]
					: undefined,
			value,
		);
}
