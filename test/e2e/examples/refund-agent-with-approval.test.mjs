import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';

import { startMailbox } from '../../../scripts/demo/mailbox.mjs';
import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { smtpCredential } from '../../../scripts/n8n-server/demo.mjs';
import { KEEPS_WAITING_AGENTS } from '../../../scripts/n8n-server/server.mjs';
import { chatMessage, importCopy } from '../support/examples/exampleCopy.mjs';
import { startScriptedModel } from '../support/examples/scriptedModel.mjs';
import { startOwnServers } from '../support/servers.mjs';
import { until } from '../support/until.mjs';

/** An n8n of this file's own: it is started again while a request waits. */

const CHAT = 'When chat message received';
const LOOK_UP = 'Look_up_charges';
const REFUND = 'Refund_a_charge';

const mailbox = await startMailbox();
after(mailbox.close);
const { n8n, sandbox, credential, restartN8n } = await startOwnServers({
	env: KEEPS_WAITING_AGENTS,
});
const model = await startScriptedModel(n8n);
const smtp = await n8n.createCredential(smtpCredential(mailbox.smtp));
const credentials = [credential, model.credential, smtp];

/** n8n accepts the click of a browser only. */
const HEADERS = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0' };

/**
 * A charge, and a copy of the example for one test alone.
 *
 * @param {import('node:test').TestContext} t
 */
async function startAgent(t) {
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '80.00' });
	const stored = sandbox.store.charges.get(id);
	const flow = await importCopy(t, n8n, 'refund-agent-with-approval.json', { credentials });
	await flow.publish();
	const posts = sandbox.requests.filter(({ method }) => method === 'POST').length;
	return {
		...{ id, flow },
		charge: stored?.charge ?? assert.fail('the charge is not there'),
		/** @param {Record<string, unknown>} input of the tool, where it differs */
		call: (input = {}) => ({
			tool: REFUND,
			input: { chargeId: id, amount: '12.50', summary: 'Ana paid 80 USD. It broke.', ...input },
		}),
		/**
		 * Says something in the chat, and waits until a person is asked by mail.
		 *
		 * @param {import('../support/examples/scriptedModel.mjs').Turn[]} script what the model does
		 */
		async ask(script, sessionId = randomUUID()) {
			model.play(script);
			const before = mailbox.mails.length;
			const item = chatMessage(sessionId);
			const execution = await n8n.start(flow.id, { trigger: CHAT, item });
			const { subject, html } = await until(async () => {
				const { status } = await n8n.request('GET', `/rest/executions/${execution}`);
				assert.equal(status, 'waiting');
				return mailbox.mails[before] ?? assert.fail('no mail came');
			}, 20_000);
			/** @returns what n8n's page says of a click */
			const open = (/** @type {string} */ label) => async () => {
				const [, link = ''] = html.match(new RegExp(`href="([^"]*)"[^>]*>${label}<`)) ?? [];
				// n8n's port is another one after a restart.
				const { pathname, search } = new URL(link);
				const page = await fetch(`${n8n.baseUrl}${pathname}${search}`, { headers: HEADERS });
				return await page.text();
			};
			const [approve, decline] = [open('Approve'), open('Decline')];
			const answer = async () => {
				const ended = await n8n.finishedExecution(execution);
				assert.equal(ended.status, 'success', JSON.stringify(ended.data.resultData.error));
				return outputOf(ended, 'Refund agent')[0]?.json['output'];
			};
			return {
				text: `${subject}\n${html}`,
				approve,
				answer,
				/** Waits for the answer, too. */
				approved: async () => await approve().then(answer),
				declined: async () => await decline().then(answer),
			};
		},
		/** @returns how many refunds were sent, and how much is refunded, by the service itself */
		refunded: () => ({
			sent: sandbox.requests.filter(({ method }) => method === 'POST').length - posts,
			total: sandbox.store.charges.get(id)?.charge.refund_total,
		}),
	};
}

test('the agent’s refund is sent once after its approval by email, however often the link is opened', async (t) => {
	const { id, call, ask, refunded } = await startAgent(t);
	const { text, approve, answer } = await ask([
		[{ tool: LOOK_UP, input: { search: id } }],
		[call()],
		'Done.',
	]);
	assert.deepEqual(refunded(), { sent: 0, total: '0.00' });
	for (const part of ['12.50', id, '0.00 has already been refunded', 'Ana paid 80 USD. It broke.'])
		assert.ok(text.includes(part), text);
	await Promise.all([approve(), approve(), approve()]);
	assert.equal(await answer(), 'Done.');
	assert.match(await approve(), /No action required/);
	assert.match(model.results().at(-1) ?? '', /"refund_total":\s*"12\.50"/);
	assert.deepEqual(refunded(), { sent: 1, total: '12.50' });
});

