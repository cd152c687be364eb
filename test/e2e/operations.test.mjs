import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startSandbox } from '../../scripts/lib/sandbox.mjs';
import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { LINK, NODE_TYPE, nodeOf, TRIGGER } from './support/browser/workflows.mjs';
import { createWorkflowOfOne, outcomeOf } from './support/oneNode.mjs';
import { connect } from './support/session.mjs';

/**
 * Each operation once, and what becomes of those that fail: what differs most between the versions of n8n.
 */

const { n8n } = connect();
/** More charges and customers than a page holds. */
const sandbox = await startSandbox({ counts: { charges: 120, customers: 120 } });
after(() => sandbox.close());
const { store } = sandbox;
const credential = await n8n.createCredential({
	name: 'Each operation once',
	type: CREDENTIAL_TYPE,
	data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
});

/** @typedef {Record<string, unknown>} Json */

/**
 * @param {Json} parameters
 * @param {{ items?: number, onError?: string, retryOnFail?: boolean, maxTries?: number }} [options]
 */
async function run(parameters, { items, ...settings } = {}) {
	const node = { ...nodeOf('Payment Collection', parameters, credential), ...settings };
	const workflow = await createWorkflowOfOne(n8n, node, { items });
	return outcomeOf(await n8n.run(workflow, { trigger: TRIGGER }));
}

const byId = (/** @type {string} */ value) => ({ __rl: true, mode: 'id', value });
const idOf = (/** @type {{ id: string }} */ { id }) => ({ id });
const createdEvent = (/** @type {{ id: string }} */ { id }) => ({
	event: 'charge.created',
	event_id: `charge.created:${id}`,
});
const newCharge = () =>
	sandbox.insertCharge({ currency: 'USD', total: '100.00', refund_total: '0.00', refunds: [] });
const refundTotalOf = (/** @type {{ id: string }} */ { id }) =>
	store.charges.get(id)?.charge.refund_total;

/** @param {(charge: import('../../contract/schemas/charge.js').Charge) => boolean} isWanted */
const charges = (isWanted) =>
	store.charges
		.all()
		.map(({ charge }) => charge)
		.filter(isWanted);

const [customer] = store.customers.all();
const [invoice] = store.invoices.all();
const [session] = store.checkoutSessions.all();
const [shown, changed, deleted] = store.links.all().map(({ link }) => link);
const refunded = newCharge();
const [charge] = charges(({ currency }) => currency === 'USD');
const oldest = charges(({ currency }) => currency === 'EUR').at(-1);
assert.ok(customer && invoice && session && shown && changed && deleted && charge && oldest);

/**
 * What each operation is given, and what must come out of it, as the service has it then.
 *
 * @type {Record<string, { parameters: Json, gives: () => Json[] }>}
 */
const OPERATIONS = {
	'charge get': {
		parameters: { chargeId: byId(charge.id) },
		gives: () => [{ id: charge.id, total: charge.total, status: charge.status }],
	},
	'charge getAll': {
		parameters: {
			returnAll: true,
			simplify: false,
			filters: { currency: charge.currency },
			options: { pageSize: 10, maxConcurrency: 2 },
		},
		gives: () => charges(({ currency }) => currency === charge.currency).map(idOf),
	},
	'charge getEvents': {
		parameters: {
			since: oldest.created,
			filters: { currency: oldest.currency },
			options: { watchDays: 1 },
		},
		gives: () =>
			charges(({ currency }) => currency === oldest.currency)
				.map(createdEvent)
				.reverse(),
	},
	'charge refund': {
		parameters: { chargeId: byId(refunded.id), amount: '30', options: { maximumAmount: '50' } },
		gives: () => [
			{
				charge_id: refunded.id,
				amount: '30.00',
				refund_total: refundTotalOf(refunded),
				remaining: '70.00',
			},
		],
	},
	'checkoutSession get': {
		parameters: { checkoutSessionId: session.id },
		gives: () => [{ id: session.id, status: session.status }],
	},
	'customer get': {
		parameters: { customerId: byId(customer.id) },
		gives: () => [{ id: customer.id, email: customer.email }],
	},
	'customer getAll': {
		parameters: { returnAll: true, options: { pageSize: 50 } },
		gives: () => store.customers.all().map(idOf),
	},
	'invoice get': { parameters: { invoiceId: invoice.id }, gives: () => [idOf(invoice)] },
	'link create': {
		parameters: {
			...LINK,
			expiry: 'afterPayments',
			paymentExpiryLimit: 3,
			additionalFields: { title: 'Each once' },
		},
		gives: () =>
			store.links
				.all()
				.filter(({ link }) => link.title === 'Each once')
				.map(({ link: { id } }) => ({ id, payment_expiry_limit: 3, currency: LINK.currency })),
	},
	'link delete': {
		parameters: { linkId: deleted.id },
		gives: () => [{ id: deleted.id, deleted: store.links.get(deleted.id) === undefined }],
	},
	'link get': { parameters: { linkId: shown.id }, gives: () => [{ id: shown.id, url: shown.url }] },
	'link update': {
		parameters: { linkId: changed.id, updateFields: { title: 'Changed' } },
		gives: () => [{ id: changed.id, title: store.links.get(changed.id)?.link.title }],
	},
};

test('every operation that n8n offers is tried here', async () => {
	const nodeType = (await n8n.nodeTypes()).find(({ name }) => name === NODE_TYPE);
	const offered = (nodeType?.properties ?? [])
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			// n8n adds a choice that has no action, for a request by hand.
			options
				.filter(({ action }) => action !== undefined)
				.map(({ value }) => `${displayOptions?.show.resource} ${value}`),
		);
	assert.deepEqual(offered.sort(), Object.keys(OPERATIONS).sort());
});

