import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { submitForm } from '../support/examples/forms.mjs';
import { n8n, startExample } from '../support/session.mjs';
import { until } from '../support/until.mjs';

/**
 * A service and a copy of the example for one test alone.
 *
 * @param {import('node:test').TestContext} t
 */
async function startDesk(t) {
	const { sandbox, flow } = await startExample(t, 'refund-with-approval.json', {
		counts: { charges: 0 },
	});
	await flow.publish();
	const table = await n8n.dataTable('refund_requests');
	assert.ok(table);

	/** @param {string} ticket */
	const requests = async (ticket) =>
		(await n8n.rowsOf(table)).filter((row) => row['ticket'] === ticket);
	/**
	 * @param {string} ticket
	 * @param {string} state
	 */
	const untilState = async (ticket, state) =>
		await until(async () => {
			const states = (await requests(ticket)).map((row) => row['state']);
			assert.ok(states.includes(state), `"${state}" was expected of ${states}`);
		}, 20_000);
	return {
		sandbox,
		flow,
		requests,
		untilState,
		/**
		 * @param {{ charge: string, amount: string, ticket: string }} request
		 * @returns {Promise<string>} where it is decided on
		 */
		async ask({ charge, amount, ticket }) {
			const before = (await requests(ticket)).length;
			const answer = await submitForm(`${n8n.baseUrl}/form/${flow.path}`, [
				charge,
				amount,
				ticket,
				'It broke',
			]);
			// n8n leads from a form to the next one by itself: who asks must not get where it is decided on.
			assert.doesNotMatch(answer.text, /form-waiting/);
			const request = await until(
				async () =>
					(await requests(ticket))[before] ?? assert.fail('the request is not in the table'),
			);
			await until(async () => assert.notEqual((await flow.executions())[0]?.status, 'running'));
			return String(request['link']);
		},
		/** @returns what was paid back, by the service itself */
		refunds: () =>
			sandbox.requests
				.filter(({ method, path }) => method === 'POST' && path.endsWith('/refund'))
				.map(({ body }) => body),
		refundTotal: (/** @type {string} */ id) => sandbox.store.charges.get(id)?.charge.refund_total,
	};
}

test('a refund that is approved is paid back once, however often and in however many windows it is approved', async (t) => {
	const { sandbox, ask, untilState, requests, refunds, refundTotal } = await startDesk(t);
	const { id, source } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
	const ticket = randomUUID();
	const link = await ask({ charge: id, amount: '12.50', ticket });
	assert.deepEqual(refunds(), []);

	const form = await (await fetch(link)).text();
	assert.match(form, /Refund 12\.50 USD of 100\.00 USD\? Already refunded: 0\.00/);
	const approve = async () => await submitForm(link, ['Approve']).catch(() => undefined);
	const clicks = [approve(), approve(), approve()];
	await untilState(ticket, 'refunded');
	await Promise.all([...clicks, approve()]);
	const [request] = await requests(ticket);
	assert.equal(request?.['message'], 'Refunded in total: 12.50 USD. Remaining: 87.50.');
	assert.equal(request?.['payer'], source.card_holder_name);
	assert.equal(refunds().length, 1);
	assert.equal(refundTotal(id), '12.50');
});

test('an approval that comes after somebody else has refunded sends nothing, and says so', async (t) => {
	const { sandbox, flow, ask, untilState, requests, refunds, refundTotal } = await startDesk(t);
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
	const ticket = randomUUID();
	const link = await ask({ charge: id, amount: '12.50', ticket });
	sandbox.refundCharge(id, '12.50');

	await submitForm(link, ['Approve']);
	await untilState(ticket, 'not refunded');
	const [request] = await requests(ticket);
	assert.match(String(request?.['message']), /12\.50.*refunded/);
	assert.deepEqual(refunds(), []);
	assert.equal(refundTotal(id), '12.50');
	await until(async () => assert.equal((await flow.executions())[0]?.status, 'error'));
});

test('a request that is delivered again is not paid back again', async (t) => {
	const { sandbox, ask, untilState, requests, refunds } = await startDesk(t);
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
	const ticket = randomUUID();
	await submitForm(await ask({ charge: id, amount: '12.50', ticket }), ['Approve']);
	await untilState(ticket, 'refunded');
	await submitForm(await ask({ charge: id, amount: '12.50', ticket }), ['Approve']);
	await untilState(ticket, 'not refunded');
	assert.match(String((await requests(ticket)).at(-1)?.['message']), /Idempotency Key/);
	assert.equal(refunds().length, 1);
});

test('a refund that is declined, or asked for a charge that is not there, sends nothing', async (t) => {
	const { sandbox, ask, untilState, refunds } = await startDesk(t);
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
	const ticket = randomUUID();
	await submitForm(await ask({ charge: id, amount: '12.50', ticket }), ['Decline']);
	await untilState(ticket, 'declined');
	await ask({ charge: randomUUID(), amount: '12.50', ticket });
	await untilState(ticket, 'not possible');
	assert.deepEqual(refunds(), []);
});
