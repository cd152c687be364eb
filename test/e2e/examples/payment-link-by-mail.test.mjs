import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';

import { startMailbox } from '../../../scripts/demo/mailbox.mjs';
import { headerCredential, smtpCredential } from '../../../scripts/n8n-server/demo.mjs';
import { n8n, startExample } from '../support/session.mjs';
import { until } from '../support/until.mjs';

const HEADER = { name: 'X-Order-Key', value: randomUUID() };
const header = await n8n.createCredential(headerCredential(HEADER));

const ORDER = {
	order: '1042',
	currency: 'EUR',
	email: 'ana@example.com',
	name: 'Ana Ruiz',
	lines: [
		{ name: 'Tea cup', amount: '12.50', quantity: 2 },
		{ name: 'Saucer', amount: 4, quantity: 1 },
	],
};

/**
 * The example, a service and a mailbox for one test alone.
 *
 * @param {import('node:test').TestContext} t
 */
async function startShop(t) {
	const mailbox = await startMailbox();
	after(mailbox.close);
	const smtp = await n8n.createCredential(smtpCredential(mailbox.smtp));
	const { sandbox, flow } = await startExample(
		t,
		'payment-link-by-mail.json',
		{ counts: { links: 0 } },
		{
			credentials: [header, smtp],
			nodes: { 'Email the link': { retryOnFail: false } },
		},
	);
	await flow.publish();
	return {
		/** Disturbs the next link. @param {import('../../../sandbox/index.js').FaultAction} action */
		disturb: (action) =>
			sandbox.addFault({ match: { method: 'POST', path: '/v1/links', times: 1 }, action }),
		mailbox,
		smtp,
		links: () => sandbox.store.links.all().map(({ link }) => link),
		/** @param {object} order @param {string} [key] */
		async send(order, key = HEADER.value) {
			const response = await fetch(`${n8n.baseUrl}/webhook/${flow.path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', [HEADER.name]: key },
				body: JSON.stringify(order),
			});
			const text = await response.text();
			return { status: response.status, text, body: response.ok ? JSON.parse(text) : {} };
		},
		/** @param {number} count of executions that have ended by then; the newest comes first */
		async ended(count) {
			return await until(async () => {
				const all = await flow.executions();
				const over = all.filter(({ status }) => ['success', 'error'].includes(status));
				assert.ok(over.length >= count, `not over: ${JSON.stringify(all)}`);
				return over;
			}, 60_000);
		},
	};
}

test('an order gets one link and one email, however often it is delivered', async (t) => {
	const { send, links, mailbox, ended } = await startShop(t);

	assert.equal((await send(ORDER, 'another key')).status, 403);
	assert.deepEqual(links(), []);

	const first = await send(ORDER);
	const [link = assert.fail(first.text)] = links();
	assert.deepEqual(
		[link.amount, link.currency, link.title, link.note, link.payment_expiry_limit],
		['29.00', 'EUR', 'Order 1042', 'Order 1042', 1],
	);
	const { url, amount, currency } = link;
	assert.deepEqual(
		[first.status, first.body],
		[201, { order: '1042', status: 'created', url, amount, currency }],
	);
	const again = await send(ORDER);
	assert.deepEqual([again.status, again.body.status], [200, 'already']);
	const other = await send({ ...ORDER, lines: ORDER.lines.slice(1) });
	assert.equal(other.status, 500);
	assert.match(other.text, /used for something else/);

	assert.deepEqual(
		(await ended(3)).map(({ status }) => status),
		['error', 'success', 'success'],
	);
	assert.equal(links().length, 1);
	const [mail = assert.fail('no mail came'), ...others] = mailbox.mails;
	assert.deepEqual(others, []);
	assert.deepEqual([mail.to, mail.subject], ['ana@example.com', 'Payment for your order 1042']);
	assert.match(mail.html, /Hello Ana Ruiz,[^]*29\.00 EUR/);
	assert.ok(mail.html.includes(`href="${url}"`), mail.html);
});

test('each delivery of an order fails while it is unknown whether its link was created', async (t) => {
	const { disturb, send, links, mailbox, ended } = await startShop(t);
	disturb({ reset: true, afterExecuting: true });
	const first = await send(ORDER);
	assert.deepEqual([first.status, JSON.parse(first.text).status], [500, 'failed']);
	assert.match(first.text, /UNKNOWN/);
	const again = await send(ORDER);
	assert.deepEqual([again.status, JSON.parse(again.text).status], [500, 'failed']);
	assert.match(again.text, /in doubt/);
	const over = await ended(2);
	assert.deepEqual(
		over.map(({ status }) => status),
		['error', 'error'],
	);
	assert.equal(links().length, 1);
	assert.deepEqual(mailbox.mails, []);
});

test('an order that is delivered again while its link is created gets the same result', async (t) => {
	const { disturb, send, links } = await startShop(t);
	const delivered = async (/** @type {object} */ action) => {
		disturb({ delayMs: 1_500, ...action });
		const order = { ...ORDER, order: randomUUID() };
		const answers = await Promise.all([send(order), send(order)]);
		return answers.map(({ status }) => status).sort();
	};
	assert.deepEqual(await delivered({ afterExecuting: true }), [200, 201]);
	assert.deepEqual(await delivered({ reset: true, afterExecuting: true }), [500, 500]);
	assert.equal(links().length, 2);
});

test('a link without a URL is an error with its ID', async (t) => {
	const { disturb, send, links, mailbox, ended } = await startShop(t);
	const id = randomUUID();
	disturb({ status: 200, body: { id } });
	const { status, text } = await send(ORDER);
	assert.deepEqual([status, JSON.parse(text).status], [500, 'failed']);
	assert.ok(text.includes(id), text);
	assert.equal((await ended(1))[0]?.status, 'error');
	assert.deepEqual([links(), mailbox.mails], [[], []]);
});

test('a buyer’s input sends no markup, link or second email, and wrong orders are refused', async (t) => {
	const { send, links, mailbox, ended } = await startShop(t);
	const hostile = {
		...ORDER,
		name: '<a href="http://evil.example">Win</a>\r\nBcc: eve@example.com',
	};
	await send(hostile);
	await ended(1);
	const [{ html, to } = assert.fail('no mail came')] = mailbox.mails;
	assert.equal(to, 'ana@example.com');
	assert.doesNotMatch(html, /evil\.example|&#60;|eve@/);
	assert.match(html, /Hello a href http evil example Win a Bcc eve example com,/);

	const emails = [
		'',
		'ana',
		'a@example.com,b@example.com',
		'Ana <ana@example.com>',
		'a@b.c\nBcc: d@e.f',
	];
	for (const email of emails) {
		const { status, text } = await send({ ...ORDER, order: '7', email });
		assert.deepEqual([status, JSON.parse(text).status], [400, 'refused'], email);
	}
	for (const order of ['', 'http://evil.example', 'x'.repeat(41)])
		assert.equal((await send({ ...ORDER, order })).status, 400, order);
	for (const lines of [
		undefined,
		[],
		'a cup',
		[{ name: 'Tea cup', amount: '12,50', quantity: 1 }],
	]) {
		const { status, text } = await send({ ...ORDER, order: '8', lines });
		assert.equal(status, 500, text);
		assert.match(text, /Items/);
	}
	await ended(1 + emails.length + 3 + 4);
	assert.equal(links().length, 1);
	assert.equal(mailbox.mails.length, 1);

	// A refusal has not used up the order's number.
	assert.equal((await send({ ...ORDER, order: 8 })).status, 201);
});

test('a retry of the execution sends a failed email, without a second link', async (t) => {
	const { send, links, mailbox, smtp, ended } = await startShop(t);
	mailbox.close();
	assert.equal((await send(ORDER)).status, 201);
	const [failed] = await ended(1);
	assert.equal(failed?.status, 'error');

	const repaired = await startMailbox();
	after(repaired.close);
	await n8n.request('PATCH', `/rest/credentials/${smtp.id}`, smtpCredential(repaired.smtp));
	await n8n.request('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: false });
	await ended(2);
	const [link = assert.fail('there is no link'), ...others] = links();
	assert.deepEqual(others, []);
	assert.deepEqual(
		repaired.mails.map(({ html }) => html.includes(link.url)),
		[true],
	);
});
