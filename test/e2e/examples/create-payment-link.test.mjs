import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { startExample } from '../support/session.mjs';

test('the workflow creates one link, and passes on its URL and amount', async (t) => {
	const { sandbox, flow } = await startExample(t, 'create-payment-link.json', {
		counts: { links: 0 },
	});
	const execution = await flow.succeed();

	const [{ link } = assert.fail('there is no link'), ...others] = sandbox.store.links.all();
	assert.deepEqual(others, []);
	assert.deepEqual(
		outputOf(execution, 'Keep what to send').map(({ json }) => json),
		[{ url: link.url, amount: link.amount, currency: link.currency, linkId: link.id }],
	);
	assert.deepEqual(
		[link.title, link.currency, link.amount, link.payment_expiry_limit, link.items.length],
		['Consulting in November', 'USD', '275.50', 1, 2],
	);
});
