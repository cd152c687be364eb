import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { asUser, submitForm } from '../support/examples/forms.mjs';
import { n8n, startExample, USER } from '../support/session.mjs';
import { until } from '../support/until.mjs';

/**
 * A service with a charge, and a copy of the example, for one test and one ticket alone.
 *
 * @param {import('node:test').TestContext} t
 */
async function startDesk(t) {
	const { sandbox, flow } = await startExample(t, 'refund-with-approval.json', {
		counts: { charges: 0 },
	});
	await flow.publish();
	const { id, source } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
	const ticket = randomUUID();
	const requests = async () =>
		(await n8n.rowsOf('refund_requests')).filter((row) => row['ticket'] === ticket);
	return {
		flow,
		payer: source.card_holder_name,
		requests,
		/** @param {string} state */
		untilState: async (state) =>
			await until(async () => {
				const states = (await requests()).map((row) => row['state']);
				assert.ok(states.includes(state), `"${state}" was expected of ${states}`);
			}, 20_000),
		/** @returns {Promise<string>} URL of the decision */
		async ask({ charge = id, amount = '12.50', reason = 'It broke' } = {}) {
			const before = (await requests()).length;
			const values = [charge, amount, ticket, reason];
			const answer = await submitForm(`${n8n.baseUrl}/form/${flow.path}`, values);
			// n8n redirects from a form to the next one: the requester must not reach the decision.
			assert.doesNotMatch(answer.text, /form-waiting/);
			const request = await until(
				async () => (await requests())[before] ?? assert.fail('the request is not in the table'),
			);
			await until(async () => assert.notEqual((await flow.executions())[0]?.status, 'running'));
			return String(request['link']);
		},
		/** @param {string} link @param {string} decision */
		decide: async (link, decision) => await submitForm(link, [decision], USER),
		/** Refunds the charge without the example. */
		refundElsewhere: () => sandbox.refundCharge(id, '12.50'),
		/** @returns how many refunds were sent, and how much is refunded, by the service itself */
		refunded: () => ({
			sent: sandbox.requests.filter(({ method }) => method === 'POST').length,
			total: sandbox.store.charges.get(id)?.charge.refund_total,
		}),
	};
}

test('an approved refund is sent once, even if it is approved in several windows or requested again', async (t) => {
	const { ask, decide, untilState, requests, payer, refunded } = await startDesk(t);
	const reason = '<h1>Refund of 1.00</h1><a href="https://example.com">it’s</a> &lt; \u202E "x"';
	const link = await ask({ reason });
	assert.deepEqual(refunded(), { sent: 0, total: '0.00' });

	const form = await (await fetch(link, { headers: asUser(USER) })).text();
	assert.match(form, /Refund 12\.50 USD of 100\.00 USD\? Already refunded: 0\.00/);
	// All that was entered is on the page as text.
	assert.doesNotMatch(form, /<h1>Refund of|<a href="https:..example|\u202E/);
	assert.match(form, /&lt;h1&gt;Refund of 1\.00&lt;\/h1&gt;.*it’s&lt;\/a&gt; &amp;lt;/);
	const approve = async () => await decide(link, 'Approve').catch(() => undefined);
	const clicks = [approve(), approve(), approve()];
	await untilState('refunded');
	await Promise.all([...clicks, approve()]);
	const [request] = await requests();
	assert.equal(request?.['message'], 'Refunded in total: 12.50 USD. Remaining: 87.50.');
	assert.equal(request?.['payer'], payer);

	await decide(await ask(), 'Approve');
	await untilState('not refunded');
	assert.match(String((await requests()).at(-1)?.['message']), /Idempotency Key/);
	assert.deepEqual(refunded(), { sent: 1, total: '12.50' });
});

test('an approval after another refund of the charge sends nothing, and says why', async (t) => {
	const { flow, ask, decide, untilState, requests, ...desk } = await startDesk(t);
	const link = await ask();
	desk.refundElsewhere();
	await decide(link, 'Approve');
	await untilState('not refunded');
	assert.match(String((await requests())[0]?.['message']), /12\.50.*refunded/);
	assert.deepEqual(desk.refunded(), { sent: 0, total: '12.50' });
	await until(async () => assert.equal((await flow.executions())[0]?.status, 'error'));
});

test('a refund that is declined, or of a charge that doesn’t exist, sends nothing', async (t) => {
	const { ask, decide, untilState, refunded } = await startDesk(t);
	await decide(await ask(), 'Decline');
	await untilState('declined');
	await ask({ charge: randomUUID() });
	await untilState('not possible');
	assert.equal(refunded().sent, 0);
});

test('no one without the approvers’ password sees or approves a request, at any URL of its execution', async (t) => {
	const { flow, ask, refunded } = await startDesk(t);
	const link = await ask({ amount: '100.00' });
	assert.match(String((await fetch(link)).headers.get('www-authenticate')), /^Basic/);
	const [{ id } = assert.fail('nothing waits')] = await flow.executions();
	// Before n8n 2.16, the number of an execution is enough, and anyone can guess it.
	const urls = ['form', 'webhook'].flatMap((kind) =>
		[new URL(link).search, ''].map((search) => `${n8n.baseUrl}/${kind}-waiting/${id}${search}`),
	);
	const body = new FormData();
	body.append('field-0', 'Approve');
	const approval = { method: 'POST', body };
	for (const url of urls)
		for (const headers of [undefined, asUser({ ...USER, password: 'guessed' })])
			for (const request of [{}, approval]) {
				const { status } = await fetch(url, { headers, ...request });
				assert.ok(status >= 300, `${url}: ${status}`);
			}
	assert.equal((await flow.executions())[0]?.status, 'waiting');
	assert.equal(refunded().sent, 0);
});
