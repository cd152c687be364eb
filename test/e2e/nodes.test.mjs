import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from './support/session.mjs';

const { n8n } = connect();
const nodeTypes = (await n8n.nodeTypes()).filter(({ name }) =>
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

test('n8n makes a tool of the node, which is found by the same words', () => {
	const name = 'n8n-nodes-payment-collection.paymentCollection';
	const node = nodeTypes.find((candidate) => candidate.name === name);
	const tool = nodeTypes.find((candidate) => candidate.name === `${name}Tool`);
	assert.equal(tool?.displayName, 'Payment Collection Tool');
	assert.ok(node?.codex?.alias?.includes('payment links'));
	assert.deepEqual(tool?.codex?.alias, node?.codex?.alias);
	assert.ok(tool?.properties.some(({ name }) => name === 'toolNotice'));
});
