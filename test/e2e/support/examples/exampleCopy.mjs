import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { outputOf } from '../../../../scripts/n8n-server/client/index.mjs';
import { readExamples, withCredentials } from '../../../../scripts/n8n-server/demo.mjs';
import { idLocator } from '../workflows.mjs';

/** @typedef {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} N8nClient */
/** @typedef {import('../../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */

/**
 * n8n refuses an expression that is due more than once a minute, but takes any number of them.
 *
 * @param {number} seconds
 */
export const everySeconds = (seconds) =>
	Array.from({ length: 60 / seconds }, (_, index) => `${seconds * index} * * * * *`);

const BY_HAND = 'When clicking ‘Execute workflow’';

/**
 * The item that n8n's chat starts a workflow with.
 *
 * @param {string} sessionId of the conversation
 */
export const chatMessage = (sessionId, chatInput = 'Please.') => ({
	json: { sessionId, action: 'sendMessage', chatInput },
});

/** @param {string[]} cron */
export const pollTimes = (cron) => ({
	item: cron.map((cronExpression) => ({ mode: 'custom', cronExpression })),
});

/**
 * Imports a copy of an example for one test alone, as it is but for what the test names.
 *
 * @param {Pick<import('node:test').TestContext, 'name' | 'after'>} t at whose end the copy is stopped
 * @param {N8nClient} n8n
 * @param {string} file such as "accounting-ledger.json"
 * @param {object} [options]
 * @param {CredentialReference[]} [options.credentials]
 * @param {Record<string, Record<string, unknown>>} [options.parameters] that differ, by name of the node
 * @param {Record<string, object>} [options.nodes] what differs of nodes beside their parameters, by name
 * @param {object} [options.settings] of the workflow, that differ
 */
export async function importCopy(t, n8n, file, options = {}) {
	const { credentials = [], parameters = {}, nodes = {}, settings = {} } = options;
	const example = (await readExamples()).find((candidate) => candidate.file === file);
	assert.ok(example, `there is no examples/${file}`);
	const copy = withCredentials(example.workflow, credentials);
	const node = (/** @type {string} */ name) => {
		const found = copy.nodes.find((candidate) => candidate.name === name);
		assert.ok(found, `examples/${file} has no node "${name}"`);
		return found;
	};
	for (const [name, changes] of Object.entries(parameters))
		Object.assign(node(name).parameters, changes);
	for (const [name, changes] of Object.entries(nodes)) Object.assign(node(name), changes);
	// n8n 1 finds a data table by its ID alone; newer ones take the first of which the name contains that of the node.
	for (const { parameters: own } of copy.nodes) {
		const { value } = /** @type {{ value?: string }} */ (own['dataTableId'] ?? {});
		const table = value && (await n8n.dataTable(value));
		if (table) own['dataTableId'] = idLocator(table.id);
	}
	// No two workflows may listen at the same address.
	const path = randomUUID();
	for (const each of copy.nodes) {
		if (each.webhookId) each.webhookId = randomUUID();
		const options = /** @type {object} */ (each.parameters['options'] ?? {});
		for (const place of [each.parameters, options])
			if ('path' in place) Object.assign(place, { path });
	}
	const { id } = await n8n.createWorkflow({
		name: t.name,
		nodes: copy.nodes,
		connections: copy.connections,
		settings: { ...copy.settings, ...settings },
	});
	t.after(() => n8n.unpublish(id));
	return {
		id,
		path,
		publish: async () => await n8n.publish(id),
		/** Runs it by hand, or from another trigger, which may give an item. */
		run: async (trigger = BY_HAND, item) => await n8n.run(id, { trigger, item }),
		/** The same, which has to succeed. */
		async succeed(trigger = BY_HAND, item) {
			const execution = await n8n.run(id, { trigger, item });
			assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
			return execution;
		},
		/** @returns newest first, without their data */
		executions: async () => await n8n.executions(id),
	};
}

/**
 * @param {N8nClient} n8n
 * @param {import('../../../../scripts/n8n-server/client/types.mjs').Execution} execution
 * @param {string} node that made the file
 * @param {string} name that it has to have, and its type
 */
export async function fileOf(n8n, execution, node, name, mimeType = 'text/csv') {
	const file = outputOf(execution, node)[0]?.binary?.['data'] ?? assert.fail(`${node}: no file`);
	assert.deepEqual([file.fileName, file.mimeType], [name, mimeType]);
	return await n8n.readFile(file);
}