for (const [name, { parameters, gives }] of Object.entries(OPERATIONS)) {
	test(`${name} gives what the service has`, async () => {
		const [resource, operation] = name.split(' ');
		const { succeeded, message } = await run({ resource, operation, ...parameters });
		const expected = gives();
		assert.ok(expected.length > 0);
		assert.equal(succeeded.length, expected.length, message);
		assert.deepEqual(
			succeeded.map((row, index) =>
				Object.fromEntries(Object.keys(expected[index] ?? {}).map((field) => [field, row[field]])),
			),
			expected,
		);
	});
}

const GET_LINK = { resource: 'link', operation: 'get', linkId: shown.id };
const path = `/v1/links/${shown.id}`;

for (const [fault, action] of Object.entries({
	'answered with HTTP 503': { status: 503 },
	'whose connection breaks': { resetBefore: true },
})) {
	test(`a read ${fault} is tried again, and succeeds`, async () => {
		sandbox.clearRequests();
		sandbox.addFault({ match: { path, times: 1 }, action });
		const { succeeded, message } = await run(GET_LINK);
		assert.equal(succeeded[0]?.['id'], shown.id, message);
		assert.equal(sandbox.requests.length, 2);
	});
}

/** A refund of 30 of a new charge. */
function refundOfNew() {
	const charge = newCharge();
	const refundPath = `/v1/charges/${charge.id}/refund`;
	return {
		charge,
		parameters: {
			resource: 'charge',
			operation: 'refund',
			chargeId: byId(charge.id),
			amount: '30',
		},
		/** @param {import('../../sandbox/index.js').FaultAction} action what happens to the first try */
		disturb: (action) =>
			sandbox.addFault({ match: { method: 'POST', path: refundPath, times: 1 }, action }),
		timesSent: () => sandbox.requests.filter(({ path: asked }) => asked === refundPath).length,
	};
}

test('a refund that the service refuses is said to be NOT refunded, and is sent once', async () => {
	const { charge, parameters, disturb, timesSent } = refundOfNew();
	disturb({ status: 422 });
	const { status, message } = await run(parameters);
	assert.equal(status, 'error');
	assert.match(message, /NOT refunded/);
	assert.equal(timesSent(), 1);
	assert.equal(refundTotalOf(charge), '0.00');
});

test('a refund whose answer is lost is found in the charge, and is sent once', async () => {
	const { charge, parameters, disturb, timesSent } = refundOfNew();
	disturb({ resetAfter: true });
	const { succeeded, message } = await run(parameters);
	assert.equal(succeeded[0]?.['refund_total'], '30.00', message);
	assert.equal(timesSent(), 1);
	assert.equal(refundTotalOf(charge), '30.00');
});

for (const [fault, action] of Object.entries({
	'whose connection breaks': { resetBefore: true },
	'answered with HTTP 500': { status: 500 },
})) {
	test(`a refund ${fault} is UNKNOWN while the charge does not show it, and is sent once, Retry On Fail or not`, async () => {
		const { parameters, disturb, timesSent } = refundOfNew();
		disturb(action);
		const { status, message } = await run(parameters, { retryOnFail: true, maxTries: 2 });
		assert.equal(status, 'error');
		assert.match(message, /^UNKNOWN whether charge .* was refunded: check before you retry/);
		assert.equal(timesSent(), 1);
	});
}

/** A refund that the service refuses, and one that it carries out. */
function refundsOfTwo() {
	const [refused, fine] = [refundOfNew(), refundOfNew()];
	refused.disturb({ status: 422 });
	const ids = JSON.stringify([refused.charge.id, fine.charge.id]);
	return {
		parameters: { ...refused.parameters, chargeId: byId(`={{ ${ids}[$itemIndex] }}`) },
		fine: fine.charge,
		/** @param {Json} [row] */
		expectRefusal({ error, details, ...others } = {}) {
			assert.match(String(error), new RegExp(`${refused.charge.id} was NOT refunded`));
			const { itemIndex, httpCode } = /** @type {Json} */ (details);
			assert.deepEqual({ itemIndex, httpCode }, { itemIndex: 0, httpCode: '422' });
			assert.deepEqual(others, {});
		},
	};
}

test('On Error: Continue (using error output): a refused refund leaves there alone, and the next one is carried out', async () => {
	const { parameters, fine, expectRefusal } = refundsOfTwo();
	const onError = 'continueErrorOutput';
	const { status, succeeded, failed } = await run(parameters, { items: 2, onError });
	assert.equal(status, 'success');
	assert.deepEqual(
		succeeded.map((row) => row['charge_id']),
		[fine.id],
	);
	assert.equal(failed.length, 1);
	expectRefusal(failed[0]);
});

test('On Error: Continue: a refused refund leaves as an error in its place, and the next one is carried out', async () => {
	const { parameters, fine, expectRefusal } = refundsOfTwo();
	const onError = 'continueRegularOutput';
	const { status, succeeded, failed } = await run(parameters, { items: 2, onError });
	assert.equal(status, 'success');
	assert.equal(succeeded.length, 2);
	expectRefusal(succeeded[0]);
	assert.equal(succeeded[1]?.['charge_id'], fine.id);
	assert.deepEqual(failed, []);
});

test('a refund whose amount comes to nothing is refused before anything is sent', async () => {
	const { parameters, timesSent } = refundOfNew();
	const { status, message } = await run({ ...parameters, amount: '={{ "" }}' });
	assert.equal(status, 'error');
	assert.match(message, /^Amount is empty/);
	assert.equal(timesSent(), 0);
});
