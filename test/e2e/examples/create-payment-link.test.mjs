import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { connect, startService } from '../support/session.mjs';

const { n8n } = connect();

test('the workflow creates exactly one link, which the service has, and hands on what to send', async (t) => {
	const { sandbox, credential } = await startService(n8n, { counts: { links: 0 } });
	const flow = await importCopy(t, n8n, 'create-payment-link.json', { credential });
	const execution = await flow.succeed();

	const [{ link } = assert.fail('there is no link'), ...others] = sandbox.store.links.all();
	assert.deepEqual(others, []);
	assert.deepEqual(
		outputOf(execution, 'Keep what to send').map(({ json }) => json),
		[{ url: link.url, amount: link.amount, currency: link.currency, linkId: link.id }],
	);
	assert.deepEqual(
		[link.title, link.currency, link.amount, link.payment_expiry_limit],
		['Consulting in November', 'USD', '275.50', 1],
	);
	assert.deepEqual(
		link.items.map(({ name, amount, quantity }) => ({ name, amount, quantity })),
		[
			{ name: 'Consulting, one hour', amount: '120.00', quantity: 2 },
			{ name: 'Travel', amount: '35.50', quantity: 1 },
		],
	);
});
