import '../environment';

import { type ExecuteContext } from 'n8n-core';
import {
	type IConnections,
	type IDataObject,
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

export const LOOP_NODE = 'Loop';

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

export function straightConnections(): IConnections {
	return {
		[INPUT_NODE]: { main: [to(TESTED_NODE)] },
		[TESTED_NODE]: { main: [to(OUTPUT_NODE), to(ERROR_NODE)] },
	};
}

export function loopConnections(): IConnections {
	return {
		[INPUT_NODE]: { main: [to(LOOP_NODE)] },
		[LOOP_NODE]: { main: [to(OUTPUT_NODE), to(TESTED_NODE)] },
		[TESTED_NODE]: { main: [to(LOOP_NODE), to(LOOP_NODE)] },
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
		if (this.getNodeParameter('value', 0, '', { rawExpressions: true }) !== '') {
			items.forEach((_item, index) => {
				try {
					collector.values.push(this.getNodeParameter('value', index));
				} catch (error) {
					collector.values.push(error);
				}
			});
		}
		return [items];
	}
}

/** Like n8n's Loop Over Items: output 1 feeds the next round, output 0 is taken when none is left. */
export class Loop implements INodeType {
	description: INodeTypeDescription = {
		...new NoOp().description,
		name: 'harness.loop',
		outputs: ['main', 'main'],
	};

	constructor(readonly rounds: IDataObject[][]) {}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const state = this.getContext('node');
		const index = typeof state['round'] === 'number' ? state['round'] : 0;
		state['round'] = index + 1;
		const { type } = this.getNode();
		const { rounds } = (this as ExecuteContext).workflow.nodeTypes.getByName(type) as Loop;
		const round = rounds[index];
		if (round === undefined) return [this.getInputData(), []];
		return [[], round.map((json, item) => ({ json, pairedItem: { item } }))];
	}
}

/** A node that hands its input on: the start, and the stand-in of the credential test. */
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
