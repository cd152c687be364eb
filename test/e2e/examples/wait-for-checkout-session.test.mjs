import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { parse as parseFlatted } from 'flatted';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { submitForm } from '../support/examples/forms.mjs';
import { startOwnServers } from '../support/ownServers.mjs';
import { until } from '../support/until.mjs';

/** @typedef {import('../../../contract/schemas/checkoutSession.js').CheckoutSession} CheckoutSession */

const WAIT = 'Wait, longer each time';
const FORM = 'A session is to be watched';
const MINUTE_MS = 60_000;

/** What "Begin" sets, but for the 24 hours. */
const GIVES_UP_AT_ONCE = {
	assignments: [
		['checkoutSessionId', "={{ $json['Checkout Session ID'] }}"],
		['giveUpAt', '={{ $now.minus({ seconds: 1 }).toISO() }}'],
	].map(([name, value]) => ({ id: name, name, value, type: 'string' })),
};

const servers = await startOwnServers();
const { sandbox } = servers;
const client = () => servers.n8n.client;

/**
 * @param {number} position of those that are open, since each test changes its own
 * @returns {CheckoutSession}
 */
function openSession(position) {
	const session = sandbox.store.checkoutSessions.all().filter(({ status }) => status === 'created')[
		position
	];
	assert.ok(session);
	return session;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} sessionId
 * @param {Record<string, Record<string, unknown>>} [parameters]
 */
async function watch(t, sessionId, parameters = {}) {
	const path = randomUUID();
	const flow = await importCopy(t, client(), 'wait-for-checkout-session.json', {
		credentials: { [CREDENTIAL_TYPE]: servers.n8n.credential },
		parameters: { [FORM]: { options: { path } }, ...parameters },
	});
	await flow.publish();
	const before = looksOf(sessionId);
	await submitForm(`${client().baseUrl}/form/${path}`, [sessionId]);
	const executions = async () => await client().executions(flow.id);
	await until(
		async () => (await executions()).length > 0,
		() => 'the form started nothing',
	);
	const [{ id } = { id: '' }] = await executions();
	/** @returns {Promise<{ status: string, waitTill: string | null }>} */
	const look = async () => await client().request('GET', `/rest/executions/${id}`);
	return {
		/** @returns {Promise<number>} how long it waits from now on */
		async untilWaiting(times = 1) {
			const looks = () => looksOf(sessionId) - before;
			await until(
				async () => looks() === times && (await look()).status === 'waiting',
				async () => `looked ${looks()} times, and is ${(await look()).status}`,
			);
			return Date.parse(String((await look()).waitTill)) - Date.now();
		},
		/** Calls the resume URL, as the page does to which a customer comes back. */
		async lookAtOnce() {
			/** @type {{ data: string }} */
			const { data } = await client().request('GET', `/rest/executions/${id}`);
			const { runData } = parseFlatted(data).resultData;
			const { pathname, search } = new URL(runData[WAIT].at(-1).metadata.resumeUrl);
			const answer = await fetch(client().baseUrl + pathname + search);
			assert.equal(answer.status, 200, await answer.text());
		},
		/** @returns the execution, once it is over */
		end: async () => await client().finishedExecution(id),
	};
}

const looksOf = (/** @type {string} */ sessionId) =>
	sandbox.requests.filter(({ path }) => path === `/v1/checkout/${sessionId}`).length;

test('it looks at growing intervals, and goes on where the session was paid', async (t) => {
	const session = openSession(0);
	const watching = await watch(t, session.id);
	const minutes = [];
	for (const times of [1, 2, 3, 4]) {
		minutes.push(Math.round((await watching.untilWaiting(times)) / MINUTE_MS));
		if (times === 4) session.status = 'paid';
		await watching.lookAtOnce();
	}
	assert.deepEqual(minutes, [1, 2, 4, 8]);
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

test('a restart of n8n while it waits ends nothing, and it goes on by itself', async (t) => {
	const session = openSession(1);
	const soon = { [WAIT]: { resumeAmount: 5, resumeUnit: 'seconds' } };
	const watching = await watch(t, session.id, soon);
	await watching.untilWaiting();
	session.status = 'expired';
	await servers.restartN8n({ isKilled: true });
	const execution = await watching.end();
	assert.equal(execution.status, 'success');
	assert.equal(outputOf(execution, 'Expired')[0]?.json['outcome'], 'expired');
});

test('a cancelled session, one that is open for too long, and one that is not there end it as they should', async (t) => {
	const cancelled = openSession(0);
	cancelled.status = 'cancelled';
	const [one] = outputOf(await (await watch(t, cancelled.id)).end(), 'Cancelled');
	assert.equal(one?.json['outcome'], 'cancelled');

	const open = await watch(t, openSession(0).id, { Begin: { assignments: GIVES_UP_AT_ONCE } });
	const [two] = outputOf(await open.end(), 'Gave up');
	assert.equal(two?.json['why'], 'It is still open after 24 hours.');

	const missing = await (await watch(t, randomUUID())).end();
	assert.equal(missing.status, 'error');
	assert.match(String(missing.data.resultData.error?.message), /checkout session/i);
});

test('a service that is down is asked again', async (t) => {
	const session = openSession(0);
	const match = { path: `/v1/checkout/${session.id}`, times: 1 };
	sandbox.addFault({ match, action: { status: 500 } });
	const watching = await watch(t, session.id);
	await watching.untilWaiting();
	session.status = 'paid';
	await watching.lookAtOnce();
	assert.equal(outputOf(await watching.end(), 'Paid')[0]?.json['outcome'], 'paid');
});
