import './environment';

import { ExecuteContext, RoutingNode, SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	NodeConnectionTypes,
	createRunExecutionData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import { createAdditionalData, nextId } from './additionalData';
import { type NodeUnderTest, detached, retrySettings, toolType } from './nodeUnderTest';
import type { RunResult } from './workflow/workflow';

/** The node's `execute` in an ExecuteContext: routing only, custom operations are passed by. */
export async function runRouting(
	options: NodeUnderTest & { items?: IDataObject[]; signal?: AbortSignal },
): Promise<INodeExecutionData[][]> {
	const { node, prepared, workflow, credentialsHelper } = detached(options);
	const inputData = {
		main: [(options.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }))],
	};
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData({ credentialsHelper, mode: 'trigger', executionId: nextId() }),
		'trigger',
		createRunExecutionData(),
		0,
		inputData.main[0] ?? [],
		inputData,
		{ node, data: inputData, source: null },
		[],
		options.signal,
	);
	return (await new RoutingNode(context, prepared.type).runNode()) ?? [];
}

export interface ToolResult {
	answer?: string;
	error?: unknown;
	thrown: unknown[];
}

type ToolOptions = NodeUnderTest & { retryOnFail?: { maxTries: number } };

/**
 * The node as an agent's tool, called by n8n's own tool wrapper. `answer` is what the model reads;
 * after the last try the wrapper throws instead, and the agent decides what the model gets to see.
 * `toolArguments` is the one input item's JSON, so `={{ $json.x }}` stands for a `$fromAI` value.
 */
export async function runAsTool(
	options: ToolOptions & { toolArguments?: IDataObject },
): Promise<ToolResult> {
	const { toolArguments = {} } = options;
	const { invoke, prepared } = toolOf(options, [{ json: toolArguments }]);
	return {
		...(await outcomeOf(invoke(toolArguments))),
		thrown: prepared.calls.flatMap(({ thrown }) => (thrown === undefined ? [] : [thrown])),
	};
}

/**
 * Several calls of one tool by one agent in one execution, all at once as models may make them. Their arguments
 * reach the parameters by `$fromAI`.
 */
export async function runToolCalls(
	options: ToolOptions & { calls: IDataObject[] },
): Promise<Array<Pick<ToolResult, 'answer' | 'error'>>> {
	const { invoke } = toolOf(options, [{ json: {} }]);
	return await Promise.all(options.calls.map(async (call) => await outcomeOf(invoke(call))));
}

/**
 * One call by n8n's Agents: the node's `execute` in a workflow that is nowhere saved, with a node of its own, and no
 * execution. Its model reads the message of what is thrown, and nothing else.
 */
export async function runInAgents(
	options: NodeUnderTest & { toolArguments?: IDataObject },
): Promise<IDataObject[]> {
	const { node, prepared, workflow, credentialsHelper } = detached(
		options,
		{ type: toolType(options), id: `called ${nextId()}` },
		undefined,
	);
	const items = [{ json: options.toolArguments ?? {} }];
	const inputData = { main: [items] };
	const mode = 'internal';
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData({ credentialsHelper, mode }),
		mode,
		createRunExecutionData({ executionData: null }),
		0,
		items,
		inputData,
		{ node, data: inputData, source: null },
		[],
	);
	const run = async (): Promise<unknown> => await prepared.type.execute?.call(context);
	return await run().then(
		(output) => (output as INodeExecutionData[][])[0]?.map(({ json }) => json) ?? [],
		(error: unknown) => [{ error: (error as Error).message }],
	);
}

/** What came of a tool that n8n's engine ran: n8n 1.123 ends the execution with a tool's error, the newest tells the model. */
export const toldByEngine = ({ json, error }: RunResult): IDataObject[] =>
	json.length === 0 && error !== undefined ? [{ error: error.message }] : json;

async function outcomeOf(answer: Promise<string>): Promise<Pick<ToolResult, 'answer' | 'error'>> {
	return await answer.then(
		(text) => ({ answer: text }),
		(error: unknown) => ({ error }),
	);
}

/** @param agentInput the items that the agent itself works on */
function toolOf(options: ToolOptions, agentInput: INodeExecutionData[]) {
	const { node, prepared, workflow, credentialsHelper } = detached(options, {
		type: toolType(options),
		...retrySettings(options.retryOnFail),
	});
	const mode = 'trigger';
	const executionId = nextId();
	const additionalData = createAdditionalData({ credentialsHelper, mode, executionId });
	const runExecutionData = createRunExecutionData();
	const executeData = { node, data: { main: [agentInput] }, source: null };
	const invoke = makeHandleToolInvocation(
		(runIndex) =>
			new SupplyDataContext(
				workflow,
				node,
				additionalData,
				mode,
				runExecutionData,
				runIndex,
				agentInput,
				// The wrapper itself puts the model's arguments here.
				{},
				NodeConnectionTypes.AiTool,
				executeData,
				[],
				undefined,
				node,
			),
		node,
		prepared.type,
		runExecutionData,
	);
	return { invoke, prepared };
}
