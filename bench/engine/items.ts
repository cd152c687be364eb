import { prepareNodeType } from '../../test/support/engine/workflow/nodeTypes';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { execute, type ChainNode } from './execute';
import { baseNode, ourCredential, ourNode } from './nodeFiles';
import { getNode } from './plainNodes';
import { inParallel, rawClient } from './raw';

/** Does something for each input item, in one of the ways that are compared. */
export interface ItemJob {
	readonly way: 'raw' | 'httpRequest' | 'declarative' | 'ours';
	readonly operation: 'get' | 'create' | 'refund';
	readonly baseUrl: string;
	readonly apiKey: string;
	/** One for each item: of a link to get or a charge to refund, or a name for a new link. */
	readonly names: readonly string[];
	/** Of raw axios. */
	readonly concurrency?: number;
}

const REFUNDED = '0.01';
const linkBody = (name: string): IDataObject => ({
	currency: 'USD',
	payment_expiry_limit: 1,
	items: [{ name, amount: '10.00', quantity: 1 }],
});

export async function runItems(job: ItemJob): Promise<{ items: number; nodeMs?: number }> {
	if (job.way === 'raw') return { items: await runRaw(job) };
	const { items, nodeMs } = await execute({
		nodes: [nodeOf(job)],
		credentialType: ourCredential(),
		credentials: { baseUrl: job.baseUrl, apiKey: job.apiKey },
		items: job.names.map((name) => ({ name })),
	});
	return { items, nodeMs };
}

async function runRaw({ names, operation, ...job }: ItemJob): Promise<number> {
	const { concurrency = 8 } = job;
	const { client, close } = rawClient(job.baseUrl, job.apiKey, concurrency);
	const send = {
		get: async (name: string) => await client.get(`/v1/links/${name}`),
		create: async (name: string) => await client.post('/v1/links', linkBody(name)),
		refund: async (name: string) =>
			await client.post(`/v1/charges/${name}/refund`, { amount: REFUNDED }),
	}[operation];
	const answers: unknown[] = [];
	try {
		await inParallel(0, names.length - 1, concurrency, async (index) => {
			answers[index] = (await send(names[index] ?? '')).data;
		});
	} finally {
		close();
	}
	return answers.length;
}

function nodeOf(job: ItemJob): ChainNode {
	switch (job.way) {
		case 'httpRequest':
			return {
				name: 'HTTP Request',
				...baseNode('HttpRequest'),
				parameters: {
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'paymentCollectionApi',
					...httpRequestOf(job),
				},
			};
		case 'declarative': {
			const { type } = prepareNodeType(getNode);
			return { name: 'Get', type, version: 1, parameters: { linkId: '={{ $json.name }}' } };
		}
		default: {
			const { type } = prepareNodeType(ourNode());
			return { name: 'Item', type, version: 1, parameters: OURS[job.operation] };
		}
	}
}

function httpRequestOf({ baseUrl, operation }: ItemJob): INodeParameters {
	switch (operation) {
		case 'get':
			return { method: 'GET', url: `=${baseUrl}/v1/links/{{ $json.name }}` };
		case 'create':
			return {
				method: 'POST',
				url: `${baseUrl}/v1/links`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `=${JSON.stringify(linkBody('{{ $json.name }}'))}`,
			};
		case 'refund':
			return {
				method: 'POST',
				url: `=${baseUrl}/v1/charges/{{ $json.name }}/refund`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: JSON.stringify({ amount: REFUNDED }),
			};
	}
}

const OURS: Record<ItemJob['operation'], INodeParameters> = {
	get: { resource: 'link', operation: 'get', linkId: '={{ $json.name }}' },
	create: {
		resource: 'link',
		operation: 'create',
		currency: 'USD',
		expiry: 'afterPayments',
		paymentExpiryLimit: 1,
		items: { item: [{ name: '={{ $json.name }}', amount: '10.00', quantity: 1 }] },
	},
	refund: {
		resource: 'charge',
		operation: 'refund',
		chargeId: { __rl: true, mode: 'id', value: '={{ $json.name }}' },
		amountType: 'partial',
		amount: REFUNDED,
	},
};
