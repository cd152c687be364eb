import { randomUUID } from 'node:crypto';

import { PACKAGE_NAME } from '../../../scripts/lib/project.mjs';
import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { byType } from '../../../scripts/n8n-server/demo.mjs';

/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */

export const NODE_TYPE = `${PACKAGE_NAME}.paymentCollection`;
const NODE = 'Payment Collection';

/**
 * A node of a workflow that a test makes.
 *
 * @param {string} name
 * @param {string} type
 * @param {number} typeVersion
 * @param {Record<string, unknown>} [parameters]
 * @param {CredentialReference[]} [credentials]
 */
export const node = (name, type, typeVersion, parameters = {}, credentials = []) => ({
	name,
	type,
	typeVersion,
	parameters,
	credentials: byType(credentials),
	position: [0, 0],
	webhookId: randomUUID(),
});

/** A record that is chosen by its ID. @param {string} value */
export const idLocator = (value) => ({ __rl: true, mode: 'id', value });

/** @param {string} charge @param {string} amount @param {Record<string, unknown>} [options] */
export const refundOf = (charge, amount, options) => ({
	resource: 'charge',
	operation: 'refund',
	chargeId: idLocator(charge),
	amount,
	options,
});

/** @param {string} amount @param {Record<string, unknown>} [others] further parameters */
export const ticketFor = (amount, others) => ({
	resource: 'link',
	operation: 'create',
	currency: 'EUR',
	items: { item: [{ name: 'Ticket', amount, quantity: 1 }] },
	...others,
});

/** @param {string} name */
export const into = (name, type = 'main') => ({ [type]: [[{ node: name, type, index: 0 }]] });

/**
 * Makes a workflow to try the action node in: a trigger, and the node.
 *
 * @param {import('../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n
 * @param {CredentialReference} credential
 * @param {Record<string, unknown>} parameters of the node
 */
export async function createWorkflowOfOne(
	n8n,
	credential,
	parameters,
	trigger = node('Start', 'n8n-nodes-base.manualTrigger', 1),
) {
	const { id } = await n8n.createWorkflow({
		name: 'One node',
		nodes: [trigger, node(NODE, NODE_TYPE, 1, parameters, [credential])],
		connections: { [trigger.name]: into(NODE) },
	});
	const start = async () => await n8n.start(id, { trigger: trigger.name });
	return {
		id,
		/** Does not wait for the end. */
		start,
		async run() {
			const execution = await n8n.finishedExecution(await start());
			const { error } = execution.data.resultData;
			return {
				status: execution.status,
				error,
				message: `${error?.message}`,
				output: outputOf(execution, NODE).map(({ json }) => json),
			};
		},
	};
}
