import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROOT } from '../../../scripts/lib/project.mjs';
import { browserTests } from '../support/browser/open.mjs';
import { connect } from '../support/session.mjs';
import { until } from '../support/until.mjs';

const { n8n, sandbox } = connect();
const inBrowser = await browserTests(n8n);

const NODE = 'Payment Collection';
const TABLE = 'new_charges';
/** The trigger polls every minute. */
const POLL_TIMEOUT_MS = 90_000;

/** @type {{ KEPT_CHARGE_FIELDS: string[] }} */
const { KEPT_CHARGE_FIELDS } = createRequire(import.meta.url)(
	join(ROOT, 'build', 'contract', 'recordFields.js'),
);

/** @returns {Promise<import('../../../scripts/n8n-server/client/types.mjs').DataTableColumn[]>} for all that an event holds */
async function columnsOfEvents() {
	const [charge] = /** @type {Record<string, unknown>[]} */ (await sandbox.charges(1));
	return (
		['event', 'event_id', ...KEPT_CHARGE_FIELDS]
			// n8n keeps this name for its own.
			.filter((name) => name !== 'id')
			.map((name) => ({ name, type: typeof charge?.[name] === 'number' ? 'number' : 'string' }))
	);
}

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

/**
 * Waits until a charge that comes in now is the only row of the table, by an execution that succeeded.
 *
 * @param {import('../support/browser/editor.mjs').Editor} editor with the published workflow
 * @param {import('../../../scripts/n8n-server/client/types.mjs').DataTable} table
 */
async function untilNewChargeIsSaved(editor, table) {
	const workflowId = editor.workflowId();
	const total = '84.50';
	await n8n.untilPublished(workflowId);
	await sandbox.insertCharge({ currency: 'EUR', total });
	const saved = async () => (await n8n.dataTables.rows(table)).map((row) => row['total']);
	await until(
		async () => (await saved()).length > 0,
		async () => `no row was saved: ${JSON.stringify(await n8n.executions(workflowId))}`,
		POLL_TIMEOUT_MS,
	);
	assert.deepEqual(await saved(), [total]);
	assert.match(await editor.lastExecution(workflowId), /Succeeded/);
}

// Of the fifteen, four choose the trigger, and all others are for n8n's own node: three to add it, one to go to it, two
// for its table, two since it does not map columns by itself, one to shut it, and two to publish the workflow.
test(
	'new charges go into a data table after fifteen actions, and each shows as an execution',
	inBrowser(async (editor, t) => {
		const table = await n8n.dataTables.create({ name: TABLE, columns: await columnsOfEvents() });
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		await editor.search('new charge');
		await editor.pick(NODE);
		await editor.pick('On charge created');
		await editor.part('ndv').waitFor();
		await editor.command('data table', 'Add Data table');
		await editor.goToNextNode();
		await editor.pickFromShortList('dataTableId', TABLE);
		await editor.mapAutomatically();
		await editor.closeNode();
		await editor.publish();
		assert.equal(editor.person.actions, 15);

		const workflowId = editor.workflowId();
		t.after(() => n8n.unpublish(workflowId));
		await untilNewChargeIsSaved(editor, table);
	}),
);

test(
	'the example does so after eight actions, from its address on, and makes the table, too',
	inBrowser(async (editor, t) => {
		const example = await readFile(join(ROOT, 'examples', 'new-charges-to-table.json'));
		const server = createServer((_, response) => response.end(example)).listen(0, '127.0.0.1');
		t.after(() => server.close());
		await once(server, 'listening');
		const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

		await editor.openNewWorkflow();
		await editor.importWorkflow(`http://127.0.0.1:${port}/new-charges-to-table.json`);
		await editor.executeFrom('When clicking ‘Execute workflow’');
		await editor.publish();
		assert.equal(editor.person.actions, 8);

		const workflowId = editor.workflowId();
		t.after(() => n8n.unpublish(workflowId));
		const table = await n8n.dataTables.find('payment_collection_events');
		assert.ok(table);
		await untilNewChargeIsSaved(editor, table);
	}),
);
