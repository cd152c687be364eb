import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import getPort from 'get-port';

import { browserTests } from './support/browser/open.mjs';
import { connect } from './support/session.mjs';

const { n8n, sandbox, credential } = connect();
const inBrowser = await browserTests(n8n);

const NODE_TYPE = 'n8n-nodes-payment-collection.paymentCollection';
const TRIGGER = 'When clicking ‘Execute workflow’';

/** Of the service, see docs/service.md. */
const LONGEST_TITLE = 50;

/** What a link needs, to spoil one field of. */
const LINK = {
	resource: 'link',
	operation: 'create',
	currency: 'EUR',
	items: { item: [{ name: 'Ticket', amount: '10', quantity: 1 }] },
};

/**
 * By what is wrong: the parameters, and what the error must say.
 *
 * @type {Record<string, { parameters: Record<string, unknown>, says: RegExp }>}
 */
const FAULTS = {
	'an amount with a comma': {
		parameters: { ...LINK, items: { item: [{ name: 'Ticket', amount: '12,50', quantity: 1 }] } },
		says: /Amount is .*12,50.*decimal number such as 12\.50/,
	},
	'a currency of four letters': {
		parameters: { ...LINK, currency: '={{ "EURO" }}' },
		says: /Currency is .*EURO.*4 characters.*such as USD/,
	},
	'a date in the past': {
		parameters: { ...LINK, expiry: 'onDate', expiryDate: '2020-01-31' },
		says: /Expiry Date is .*2020-01-31.*in the future/,
	},
	'an address without a scheme': {
		parameters: { ...LINK, additionalFields: { successUrl: 'shop.example.com' } },
		says: /Success URL is .*shop\.example\.com.*begins with http/,
	},
	'a title that is too long': {
		parameters: { ...LINK, additionalFields: { title: 'x'.repeat(LONGEST_TITLE + 1) } },
		says: /Title is 51 characters long: the limit is 50/,
	},
	'an ID that is no UUID': {
		parameters: { resource: 'invoice', operation: 'get', invoiceId: '12345' },
		says: /Invoice ID is .*12345.*must be a UUID/,
	},
};

const { id: workflowId } = await n8n.createWorkflow({
	name: 'Things that are wrong',
	nodes: [
		{
			name: TRIGGER,
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		...Object.entries(FAULTS).map(([name, { parameters }], index) => ({
			name,
			type: NODE_TYPE,
			typeVersion: 1,
			position: [300, index * 200],
			parameters,
			credentials: { paymentCollectionApi: credential },
		})),
	],
	connections: {
		[TRIGGER]: {
			main: [Object.keys(FAULTS).map((node) => ({ node, type: 'main', index: 0 }))],
		},
	},
});
after(() => n8n.send('POST', `/rest/workflows/${workflowId}/archive`));

test(
	'the panel says what is wrong with a field, and nothing is sent',
	inBrowser(async (editor) => {
		await sandbox.forgetRequests();
		for (const [name, { says }] of Object.entries(FAULTS)) {
			// Anew each time: n8n's editor fails at running a second step of a workflow whose first one failed.
			await editor.openWorkflow(workflowId);
			await editor.openNode(name);
			await editor.execute();
			assert.match(await editor.error(), says, name);
		}
		// Triggers of other tests may ask for charges.
		const writes = (await sandbox.requests()).filter(({ method }) => method !== 'GET');
		assert.deepEqual(writes, []);
	}),
);

/** @type {[string, { baseUrl?: string, apiKey?: string }, RegExp][]} */
const CREDENTIALS = [
	['that is right', {}, /Connection tested successfully/],
	['with a wrong key', { apiKey: 'not-the-key' }, /does not accept this API Key/],
	[
		'whose address nobody listens at',
		{ baseUrl: `http://127.0.0.1:${await getPort({ host: '127.0.0.1' })}` },
		/refused/,
	],
];

for (const [name, fields, says] of CREDENTIALS) {
	test(
		`saving a credential ${name} says so`,
		inBrowser(async (editor) => {
			try {
				await editor.openNewCredential('Payment Collection API');
				await editor.fill('baseUrl', fields.baseUrl ?? sandbox.url);
				await editor.fill('apiKey', fields.apiKey ?? sandbox.apiKey);
				assert.match(await editor.saveCredential(), says);
			} finally {
				// With a second one, n8n no longer takes the first one by itself.
				/** @type {{ id: string }[]} */
				const all = await n8n.request('GET', '/rest/credentials');
				for (const { id } of all)
					if (id !== credential.id) await n8n.send('DELETE', `/rest/credentials/${id}`);
			}
		}),
	);
}
