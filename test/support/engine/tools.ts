import './environment';

import { ExecuteContext, SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	NodeConnectionTypes,
	createRunExecutionData,
	type IDataObject,
	type INodeExecutionData,
	type IRunExecutionData,
} from 'n8n-workflow';

import { createAdditionalData, nextId } from './additionalData';
import { type NodeUnderTest, detached, retrySettings, toolType } from './nodeUnderTest';
import type { RunResult } from './workflow/workflow';

/** The node's `execute` as n8n calls it: only the routing runs, no custom operation. */
async function execute(
	{ node, prepared, workflow, credentialsHelper }: ReturnType<typeof detached>,
	json: IDataObject[],
	run: { mode: 'trigger' | 'internal'; executionId?: string; data: IRunExecutionData },
	signal?: AbortSignal,
): Promise<INodeExecutionData[][]> {
	const items = json.map((one, item) => ({ json: one, pairedItem: { item } }));
	const inputData = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData({ credentialsHelper, ...run }),
		run.mode,
		run.data,
		0,
		items,
		inputData,
		{ node, data: inputData, source: null },
		[],
		signal,
	);
	return (await prepared.type.execute?.call(context)) as INodeExecutionData[][];
}

export async function runRouting(
	options: NodeUnderTest & { items?: IDataObject[]; signal?: AbortSignal },
): Promise<INodeExecutionData[][]> {
	const { items = [{}], signal } = options;
	const run = { mode: 'trigger', executionId: nextId(), data: createRunExecutionData() } as const;
	return await execute(detached(options), items, run, signal);
}

/**
 * One call by n8n's Agents: the node's `execute` in a workflow that is nowhere saved, with a node of its own, and no
 * execution. Its model reads the message of what is thrown, and nothing else.
 */
export async function runInAgents({
	toolArguments = {},
	...options
}: NodeUnderTest & { toolArguments?: IDataObject }): Promise<IDataObject[]> {
	const settings = { type: toolType(options), id: `called ${nextId()}` };
	const data = createRunExecutionData({ executionData: null });
	const called = detached(options, settings, undefined);
	return await execute(called, [toolArguments], { mode: 'internal', data }).then(
		([items = []]) => items.map(({ json }) => json),
		(error: unknown) => [{ error: (error as Error).message }],
	);
}

const AGENT_TYPE = '@n8n/n8n-nodes-langchain.agent';
/** Replaces the agent in 'Execute step' on a tool. */
export const TOOL_EXECUTOR_TYPE = '@n8n/n8n-nodes-langchain.toolExecutor';

interface ToolResult {
	answer?: string;
	/** After the last try n8n throws instead, and the agent decides what the model gets to see. */
	error?: unknown;
	/** Errors of the node in all attempts. */
	thrown: unknown[];
}

/**
 * Calls of the node as a tool by one agent in one execution, by n8n's own tool wrapper and all at once, as models may
 * make them. Their arguments reach the parameters by `$fromAI`. The first call's arguments are also the agent's own item, for `={{ $json.x }}`.
 */
export async function runAsTool({
	calls = [{}],
	retryOnFail,
	callerType = AGENT_TYPE,
	...options
}: NodeUnderTest & {
	calls?: IDataObject[];
	retryOnFail?: { maxTries: number };
	callerType?: string;
}) {
	const settings = { type: toolType(options), ...retrySettings(retryOnFail) };
	const { node, prepared, workflow, credentialsHelper } = detached(options, settings);
	const mode = 'trigger';
	const executionId = nextId();
	const additionalData = createAdditionalData({ credentialsHelper, mode, executionId });
	const runExecutionData = createRunExecutionData();
	const agentInput = calls.slice(0, 1).map((json) => ({ json }));
	const caller = { ...node, type: callerType };
	const executeData = { node: caller, data: { main: [agentInput] }, source: null };
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
	const outcomes = await Promise.allSettled(calls.map(async (call) => await invoke(call)));
	const { thrown } = prepared.recorded;
	return outcomes.map(
		(outcome): ToolResult =>
			outcome.status === 'fulfilled'
				? { answer: outcome.value, thrown }
				: { error: outcome.reason, thrown },
	) as [ToolResult, ...ToolResult[]];
}

/** n8n 1.123 ends the execution with a tool's error, newer ones return it to the model. */
export const reportedByEngine = ({ json, error }: RunResult): IDataObject[] =>
	json.length === 0 && error !== undefined ? [{ error: error.message }] : json;
