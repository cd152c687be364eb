import type { INodeParameters } from 'n8n-workflow';

import { runAsTool, runInAgents, runNode, toldByEngine } from '../../support/engine';
import { nodeOn } from '../../support/operations';

/** What a model is given for its refund. */
interface Told {
	error?: string;
	message?: string;
	amount?: string;
	refund_total?: string;
}

/** One call of the refund's tool by an agent, each in an execution of its own. */
export type RefundAsAgent = (
	service: { url: string },
	charge: string,
	parameters: INodeParameters,
) => Promise<Told>;

const toolOf = (...[service, charge, parameters]: Parameters<RefundAsAgent>) => {
	const chargeId = { __rl: true, mode: 'id', value: charge };
	const chosen = { resource: 'charge', operation: 'refund' };
	return nodeOn(service, { ...chosen, parameters: { chargeId, ...parameters } });
};

export const olderPath: RefundAsAgent = async (...asked) => {
	const [{ answer }] = await runAsTool(toolOf(...asked));
	return (JSON.parse(answer ?? '[]') as Told[])[0] ?? {};
};

export const enginePath: RefundAsAgent = async (...asked) =>
	toldByEngine(await runNode({ ...toolOf(...asked), asAgentTool: true }))[0] ?? {};

const ofAgents: RefundAsAgent = async (...asked) => (await runInAgents(toolOf(...asked)))[0] ?? {};

export const AGENT_PATHS: Array<[name: string, path: RefundAsAgent]> = [
	['the older path of agents', olderPath],
	['the engine’s path of agents', enginePath],
	['the path of n8n’s Agents', ofAgents],
];
