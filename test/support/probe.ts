import type {
	ICredentialType,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { PLANTED } from './secrets/secrets';

/**
 * A declarative node as plain as can be, without any of the safeguards of ours: what it does, the
 * engine does. It exists to prove that the harness is the real engine.
 */
export function probe(customOperations?: INodeType['customOperations']): INodeType {
	const description: INodeTypeDescription = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Sends one request for each item',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'probeApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties: [
			{ displayName: 'Resource', name: 'resource', type: 'hidden', default: 'thing' },
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'send' },
			{
				displayName: 'Method',
				name: 'method',
				type: 'string',
				default: 'GET',
				routing: { request: { method: '={{ $value }}' as 'GET' } },
			},
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '/thing',
				routing: { request: { url: '={{ $value }}' } },
			},
		],
	};
	return { description, customOperations };
}

export function nodeOf(
	run: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
): INodeType {
	return { description: { ...probe().description, requestDefaults: undefined }, execute: run };
}

const credentialType: ICredentialType = {
	name: 'probeApi',
	displayName: 'Probe API',
	properties: [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'API Key', name: 'apiKey', type: 'string', default: '' },
	],
	authenticate: async ({ apiKey }, options) =>
		await Promise.resolve({ ...options, headers: { ...options.headers, 'X-API-KEY': apiKey } }),
};

export function probeOn(url: string) {
	return {
		nodeType: probe(),
		credentials: { baseUrl: url, apiKey: PLANTED.apiKey },
		credentialType,
	};
}
