import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { importCopy } from '../support/examples/exampleCopy.mjs';
import { answerOfForm } from '../support/examples/forms.mjs';
import { connect, startService } from '../support/session.mjs';

const { n8n } = connect();

test('the form is answered with the link, once for each order, and with what is wrong where there is none', async (t) => {
	const { sandbox, credential } = await startService(n8n, { counts: { links: 0 } });
	const path = randomUUID();
	const flow = await importCopy(t, n8n, 'payment-link-from-form.json', {
		credential,
		parameters: { 'A link is asked for': { options: { path } } },
	});
	await flow.publish();
	/**
	 * @param {string} order
	 * @param {string} amount
	 * @returns {Promise<string>} the page that answers
	 */
	const fillIn = async (order, amount) => {
		const values = [order, 'Workshop', amount, 'EUR', '3', 'See you <soon>'];
		return await answerOfForm(`${n8n.baseUrl}/form/${path}`, values);
	};
	const links = () => sandbox.store.links.all();

	assert.match(await fillIn('A-1', '12,50'), /Amount[^]* is [^]*12,50/);
	assert.deepEqual(links(), []);

	const page = await fillIn('A-1', '12.50');
	const [{ link } = assert.fail(page)] = links();
	assert.ok(page.includes(link.url), page);
	assert.deepEqual(
		[link.amount, link.currency, link.title, link.note, link.payment_expiry_limit],
		['37.50', 'EUR', 'Order A-1', 'See you <soon>', 1],
	);

	assert.match(await fillIn('A-1', '12.50'), /There is no link to show[^]*Idempotency Key/);
	assert.equal(links().length, 1);
	await fillIn('A-2', '12.50');
	assert.equal(links().length, 2);
});
