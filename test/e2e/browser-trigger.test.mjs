import assert from 'node:assert/strict';
import { test } from 'node:test';

import { browserTests } from './support/browser/open.mjs';
import { connect } from './support/session.mjs';
import { until } from './support/until.mjs';

const { n8n, sandbox } = connect();
const inBrowser = await browserTests(n8n);

const NODE = 'Payment Collection';
const TRIGGER = 'Payment Collection Trigger';
const TABLE = 'new_charges';
/** The trigger polls every minute. */
const POLL_TIMEOUT_MS = 90_000;

/** What the trigger gives of a charge, but for `id`, which n8n keeps for its own. */
const COLUMNS = [
	...['event', 'event_id', 'created', 'total', 'currency', 'status', 'refund_total'],
	...['payment_method', 'user_name'],
].map((name) => ({ name, type: /** @type {const} */ ('string') }));
const NUMBERS = ['reference_id', 'net'].map((name) => ({
	name,
	type: /** @type {const} */ ('number'),
}));

test(
	'the trigger shows the newest charge as its test event',
	inBrowser(async (editor) => {
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		await editor.search('new charge');
		await editor.pick(NODE);
		await editor.pick('On charge created');
		await editor.execute();
		assert.equal(editor.person.actions, 5);
		const [row] = await editor.output();
		const [newest] = await sandbox.charges(1);
		assert.equal(row?.['event_id'], `charge.created:${newest?.id}`);
	}),
);

test(
	'new charges go into a data table after sixteen actions, and each shows as an execution',
	inBrowser(async (editor, t) => {
		const table = await n8n.dataTables.create({ name: TABLE, columns: [...COLUMNS, ...NUMBERS] });
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		await editor.search('new charge');
		await editor.pick(NODE);
		await editor.pick('On charge created');
		await editor.closeNode();
		await editor.startStepBehind(TRIGGER);
		await editor.search('data table');
		await editor.pick('Data table');
		await editor.pick('Insert row');
		await editor.pickFromShortList('dataTableId', TABLE);
		await editor.mapAutomatically();
		await editor.closeNode();
		await editor.publish();
		assert.equal(editor.person.actions, 16);

		const workflowId = editor.workflowId();
		t.after(() => n8n.unpublish(workflowId));
		await n8n.untilPublished(workflowId);
		await sandbox.insertCharge({ currency: 'EUR', total: '84.50' });
		const saved = async () => (await n8n.dataTables.rows(table)).map(({ total }) => total);
		await until(
			async () => (await saved()).length > 0,
			() => 'no row was saved',
			POLL_TIMEOUT_MS,
		);
		assert.deepEqual(await saved(), ['84.50']);
		assert.match(await editor.lastExecution(workflowId), /Succeeded/);
	}),
);
