import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerOfForm } from '../support/examples/forms.mjs';
import { n8n, startExample } from '../support/session.mjs';

test('the form shows one link for each order, or what is wrong', async (t) => {
	const { sandbox, flow } = await startExample(t, 'payment-link-from-form.json', {
		counts: { links: 0 },
	});
	await flow.publish();
	const fillIn = async (/** @type {string} */ order, /** @type {string} */ amount) => {
		const values = [order, 'Workshop', amount, 'EUR', '3', 'See you <soon>'];
		return await answerOfForm(`${n8n.baseUrl}/form/${flow.path}`, values);
	};
	const leadsBack = async (/** @type {string} */ page) => {
		const [, url = assert.fail(page)] = /href="([^"]*\/form\/[^"]*)"/.exec(page) ?? [];
		assert.match(await (await fetch(url)).text(), /Create a payment link/);
	};
	const links = () => sandbox.store.links.all();

	const refusal = await fillIn('A-1', '<b>12,50');
	assert.match(refusal, />'Unit price' is "&lt;b&gt;12,50/);
	await leadsBack(refusal);
	assert.doesNotMatch(refusal, /<b>/);
	assert.deepEqual(links(), []);

	const page = await fillIn('A-1', '12.50');
	const [{ link } = assert.fail(page)] = links();
	assert.ok(page.includes(link.url), page);
	await leadsBack(page);
	assert.deepEqual(
		[link.amount, link.currency, link.title, link.note, link.payment_expiry_limit],
		['37.50', 'EUR', 'Order A-1', 'See you <soon>', 1],
	);

	assert.match(
		await fillIn('A-1', '12.50'),
		/There is no link to show[^]*'Order' “A-1” was used before/,
	);
	assert.equal(links().length, 1);
	await fillIn('A-2', '12.50');
	assert.equal(links().length, 2);
});
