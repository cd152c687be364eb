import { PACKAGE_NAME } from '../../../scripts/lib/project.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';

/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').Workflow} Workflow */

const SCHEDULE = 'Every minute';
export const RECONCILING = 'Get events of the last hour';

/**
 * @param {Workflow} workflow that keeps a ledger
 * @param {string} writer the name of its node that writes events
 * @returns {Workflow} the same, which besides writes what is missing of the last hour every minute
 */
export function withReconciling(workflow, writer) {
	const to = (/** @type {string} */ node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	/** @type {import('../../../scripts/n8n-server/client/types.mjs').WorkflowNode[]} */
	const nodes = [
		{
			name: SCHEDULE,
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			position: [-240, 520],
			parameters: { rule: { interval: [{ field: 'minutes', minutesInterval: 1 }] } },
		},
		{
			name: RECONCILING,
			type: `${PACKAGE_NAME}.paymentCollection`,
			typeVersion: 1,
			position: [0, 520],
			parameters: {
				resource: 'charge',
				operation: 'getEvents',
				since: '={{ $now.minus({ hours: 1 }).toISO() }}',
				events: ['charge.created', 'charge.refunded', 'charge.statusChanged'],
				simplify: false,
			},
			credentials: { [CREDENTIAL_TYPE]: { id: '', name: '' } },
		},
	];
	return {
		...workflow,
		nodes: [...workflow.nodes, ...nodes],
		connections: {
			...workflow.connections,
			[SCHEDULE]: to(RECONCILING),
			[RECONCILING]: to(writer),
		},
	};
}
