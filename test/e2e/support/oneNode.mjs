import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';

/** @typedef {import('../../../scripts/n8n-server/client/index.mjs').N8nClient} N8nClient */
/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */

export const NODE_TYPE = 'n8n-nodes-payment-collection.paymentCollection';
const NODE = 'Payment Collection';
export const TRIGGER = 'When clicking ‘Execute workflow’';
const ITEMS = 'Items';
const SUCCEEDED = 'Succeeded';
const FAILED = 'Failed';

/** @type {import('../../../scripts/n8n-server/client/types.mjs').Workflow['nodes'][number]} */
const TRIGGER_NODE = {
	name: TRIGGER,
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
	position: [0, 0],
};

const NO_OPERATION = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

const to = (/** @type {string} */ node) => [{ node, type: 'main', index: 0 }];

/**
 * Makes a workflow to try the node in: a manual trigger, some items, the node, and a node behind each of its outputs.
 *
 * @param {N8nClient} n8n
 * @param {CredentialReference} credential
 * @param {Record<string, unknown>} parameters of the node
 * @param {{ items?: number, [setting: string]: unknown }} [options] items: how many there are; the rest is settings of the
 *   node, such as onError
 * @returns {Promise<string>} its id
 */
export async function createWorkflowOfOne(
	n8n,
	credential,
	parameters,
	{ items = 1, ...settings } = {},
) {
	const item = {
		mode: 'raw',
		jsonOutput: '{}',
		duplicateItem: items > 1,
		duplicateCount: items - 1,
		options: {},
	};
	const node = {
		name: NODE,
		type: NODE_TYPE,
		typeVersion: 1,
		parameters,
		credentials: { paymentCollectionApi: credential },
		...settings,
	};
	const { id } = await n8n.createWorkflow({
		name: 'One node',
		nodes: [
			TRIGGER_NODE,
			{
				name: ITEMS,
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: item,
				position: [200, 0],
			},
			{ ...node, position: [400, 0] },
			{ ...NO_OPERATION, name: SUCCEEDED, position: [600, 0] },
			{ ...NO_OPERATION, name: FAILED, position: [600, 200] },
		],
		connections: {
			[TRIGGER]: { main: [to(ITEMS)] },
			[ITEMS]: { main: [to(NODE)] },
			[NODE]: { main: [to(SUCCEEDED), to(FAILED)] },
		},
	});
	return id;
}

/**
 * Runs such a workflow.
 *
 * @param {N8nClient} n8n
 * @param {string} workflow its id
 * @returns what became of the items, by the nodes behind the outputs
 */
export async function runOfOne(n8n, workflow) {
	const execution = await n8n.run(workflow, { trigger: TRIGGER });
	return {
		status: execution.status,
		message: String(execution.data.resultData.error?.message ?? ''),
		succeeded: outputOf(execution, SUCCEEDED).map(({ json }) => json),
		failed: outputOf(execution, FAILED).map(({ json }) => json),
	};
}
