import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EXAMPLES, parametersIn, typesOf } from '../support/pageExamples.cjs';
import { chargesOf, n8n, startService } from './support/session.mjs';
import { idLocator, createWorkflowOfOne, NODE_TYPE } from './support/workflows.mjs';

/** Each operation in every version of n8n. */

/** More than a page of charges and of customers. */
const { sandbox, credential } = await startService({
	counts: { charges: 120, customers: 120 },
});
const { store } = sandbox;

/** @typedef {Record<string, unknown>} Json */

const idOf = (/** @type {{ id: string }} */ { id }) => ({ id });
const createdEvent = (/** @type {{ id: string }} */ { id }) => ({
	event: 'charge.created',
	event_id: `charge.created:${id}`,
});

const chargesIn = (/** @type {string} */ wanted) =>
	chargesOf(sandbox).filter(({ currency }) => currency === wanted);

const [customer] = store.customers.all();
const [invoice] = store.invoices.all();
const [session] = store.checkoutSessions.all();
const [shown, changed, deleted] = store.links.all().map(({ link }) => link);
const refunded = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
const [charge] = chargesIn('USD');
const oldest = chargesIn('EUR').at(-1);
assert.ok(customer && invoice && session && shown && changed && deleted && charge && oldest);

/**
 * Parameters and output of operations. All others are tried as docs/operations.md shows them.
 *
 * @type {Record<string, { parameters: Json, gives: () => Json[] }>}
 */
const OPERATIONS = {
	'charge get': {
		parameters: { chargeId: idLocator(charge.id) },
		gives: () => [{ id: charge.id, total: charge.total, status: charge.status }],
	},
	'charge getAll': {
		parameters: {
			returnAll: true,
			simplify: false,
			filters: { currency: charge.currency },
			options: { pageSize: 10, maxConcurrency: 2 },
		},
		gives: () => chargesIn(charge.currency).map(idOf),
	},
	'charge getEvents': {
		parameters: {
			since: oldest.created,
			filters: { currency: oldest.currency },
			options: { watchDays: 1 },
		},
		gives: () => chargesIn(oldest.currency).map(createdEvent).reverse(),
	},
	'charge refund': {
		parameters: {
			chargeId: idLocator(refunded.id),
			amount: '30',
			options: { maximumAmount: '50' },
		},
		gives: () => [
			{
				charge_id: refunded.id,
				amount: '30.00',
				refund_total: store.charges.get(refunded.id)?.charge.refund_total,
				remaining: '70.00',
			},
		],
	},
	'checkoutSession get': {
		parameters: { checkoutSessionId: session.id },
		gives: () => [{ id: session.id, status: session.status }],
	},
	'customer get': {
		parameters: { customerId: idLocator(customer.id) },
		gives: () => [{ id: customer.id, email: customer.email }],
	},
	'customer getAll': {
		parameters: { returnAll: true, options: { pageSize: 50 } },
		gives: () => store.customers.all().map(idOf),
	},
	'invoice get': { parameters: { invoiceId: invoice.id }, gives: () => [idOf(invoice)] },
	'link create': {
		parameters: {
			currency: 'EUR',
			items: { item: [{ name: 'Ticket', amount: '10', quantity: 1 }] },
			expiry: 'afterPayments',
			paymentExpiryLimit: 3,
			additionalFields: { title: 'Each once' },
		},
		gives: () =>
			store.links
				.all()
				.filter(({ link }) => link.title === 'Each once')
				.map(({ link: { id } }) => ({ id, payment_expiry_limit: 3, currency: 'EUR' })),
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

const SHOWN = EXAMPLES.filter(({ name }) => !(name in OPERATIONS));

/** @param {Json} parameters */
const run = async (parameters) =>
	await (await createWorkflowOfOne(n8n, credential, parameters)).run();

test('every operation that n8n offers is tried here', async () => {
	const nodeType = (await n8n.nodeTypes()).find(({ name }) => name === NODE_TYPE);
	const offered = (nodeType?.properties ?? [])
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			// n8n adds a choice that has no action, for a request by hand.
			options.flatMap((option) =>
				'action' in option && 'value' in option
					? [`${displayOptions?.show?.['resource']} ${option.value}`]
					: [],
			),
		);
	const tried = [...Object.keys(OPERATIONS), ...SHOWN.map(({ name }) => name)];
	assert.deepEqual(offered.sort(), [...new Set(tried)].sort());
});

for (const [name, { parameters, gives }] of Object.entries(OPERATIONS)) {
	test(`${name} gives what the service has`, async () => {
		const [resource, operation] = name.split(' ');
		const { output, message } = await run({ resource, operation, ...parameters });
		const expected = gives();
		assert.ok(expected.length > 0);
		assert.equal(output.length, expected.length, message);
		assert.deepEqual(
			output.map((row, index) =>
				Object.fromEntries(Object.keys(expected[index] ?? {}).map((field) => [field, row[field]])),
			),
			expected,
		);
	});
}

for (const { name, block, output: shown } of SHOWN) {
	test(`${name} gives the fields that docs/operations.md shows`, async () => {
		const { output, message } = await run(parametersIn(block, sandbox));
		const [first] = output;
		assert.ok(first, message);
		assert.deepEqual(typesOf(shown, first), typesOf(shown));
	});
}
