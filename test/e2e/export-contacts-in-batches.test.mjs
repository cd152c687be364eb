import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { runsOf } from '../../scripts/n8n-server/client/index.mjs';
import { runExample } from './support/runExample.mjs';
import { connect } from './support/session.mjs';

const { n8n, sandbox } = connect();

test('the workflow "Export contacts in batches" makes files that hold each contact once, and ends by itself', async () => {
	const execution = await runExample(n8n, 'export-contacts-in-batches.json');

	const runs = runsOf(execution, 'Convert page to CSV');
	const ids = [];
	for (const [item] of runs) {
		const file = item?.binary?.['data'];
		assert.ok(file);
		/** @type {{ id: string }[]} */
		const rows = parse(await n8n.readFile(file), { bom: true, columns: true });
		ids.push(...rows.map(({ id }) => id));
	}
	const contacts = await sandbox.list('/v1/customers');
	assert.ok(runs.length > 1, 'more than one page is needed for a test of a loop');
	assert.equal(runs.length, Math.ceil(contacts.length / 100));
	assert.deepEqual(
		ids,
		contacts.map(({ id }) => id),
	);
});