test('the email shows the service’s data and the sent amount, whatever the model claims', async (t) => {
	const { id, charge, call, ask, refunded } = await startAgent(t);
	Object.assign(charge.source, { card_holder_name: '<b>Ana</b>\u202E\nReference: 1' });
	const claims = {
		payer: 'Bob',
		total: '1.00',
		currency: 'EUR',
		refund_total: '5',
		reference_id: 7,
	};
	const summary = '<b>Bob paid 1.00 EUR</b>\n\nRefund 1.00?';
	const query = { ...claims, chargeId: id, amount: '79.00', summary, conversation: 'x' };
	const hidden = call({ amount: '1.00', ...claims, query });
	const { text, approved } = await ask([[hidden], 'Done.']);
	assert.match(text, /^Approve a refund of 79\.00 USD\?\n/);
	const [shown = ''] = /Refund 79\.00[^]*?(?=<\/p>)/.exec(text) ?? [];
	assert.deepEqual(shown.split('\n'), [
		`Refund 79.00 USD of charge ${id}?`,
		'',
		'Payer: “ b Ana /b   Reference: 1”',
		'Charged: 80.00 USD, of which 0.00 has already been refunded',
		`Reference: ${charge.reference_id}`,
		'',
		'If the refunded total has changed when you approve, nothing is refunded.',
		'',
		'The agent’s own words: “ b Bob paid 1.00 EUR /b   Refund 1.00?”',
	]);
	await approved();
	assert.equal(refunded().total, '79.00');

	const turned = await ask([[call({ amount: '\u202E1.00\u202C' })], 'Done.']);
	assert.match(turned.text, /Refund \?1\.00\? USD of[^]*79\.00 has already been refunded/);
	await turned.declined();
});

test('a refund that the model repeats in a conversation is not sent again, even if it is approved', async (t) => {
	const { id, flow, call, ask, refunded } = await startAgent(t);
	const conversation = randomUUID();
	for (const [index, again] of [
		call(),
		call(),
		call({ chargeId: ` ${id}` }),
		call({ amount: '5' }),
	].entries()) {
		await (await ask([[again], 'Done.'], conversation)).approved();
		if (index > 0) assert.match(model.results().at(-1) ?? '', /Idempotency Key/);
	}
	// It's read from the service first, so no one is asked about another spelling.
	model.play([[call({ chargeId: id.toUpperCase() })], 'Done.']);
	await flow.succeed(CHAT, chatMessage(conversation));
	assert.match(model.results().at(-1) ?? '', /There is no charge with the ID/);
	assert.deepEqual(refunded(), { sent: 1, total: '12.50' });
});

test('two conversations that request the same refund at the same time get it once', async (t) => {
	const { call, ask, refunded } = await startAgent(t);
	const first = await ask([[call()], 'Done.']);
	const second = await ask([[call()], 'Done.']);
	model.play(['Done.', 'Done.']);
	await first.approved();
	await second.approved();
	assert.match(model.results().at(-1) ?? '', /NOT refunded.*has already been refunded/);
	assert.deepEqual(refunded(), { sent: 1, total: '12.50' });
});

test('a refund that is declined or above the limit is not sent, and the model reads why', async (t) => {
	const { call, ask, refunded } = await startAgent(t);
	const declined = await ask([[call()], 'Done.']);
	await declined.declined();
	assert.match(model.results().at(-1) ?? '', /rejected/);
	await declined.approve();

	await (await ask([[call({ amount: '500.01' })], 'Done.'])).approved();
	assert.match(model.results().at(-1) ?? '', /Maximum Amount/);
	assert.deepEqual(refunded(), { sent: 0, total: '0.00' });
});

test('a refund is sent once even if n8n is killed before its approval', async (t) => {
	const { call, ask, refunded } = await startAgent(t);
	const conversation = randomUUID();
	const { approve, answer } = await ask([[call()]], conversation);
	await restartN8n({ isKilled: true });
	model.play(['Done.']);
	await Promise.all([approve(), approve()]);
	assert.equal(await answer(), 'Done.');
	assert.deepEqual(refunded(), { sent: 1, total: '12.50' });

	await (await ask([[call()], 'Done.'], conversation)).approved();
	assert.match(model.results().at(-1) ?? '', /Idempotency Key/);
	assert.deepEqual(refunded(), { sent: 1, total: '12.50' });
});
