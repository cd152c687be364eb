import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from './support/session.mjs';

const { n8n } = connect();
const allNodeTypes = await n8n.nodeTypes();
const nodeTypes = allNodeTypes.filter(({ name }) =>
	name.startsWith('n8n-nodes-payment-collection.'),
);

for (const [name, displayName] of [
	['paymentCollection', 'Payment Collection'],
	['paymentCollectionTrigger', 'Payment Collection Trigger'],
]) {
	test(`n8n lists "${displayName}" under its real name`, () => {
		const nodeType = nodeTypes.find(
			(candidate) => candidate.name === `n8n-nodes-payment-collection.${name}`,
		);
		assert.equal(nodeType?.displayName, displayName);
	});
}

test("n8n serves the nodes' icons", async () => {
	const addresses = nodeTypes.flatMap(({ iconUrl }) =>
		typeof iconUrl === 'string' ? [iconUrl] : Object.values(iconUrl ?? {}),
	);
	assert.notEqual(addresses.length, 0);
	for (const address of addresses) {
		const response = await fetch(`${n8n.baseUrl}/${address}`);
		assert.equal(response.status, 200, address);
		assert.match(response.headers.get('content-type') ?? '', /svg/, address);
	}
});

test('the trigger simplifies its output unless it is told not to', () => {
	const trigger = nodeTypes.find(({ name }) => name.endsWith('.paymentCollectionTrigger'));
	const simplify = trigger?.properties.find(({ name }) => name === 'simplify');
	assert.equal(simplify?.default, true);
});

const NODE = 'n8n-nodes-payment-collection.paymentCollection';
const named = (/** @type {string} */ name) => nodeTypes.find((each) => each.name === name);
const node = named(NODE);
const tool = named(`${NODE}Tool`);

test('n8n makes a tool of the node', () => {
	assert.equal(tool?.displayName, 'Payment Collection Tool');
	assert.ok(tool?.properties.some(({ name }) => name === 'toolNotice'));
});

// Up to 2.20, n8n takes their words from all tools that it makes of nodes, from its own too.
const ofN8n = allNodeTypes.find(({ name }) => name === 'n8n-nodes-base.cryptoTool');
const skip = ofN8n?.codex?.alias === undefined && 'this n8n finds no tool by such words';

test('the tool is found by the same words as the node', { skip }, () => {
	assert.ok(node?.codex?.alias?.includes('payment links'));
	assert.deepEqual(tool?.codex?.alias, node?.codex?.alias);
});
