import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { PACKAGE_NAME } from '../../scripts/lib/project.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { startN8n } from '../../scripts/n8n-server/server.mjs';
import { API_KEY } from '../processes/start.mjs';
import { interleaved } from './rounds.mjs';

/**
 * @typedef {import('../../scripts/n8n-server/client/index.mjs').N8nClient} N8nClient
 * @typedef {import('../../scripts/n8n-server/client/types.mjs').WorkflowNode} WorkflowNode
 */

const CONTACTS = 10_000;
const HOLDINGS = { customers: CONTACTS, charges: 10_000 };
const TRIGGER = 'Start';
const POLL_MS = 300;
const LATENCIES = [0, 20, 100];

/**
 * @param {WorkflowNode[]} nodes one after another
 * @param {import('../../scripts/n8n-server/client/types.mjs').CredentialReference} credential
 */
function chain(nodes, credential) {
	const all = [{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} }, ...nodes];
	return {
		name: 'Bench',
		nodes: all.map((node, index) => ({
			typeVersion: 1,
			position: [200 * index, 0],
			...node,
			credentials: { paymentCollectionApi: credential },
		})),
		connections: Object.fromEntries(
			nodes.map(({ name }, index) => [
				all[index]?.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
		),
	};
}

/**
 * Runs a workflow as "Execute workflow" does, and looks for its end without asking for its data, which would take n8n
 * more time than the execution.
 *
 * @param {N8nClient} client
 * @param {string} workflowId
 * @param {string} lastNode whose items are counted
 * @param {string[]} nodeNames
 */
async function measure(client, workflowId, lastNode, nodeNames) {
	const executionId = await client.start(workflowId, { trigger: TRIGGER });
	for (;;) {
		await sleep(POLL_MS);
		const execution = (await client.executions(workflowId)).find(({ id }) => id === executionId);
		if (execution && !['new', 'running', 'waiting'].includes(execution.status)) break;
	}
	const { status, startedAt, stoppedAt, data } = await client.finishedExecution(executionId);
	const { runData, error } = data.resultData;
	if (status !== 'success') throw new Error(`n8n: ${status}, ${error?.message}`);
	const tasks = nodeNames.map((name) => runData[name]?.at(-1));
	const nodeMs = tasks.reduce((sum, task) => sum + (task?.executionTime ?? 0), 0);
	return {
		items: runData[lastNode]?.at(-1)?.data?.main[0]?.length,
		wallMs: Date.parse(stoppedAt) - Date.parse(startedAt),
		nodeMs,
	};
}

/**
 * Whole executions in a real n8n, saved as usual.
 *
 * @type {import('../run.mjs').Part}
 */
export async function* n8n({ service, rounds, modules }) {
	const { httpRequestOf } = modules('bench/engine/httpRequest');
	const { client, stop } = await startN8n({
		userFolder: temporaryFolder('payment-collection-bench-n8n-'),
	});
	await client.setUpOwner({
		email: 'bench@example.com',
		password: `${randomBytes(9).toString('base64url')}-A1`,
		firstName: 'Bench',
		lastName: 'Owner',
	});
	const httpRequestVersion = await latestVersion(client, 'n8n-nodes-base.httpRequest');
	for (const delayMs of LATENCIES) {
		const baseUrl = await service.at({ holdings: HOLDINGS, delayMs });
		const { id, name } = await client.createCredential({
			name: `Bench at ${delayMs} ms`,
			type: 'paymentCollectionApi',
			data: { baseUrl, apiKey: API_KEY },
		});
		const ours = {
			name: 'Contacts',
			type: `${PACKAGE_NAME}.paymentCollection`,
			parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
		};
		const http = [
			{
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: httpRequestVersion,
				parameters: httpRequestOf({ baseUrl, list: 'customers' }),
			},
			{
				name: 'Split Out',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'results' },
			},
		];
		const variant = async (/** @type {WorkflowNode[]} */ nodes) => {
			const workflow = await client.createWorkflow(chain(nodes, { id, name }));
			const names = nodes.map(({ name: nodeName }) => nodeName);
			return () => measure(client, workflow.id, names.at(-1) ?? '', names);
		};
		const variants = {
			'Payment Collection, 8, Simplify': await variant([ours]),
			'HTTP Request + Split Out': await variant(http),
		};
		const measured = await interleaved(variants, { rounds, items: CONTACTS });
		yield { name: `10,000 contacts, ${delayMs} ms, in n8n`, measured };
	}
	await stop();
}

/**
 * @param {N8nClient} client
 * @param {string} type
 */
async function latestVersion(client, type) {
	const versions = (await client.nodeTypes())
		.filter(({ name }) => name === type)
		.flatMap(({ version }) => version);
	return Math.max(...versions);
}
