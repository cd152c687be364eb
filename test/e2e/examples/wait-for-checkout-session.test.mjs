import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { parse as parseFlatted } from 'flatted';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { submitForm } from '../support/examples/forms.mjs';
import { n8n, startService } from '../support/session.mjs';
import { until } from '../support/until.mjs';

/** @typedef {import('../../../contract/schemas/checkoutSession.js').CheckoutSession} CheckoutSession */

const WAIT = 'Wait, longer each time';
const MINUTE_MS = 60_000;

const { sandbox, credential } = await startService();

/** @returns {CheckoutSession} the first one that is open: each test ends its own */
function openSession() {
	const session = sandbox.store.checkoutSessions.all().find(({ status }) => status === 'created');
	assert.ok(session);
	return session;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} sessionId
 */
async function watch(t, sessionId) {
	const flow = await importCopy(t, n8n, 'wait-for-checkout-session.json', {
		credentials: [credential],
	});
	await flow.publish();
	const before = looksOf(sessionId);
	await submitForm(`${n8n.baseUrl}/form/${flow.path}`, [sessionId]);
	const { id } = await until(
		async () => (await flow.executions())[0] ?? assert.fail('the form started nothing'),
	);
	/** @returns {Promise<{ status: string, waitTill: string | null }>} */
	const look = async () => await n8n.request('GET', `/rest/executions/${id}`);
	return {
		/** @returns {Promise<number>} remaining milliseconds of the wait */
		async untilWaiting(times = 1) {
			return await until(async () => {
				const { status, waitTill } = await look();
				assert.deepEqual([looksOf(sessionId) - before, status], [times, 'waiting']);
				return Date.parse(String(waitTill)) - Date.now();
			});
		},
		/** Calls the resume URL, as the page to which the customer returns does. */
		async lookAtOnce() {
			/** @type {{ data: string }} */
			const { data } = await n8n.request('GET', `/rest/executions/${id}`);
			const { runData } = parseFlatted(data).resultData;
			const { pathname, search } = new URL(runData[WAIT].at(-1).metadata.resumeUrl);
			const answer = await fetch(n8n.baseUrl + pathname + search);
			assert.equal(answer.status, 200, await answer.text());
		},
		/** @returns the execution, once it is over */
		end: async () => await n8n.finishedExecution(id),
	};
}

const looksOf = (/** @type {string} */ sessionId) =>
	sandbox.requests.filter(({ path }) => path === `/v1/checkout/${sessionId}`).length;

test('it polls at growing intervals, also while the service is down, and continues once the session is paid', async (t) => {
	const session = openSession();
	const watching = await watch(t, session.id);
	const minutes = [];
	for (const times of [1, 2, 3]) {
		minutes.push(Math.round((await watching.untilWaiting(times)) / MINUTE_MS));
		if (times === 1)
			sandbox.addFault({
				match: { path: `/v1/checkout/${session.id}`, times: 1 },
				action: { status: 500 },
			});
		if (times === 3) session.status = 'paid';
		await watching.lookAtOnce();
	}
	assert.deepEqual(minutes, [1, 2, 4]);
	const execution = await watching.end();
	assert.equal(execution.status, 'success');
	assert.deepEqual(
		outputOf(execution, 'Paid').map(({ json }) => json),
		[
			{
				outcome: 'paid',
				checkoutSessionId: session.id,
				reference_id: session.reference_id,
				charges: session.charges.map(({ id }) => id),
			},
		],
	);
});

test('a cancelled session ends it, and one that doesn’t exist fails it', async (t) => {
	const session = openSession();
	session.status = 'cancelled';
	const [cancelled] = outputOf(await (await watch(t, session.id)).end(), 'Cancelled');
	assert.equal(cancelled?.json['outcome'], 'cancelled');

	const missing = await (await watch(t, randomUUID())).end();
	assert.equal(missing.status, 'error');
	assert.match(String(missing.data.resultData.error?.message), /checkout session/i);
});
