import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { runExample } from '../support/examples/runExample.mjs';
import { connect } from '../support/session.mjs';

const { n8n, sandbox } = connect();

test('the workflow "Export contacts to CSV" makes a file with exactly the contacts of the service', async () => {
	const execution = await runExample(n8n, 'export-contacts-to-csv.json');

	const [item] = outputOf(execution, 'Convert to CSV');
	const file = item?.binary?.['data'];
	assert.ok(file);
	assert.equal(file.fileName, 'contacts.csv');
	const rows = parse(await n8n.readFile(file), { bom: true, columns: true });
	const contacts = await sandbox.list('/v1/customers');
	assert.ok(contacts.length > 100, 'more than one page is needed for a test of paging');
	assert.deepEqual(
		rows,
		// A CSV file knows only text.
		contacts.map((contact) =>
			Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, String(value)])),
		),
	);
});
