import assert from 'node:assert/strict';
import { test } from 'node:test';

import { browserTests } from '../support/browser/open.mjs';
import { connect } from '../support/session.mjs';

const { n8n } = connect();
const inBrowser = await browserTests(n8n);

const AGENT = 'AI Agent';

test(
	'an agent can take the node as its tool, with fields that its model fills in',
	inBrowser(async (editor) => {
		const { id } = await n8n.createWorkflow({
			name: 'An agent',
			nodes: [
				{
					name: AGENT,
					type: '@n8n/n8n-nodes-langchain.agent',
					typeVersion: 2,
					position: [0, 0],
					parameters: {},
				},
			],
			connections: {},
		});
		await editor.openWorkflow(id);
		await editor.startToolOf(AGENT);
		const found = await editor.search('payment');
		assert.deepEqual(found, ['Payment Collection Tool']);
		await editor.pick('Payment Collection Tool');
		await editor.part('ndv').waitFor();
		assert.match(await editor.part('node-parameters').innerText(), /^Tool Description$/m);
		assert.match(await editor.part('node-parameters').innerText(), /Leave to the model: Items/);
		await editor.letModelFill('amount');
		await editor.part('node-parameters').getByText('Defined automatically by the model').waitFor();
	}),
);
