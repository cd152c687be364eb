import { prepareNodeType } from '../../test/support/engine/workflow/nodeTypes';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { execute, type Chain } from './execute';
import { httpRequestOf } from './httpRequest';
import { declarativeNode, plainFunctionNode } from './plainNodes';
import { rawList } from './raw';
import { baseNode, ourCredential, ourNode } from './nodeFiles';

/** Reads a whole list in one of the ways that are compared. */
export interface ListJob {
	readonly way: 'raw' | 'httpRequest' | 'declarative' | 'plain' | 'ours';
	readonly list: 'customers' | 'charges';
	readonly baseUrl: string;
	readonly apiKey: string;
	/** Of the ways that have a choice. */
	readonly concurrency?: number;
	/** Of our node. */
	readonly parameters?: INodeParameters;
	readonly options?: INodeParameters;
	/** Input items of our node, one by default. */
	readonly items?: readonly IDataObject[];
}

/** How many rows it gave, how long the node took where there is one, and what is held of it all. */
export interface ListOutcome {
	readonly items: number;
	readonly nodeMs?: number;
	readonly held: unknown;
}

const prepared = (nodeType: INodeType): INodeType => prepareNodeType(nodeType).type;

export async function readList(job: ListJob): Promise<ListOutcome> {
	if (job.way === 'raw') {
		const { baseUrl, apiKey, concurrency: connections = 8 } = job;
		const rows = await rawList(`/v1/${job.list}`, { baseUrl, apiKey, connections });
		return { items: rows.length, held: rows };
	}
	const { items, nodeMs, run } = await execute({
		nodes: nodesOf(job),
		credentialType: ourCredential(),
		credentials: { baseUrl: job.baseUrl, apiKey: job.apiKey },
		items: job.items ?? [{}],
	});
	return { items, nodeMs, held: run };
}

function nodesOf(job: ListJob): Chain['nodes'] {
	const { list } = job;
	switch (job.way) {
		case 'plain':
		case 'declarative': {
			const type = prepared(job.way === 'plain' ? plainFunctionNode : declarativeNode);
			return [{ name: 'List', type, version: 1, parameters: { list } }];
		}
		case 'httpRequest':
			return [
				{ name: 'HTTP Request', ...baseNode('HttpRequest'), parameters: httpRequestOf(job) },
				{
					name: 'Split Out',
					...baseNode('Transform/SplitOut'),
					parameters: { fieldToSplitOut: 'results' },
				},
			];
		default: {
			const { concurrency, parameters, options } = job;
			return [
				{
					name: 'List',
					type: prepared(ourNode()),
					version: 1,
					parameters: {
						resource: list === 'customers' ? 'customer' : 'charge',
						operation: 'getAll',
						returnAll: true,
						...parameters,
						options: {
							...(concurrency !== undefined && { maxConcurrency: concurrency }),
							...options,
						},
					},
				},
			];
		}
	}
}
