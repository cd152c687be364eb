import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { runExample } from '../support/examples/runExample.mjs';
import { connect } from '../support/session.mjs';

const { n8n, sandbox } = connect();

test('the workflow "Create a payment link" creates a link that the service has', async () => {
	const execution = await runExample(n8n, 'create-payment-link.json');

	const [item] = outputOf(execution, 'Keep what to send');
	assert.ok(item);
	const link = await sandbox.link(String(item.json['linkId']));
	assert.deepEqual(item.json, {
		url: link.url,
		amount: link.amount,
		currency: link.currency,
		linkId: link.id,
	});
	assert.equal(link.title, 'Consulting in November');
	assert.equal(link.currency, 'USD');
	assert.equal(link.payment_expiry_limit, 1);
	assert.deepEqual(
		link.items.map(({ name, amount, quantity }) => ({ name, amount, quantity })),
		[
			{ name: 'Consulting, one hour', amount: '120.00', quantity: 2 },
			{ name: 'Travel', amount: '35.50', quantity: 1 },
		],
	);
});

test('each run of the workflow creates exactly one link', async () => {
	await sandbox.forgetRequests();
	await runExample(n8n, 'create-payment-link.json');
	const requests = await sandbox.requests();
	assert.deepEqual(
		requests.map(({ method, path }) => `${method} ${path}`),
		['POST /v1/links'],
	);
});
