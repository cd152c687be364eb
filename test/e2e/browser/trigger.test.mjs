import assert from 'node:assert/strict';
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
const TRIGGER = 'Payment Collection Trigger';
const TABLE = 'new_charges';
/** The trigger polls every minute. */
const POLL_TIMEOUT_MS = 90_000;

/** @type {{ KEPT_CHARGE_FIELDS: string[] }} */
const { KEPT_CHARGE_FIELDS } = createRequire(import.meta.url)(
	join(ROOT, 'build', 'contract', 'simplified.js'),
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

test(
	'new charges go into a data table after sixteen actions, and each shows as an execution',
	inBrowser(async (editor, t) => {
		const table = await n8n.dataTables.create({ name: TABLE, columns: await columnsOfEvents() });
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
			async () => `no row was saved: ${JSON.stringify(await n8n.executions(workflowId))}`,
			POLL_TIMEOUT_MS,
		);
		assert.deepEqual(await saved(), ['84.50']);
		assert.match(await editor.lastExecution(workflowId), /Succeeded/);
	}),
);
