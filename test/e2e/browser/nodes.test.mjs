import assert from 'node:assert/strict';
import { test } from 'node:test';

import { browserTests } from '../support/browser/open.mjs';
import { createWorkflowOf, TRIGGER } from '../support/browser/workflows.mjs';
import { connect } from '../support/session.mjs';

const { n8n, sandbox } = connect();
const inBrowser = await browserTests(n8n);

const NODE = 'Payment Collection';

/** @typedef {import('../support/browser/editor.mjs').Editor} Editor */

test(
	'the node is among the first three that are found, whatever of it somebody looks for',
	inBrowser(async (editor) => {
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		for (const words of [
			'payment link',
			'collect payments',
			'payments',
			'refund',
			'charge',
			'new charge',
			'invoice',
			'checkout',
			'customers',
		]) {
			const found = (await editor.search(words)).slice(0, 3);
			assert.ok(found.includes(NODE), `"${words}" finds ${found.join(', ')}`);
		}
	}),
);

test(
	'on an empty canvas, the node offers its triggers and its actions',
	inBrowser(async (editor) => {
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		await editor.search('payment');
		await editor.pick(NODE);
		await editor.unfoldActions();
		const offered = (await editor.part('node-creator').innerText()).split('\n');
		for (const name of [
			'On charge created',
			'Create payment link',
			'Refund charge',
			'Get many charges',
		])
			assert.ok(offered.includes(name), `${name} is missing in ${offered.join(', ')}`);
	}),
);

// One of the actions opens the panel of the node, which the command bar adds without.
test(
	'a payment link of 10 USD is made from an empty canvas, with nine actions',
	inBrowser(async (editor) => {
		await editor.openNewWorkflow();
		await editor.command('payment', `Add ${NODE}`);
		await editor.openAddedNode();
		await editor.choose('currency', /^USD/);
		await editor.fill('amount', '10');
		await editor.execute();
		assert.equal(editor.person.actions, 9);

		const [row] = await editor.output();
		assert.ok(row?.['id']);
		const link = await sandbox.link(row['id']);
		assert.deepEqual(
			[link.amount, link.currency, link.items.map(({ name }) => name)],
			['10.00', 'USD', ['Payment']],
		);
		assert.equal(row['url'], link.url);
	}),
);

/**
 * On an empty canvas, n8n shuts the actions of a node that has triggers, too.
 *
 * @type {[where: string, begin: (editor: Editor) => Promise<void>, actions: number][]}
 */
const REFUNDS = [
	[
		'with ten actions behind a trigger',
		async (editor) => {
			await editor.openWorkflow(await createWorkflowOf(n8n, 'A refund', []));
			await editor.startStepBehind(TRIGGER);
			await editor.search('refund');
			await editor.pick(NODE);
		},
		10,
	],
	[
		'with eleven from an empty canvas',
		async (editor) => {
			await editor.openNewWorkflow();
			await editor.startFirstStep();
			await editor.search('refund');
			await editor.pick(NODE);
			await editor.unfoldActions();
		},
		11,
	],
];

for (const [where, begin, actions] of REFUNDS) {
	test(
		`a charge is refunded in full, found by its payer's name, ${where}`,
		inBrowser(async (editor) => {
			// Not refunded yet, and the first one that a search for its payer finds.
			const charge = (await sandbox.charges(1)).find(
				({ status, refund_total, source }, position, all) =>
					status === 'authorised' &&
					Number(refund_total) === 0 &&
					all.findIndex((other) => other.source.name === source.name) === position,
			);
			assert.ok(charge);
			await begin(editor);
			await editor.pick('Refund charge');
			const label = await editor.pickFromList('chargeId', charge.source.name);
			await editor.choose('amountType', /^Full/);
			await editor.execute();
			assert.equal(editor.person.actions, actions);

			const [row] = await editor.output();
			assert.ok(label.includes(`${charge.total} ${charge.currency}`), label);
			assert.deepEqual(
				[row?.['charge_id'], row?.['amount'], Number(row?.['remaining'])],
				[charge.id, charge.total, 0],
			);
		}),
	);
}

test(
	'the list of customers is searched by a name, and shows who it is',
	inBrowser(async (editor) => {
		const [customer] = await sandbox.list('/v1/customers');
		assert.ok(customer);
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		await editor.search('customers');
		await editor.pick(NODE);
		await editor.unfoldActions();
		await editor.pick('Get customer');
		const label = await editor.pickFromList('customerId', String(customer['email']));
		assert.ok(label.includes(String(customer['last_name'])), label);
		await editor.execute();
		const [row] = await editor.output();
		assert.equal(row?.['email'], customer['email']);
	}),
);
