import assert from 'node:assert/strict';

import { readExamples } from '../../../../scripts/n8n-server/demo.mjs';

/**
 * Runs a workflow of examples/, which n8n has imported, from its manual trigger.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n
 * @param {string} file such as "create-payment-link.json"
 * @returns {Promise<import('../../../../scripts/n8n-server/client/types.mjs').Execution>} one that succeeded
 */
export async function runExample(n8n, file) {
	const example = (await readExamples()).find((candidate) => candidate.file === file);
	assert.ok(example, `there is no examples/${file}`);
	const trigger = example.workflow.nodes.find(
		({ type }) => type === 'n8n-nodes-base.manualTrigger',
	);
	assert.ok(trigger, `examples/${file} has no manual trigger`);
	const execution = await n8n.run(example.workflow.id, { trigger: trigger.name });
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
	return execution;
}
