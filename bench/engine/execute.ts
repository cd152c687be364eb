import { createAdditionalData, nextId } from '../../test/support/engine/additionalData';
import {
	HarnessCredentialsHelper,
	credentialTypeFor,
	type CredentialData,
} from '../../test/support/engine/credentials';
import { HarnessNodeTypes } from '../../test/support/engine/workflow/nodeTypes';
import { INPUT_NODE, NoOp, internalNode } from '../../test/support/engine/workflow/workflowNodes';

import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	createRunExecutionData,
	type IDataObject,
	type INodeParameters,
	type IRun,
	type INodeType,
	type ICredentialType,
} from 'n8n-workflow';

/** A node of a workflow that is one chain of nodes. */
export interface ChainNode {
	readonly name: string;
	readonly type: INodeType;
	readonly version: number;
	readonly parameters: INodeParameters;
}

export interface Chain {
	readonly nodes: readonly ChainNode[];
	/** What every node of the chain may use. */
	readonly credentialType: ICredentialType;
	readonly credentials: CredentialData;
	/** Input items of the first node. */
	readonly items: readonly IDataObject[];
}

/** What an execution gave, and how long its nodes took, in ms. */
export interface ChainResult {
	readonly items: number;
	readonly nodeMs: number;
	/** All that n8n holds of the execution. */
	readonly run: IRun;
}

/**
 * Runs a chain of nodes in n8n's engine, as one execution.
 *
 * @throws what fails in it
 */
export async function execute(chain: Chain): Promise<ChainResult> {
	const type = credentialTypeFor(chain);
	const credentialsHelper = new HarnessCredentialsHelper(type, chain.credentials);
	const input = internalNode(INPUT_NODE, new NoOp());
	const nodes = chain.nodes.map(({ name, type: nodeType, version, parameters }) => ({
		...internalNode(name, nodeType, parameters),
		typeVersion: version,
		credentials: { [type.name]: { id: 'credential', name: 'Test account' } },
	}));
	const all = [input, ...nodes];
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Bench',
		nodes: all,
		connections: Object.fromEntries(
			nodes.map(({ name }, index) => [
				all[index]?.name ?? '',
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
		),
		active: false,
		nodeTypes: new HarnessNodeTypes(...chain.nodes.map(({ type: nodeType }) => nodeType)),
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	const executionId = nextId();
	const additionalData = createAdditionalData({ credentialsHelper, mode: 'trigger', executionId });
	const runExecutionData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: input, data: { main: [chain.items.map((json) => ({ json }))] }, source: null },
			],
		},
	});
	const run = await new WorkflowExecute(
		additionalData,
		'trigger',
		runExecutionData,
	).processRunExecutionData(workflow);
	const { error, runData } = run.data.resultData;
	if (error !== undefined) throw error;
	const tasks = nodes.flatMap(({ name }) => runData[name] ?? []);
	const [items] = tasks.at(-1)?.data?.['main'] ?? [];
	return {
		items: items?.length ?? 0,
		nodeMs: tasks.reduce((sum, { executionTime }) => sum + executionTime, 0),
		run,
	};
}
