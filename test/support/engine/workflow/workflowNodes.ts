import '../environment';

import { type ExecuteContext } from 'n8n-core';
import {
	type IConnections,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** The names of the nodes around ours, for expressions such as `$('Input').item.json`. */
export const INPUT_NODE = 'Input';

export const TESTED_NODE = 'Tested Node';

export const OUTPUT_NODE = 'Output';

export const ERROR_NODE = 'Errors';

export function internalNode(
	name: string,
	type: INodeType,
	parameters: INodeParameters = {},
): INode {
	return {
		id: name,
		name,
		type: type.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
}

function to(...names: string[]): Array<{ node: string; type: 'main'; index: number }> {
	return names.map((node) => ({ node, type: 'main', index: 0 }));
}

/** @param times how often the node is run: once for each connection that leads to it */
export function connections(times: number): IConnections {
	return {
		[INPUT_NODE]: { main: [to(...Array<string>(times).fill(TESTED_NODE))] },
		[TESTED_NODE]: { main: [to(OUTPUT_NODE), to(ERROR_NODE)] },
	};
}

/** Ends a branch and evaluates its `value` parameter for each item that arrives. */
export class Collector implements INodeType {
	description: INodeTypeDescription = {
		...new NoOp().description,
		name: 'harness.collector',
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	};

	readonly values: unknown[] = [];

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const { type } = this.getNode();
		const collector = (this as ExecuteContext).workflow.nodeTypes.getByName(type) as Collector;
		for (const index of items.keys()) collector.values.push(this.getNodeParameter('value', index));
		return [items];
	}
}

export class NoOp implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'No Operation',
		name: 'n8n-nodes-base.noOp',
		group: ['organization'],
		version: 1,
		description: '',
		defaults: { name: 'No Operation' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}
