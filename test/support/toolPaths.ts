import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runAsTool, runInAgents, runNode, reportedByEngine } from './engine';
import type { NodeUnderTest } from './engine/nodeUnderTest';
import { nodeOn } from './operations';

type Tool = NodeUnderTest & { retryOnFail?: { maxTries: number }; callerType?: string };

/** Calls the node as a tool, in an execution of its own, and returns the records that the model reads. */
export type ToolPath = (tool: Tool, toolArguments?: IDataObject) => Promise<IDataObject[]>;

export const olderPath: ToolPath = async (tool, toolArguments = {}) => {
	const [{ answer, error }] = await runAsTool({ ...tool, calls: [toolArguments] });
	// n8n would hide one from the model.
	expect(error).toBeUndefined();
	return JSON.parse(answer ?? '[]') as IDataObject[];
};

export const enginePath: ToolPath = async (tool, toolArguments = {}) =>
	reportedByEngine(await runNode({ ...tool, asAgentTool: true, items: [toolArguments] }));

const agentsPath: ToolPath = async (tool, toolArguments = {}) =>
	await runInAgents({ ...tool, toolArguments });

export const TOOL_PATHS: ReadonlyArray<[name: string, path: ToolPath]> = [
	['the older path of agents', olderPath],
	['the engine’s path of agents', enginePath],
	['the path of n8n’s Agents', agentsPath],
];

interface RefundAnswer {
	error?: string;
	message?: string;
	amount?: string;
	refund_total?: string;
}

export async function refundByTool(
	path: ToolPath,
	service: { url: string },
	charge: string,
	parameters: INodeParameters,
): Promise<RefundAnswer> {
	const chargeId = { __rl: true, mode: 'id', value: charge };
	const chosen = { resource: 'charge', operation: 'refund' };
	const tool = nodeOn(service, { ...chosen, parameters: { chargeId, ...parameters } });
	return (await path(tool))[0] ?? {};
}
