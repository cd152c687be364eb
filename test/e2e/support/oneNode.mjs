import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { MANUAL_TRIGGER, TRIGGER } from './browser/workflows.mjs';

/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').Execution} Execution */
/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').WorkflowNode} WorkflowNode */

const ITEMS = 'Items';
const SUCCEEDED = 'Succeeded';
const FAILED = 'Failed';

const NO_OPERATION = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

const to = (/** @type {string} */ node) => [{ node, type: 'main', index: 0 }];

/**
 * Makes a workflow to try one node in: a manual trigger, some items, the node, and a node behind each of its outputs.
 *
 * @param {import('../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n
 * @param {Omit<WorkflowNode, 'position'>} node
 * @param {{ items?: number, json?: Record<string, unknown> }} [options] json: of each item
 * @returns {Promise<string>} its id
 */
export async function createWorkflowOfOne(n8n, node, { items = 1, json = {} } = {}) {
	const parameters = {
		mode: 'raw',
		jsonOutput: JSON.stringify(json),
		duplicateItem: items > 1,
		duplicateCount: items - 1,
		options: {},
	};
	const set = { name: ITEMS, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	const { id } = await n8n.createWorkflow({
		name: `One node: ${node.name}`,
		nodes: [
			{ ...MANUAL_TRIGGER, position: [0, 0] },
			{ ...set, position: [200, 0] },
			{ ...node, position: [400, 0] },
			{ ...NO_OPERATION, name: SUCCEEDED, position: [600, 0] },
			{ ...NO_OPERATION, name: FAILED, position: [600, 200] },
		],
		connections: {
			[TRIGGER]: { main: [to(ITEMS)] },
			[ITEMS]: { main: [to(node.name)] },
			[node.name]: { main: [to(SUCCEEDED), to(FAILED)] },
		},
	});
	return id;
}

/**
 * What became of the items, by the nodes behind the outputs.
 *
 * @param {Execution} execution of such a workflow
 */
export const outcomeOf = (execution) => ({
	status: execution.status,
	message: String(execution.data.resultData.error?.message ?? ''),
	succeeded: outputOf(execution, SUCCEEDED).map(({ json }) => json),
	failed: outputOf(execution, FAILED).map(({ json }) => json),
});
