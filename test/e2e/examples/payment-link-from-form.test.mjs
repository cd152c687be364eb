import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { answerOfForm } from '../support/examples/forms.mjs';
import { connect } from '../support/session.mjs';

const { n8n, sandbox, credential } = connect();

/** @param {import('node:test').TestContext} t */
async function publishForm(t) {
	const path = randomUUID();
	const flow = await importCopy(t, n8n, 'payment-link-from-form.json', {
		credentials: { [CREDENTIAL_TYPE]: credential },
		parameters: { 'A link is asked for': { options: { path } } },
	});
	await flow.publish();
	await sandbox.forgetRequests();
	/**
	 * @param {Record<string, string>} [changes]
	 * @returns {Promise<string>} the page that answers
	 */
	return async (changes = {}) => {
		const fields = {
			order: 'A-1',
			name: 'Workshop',
			amount: '12.50',
			currency: 'EUR',
			quantity: '3',
		};
		const values = [...Object.values({ ...fields, ...changes }), 'See you <soon>'];
		return await answerOfForm(`${n8n.baseUrl}/form/${path}`, values);
	};
}

const created = async () =>
	(await sandbox.requests()).filter(
		({ method, path }) => method === 'POST' && path === '/v1/links',
	);

test('the form is answered with the link, which the service has, once for each order', async (t) => {
	const fillIn = await publishForm(t);
	const page = await fillIn();
	const [, id = ''] = /\/pay\/([\w-]+)/.exec(page) ?? [];
	const link = await sandbox.link(id);
	assert.ok(page.includes(link.url), page);
	assert.deepEqual(
		[link.amount, link.currency, link.title, link.note, link.payment_expiry_limit],
		['37.50', 'EUR', 'Order A-1', 'See you <soon>', 1],
	);

	assert.match(await fillIn(), /There is no link to show[^]*Idempotency Key/);
	assert.equal((await created()).length, 1);
	await fillIn({ order: 'A-2' });
	assert.equal((await created()).length, 2);
});

test('what is wrong in the form is said, and nothing is sent', async (t) => {
	const fillIn = await publishForm(t);
	assert.match(await fillIn({ amount: '12,50' }), /Amount is [^]*12,50/);
	assert.match(await fillIn({ amount: '1.50', currency: 'JPY' }), /Amount/);
	assert.deepEqual(await created(), []);
	assert.ok((await fillIn()).includes('Your payment link'));
});
