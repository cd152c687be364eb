import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readExamples } from '../../scripts/n8n-server/demo.mjs';
import { NODE_TYPE } from './support/workflows.mjs';
import { n8n } from './support/session.mjs';

const nodeTypes = await n8n.nodeTypes();
const named = (/** @type {string} */ name) => nodeTypes.find((each) => each.name === name);

/** @type {[name: string, displayName: string][]} */
const OURS = [
	[NODE_TYPE, 'Payment Collection'],
	[`${NODE_TYPE}Trigger`, 'Payment Collection Trigger'],
	[`${NODE_TYPE}Tool`, 'Payment Collection Tool'],
];

test('n8n lists the node, its trigger and its tool, each with an icon', async () => {
	for (const [name, displayName] of OURS) {
		const nodeType = named(name);
		assert.equal(nodeType?.displayName, displayName);
		const { iconUrl = {} } = nodeType;
		const addresses = typeof iconUrl === 'string' ? [iconUrl] : Object.values(iconUrl);
		assert.notEqual(addresses.length, 0, name);
		for (const address of addresses) {
			const response = await fetch(`${n8n.baseUrl}/${address}`);
			assert.equal(response.status, 200, address);
			assert.match(response.headers.get('content-type') ?? '', /svg/, address);
		}
	}
});

// Up to 2.20, n8n takes their words from all tools that it makes of nodes, from its own too.
const skip =
	named('n8n-nodes-base.cryptoTool')?.codex?.alias === undefined &&
	'this n8n finds no tool by such words';

test('the tool is found by the same words as the node', { skip }, () => {
	const alias = named(NODE_TYPE)?.codex?.alias;
	assert.ok(alias?.includes('payment links'));
	assert.deepEqual(named(`${NODE_TYPE}Tool`)?.codex?.alias, alias);
});

const hasHumanReview = nodeTypes.some(({ name }) => name.endsWith('HitlTool'));

// n8n imports a workflow with a version that it does not have, and fails once that node is run.
test('n8n has every node of the examples, in the version that they name', async () => {
	const examples = await readExamples();
	assert.notEqual(examples.length, 0);
	for (const { file, workflow } of examples) {
		for (const { name, type, typeVersion = 1 } of workflow.nodes) {
			if (!hasHumanReview && type.endsWith('HitlTool')) continue;
			const has = nodeTypes.some(
				(each) => each.name === type && [each.version].flat().includes(typeVersion),
			);
			assert.ok(has, `${file}: ${name} (${type} ${typeVersion})`);
		}
	}
});
