import type { INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { runAsTool, runInAgents, runNode, toldByEngine } from '../../support/engine';
import { credentialsFor } from '../../support/operations';

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

const refundOf = (charge: string, others: INodeParameters): INodeParameters => ({
	resource: 'charge',
	operation: 'refund',
	chargeId: { __rl: true, mode: 'id', value: charge },
	...others,
});

export const olderPath: RefundAsAgent = async (service, charge, parameters) => {
	const { answer } = await runAsTool({
		nodeType: new PaymentCollection(),
		credentials: credentialsFor(service),
		parameters: refundOf(charge, parameters),
	});
	return (JSON.parse(answer ?? '[]') as Told[])[0] ?? {};
};

export const enginePath: RefundAsAgent = async (service, charge, parameters) => {
	const result = await runNode({
		nodeType: new PaymentCollection(),
		credentials: credentialsFor(service),
		parameters: refundOf(charge, parameters),
		asAgentTool: true,
	});
	return toldByEngine(result)[0] ?? {};
};

const ofAgents: RefundAsAgent = async (service, charge, parameters) => {
	const [told] = await runInAgents({
		nodeType: new PaymentCollection(),
		credentials: credentialsFor(service),
		parameters: refundOf(charge, parameters),
	});
	return told ?? {};
};

export const AGENT_PATHS: Array<[name: string, path: RefundAsAgent]> = [
	['the older path of agents', olderPath],
	['the engine’s path of agents', enginePath],
	['the path of n8n’s Agents', ofAgents],
];
