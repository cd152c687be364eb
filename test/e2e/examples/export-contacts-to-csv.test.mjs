import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import {
	cellOf,
	CONTACT_COLUMNS,
	makeOdd,
	rowsOfCsv,
	textOfCell,
	valuesOf,
} from '../support/examples/csv.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { connect, startService } from '../support/session.mjs';

const { n8n } = connect();

/**
 * Runs the example with a service for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} customers that the service has
 * @param {(contacts: object[]) => void} [stage] changes some of them
 */
async function runExport(t, customers, stage) {
	const { sandbox, credential } = await startService(n8n, { counts: { customers } });
	const contacts = sandbox.store.customers.all();
	stage?.(contacts);
	const flow = await importCopy(t, n8n, 'export-contacts-to-csv.json', {
		credentials: { [CREDENTIAL_TYPE]: credential },
	});
	const execution = await flow.run('When clicking ‘Execute workflow’');
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
	const [item] = outputOf(execution, 'Convert to CSV');
	const file = item?.binary?.['data'];
	assert.ok(file, 'there is no file');
	assert.deepEqual([file.fileName, file.mimeType], ['contacts.csv', 'text/csv']);
	return { contacts, rows: rowsOfCsv(await n8n.readFile(file)) };
}

test('the file holds exactly the contacts of the service, and no customer can write a formula into a cell', async (t) => {
	// More than one page of them.
	const { contacts, rows } = await runExport(t, 250, makeOdd);
	assert.deepEqual(rows, [
		CONTACT_COLUMNS,
		...contacts.map(valuesOf).map((row) => row.map(cellOf)),
	]);
	assert.deepEqual(
		rows.slice(1).map((row) => row.map(textOfCell)),
		contacts.map(valuesOf).map((row) => row.map((value) => String(value ?? ''))),
	);
});

test('the columns are the same where all contacts lack a field, or have one more', async (t) => {
	const { rows } = await runExport(t, 2, (contacts) => {
		for (const contact of contacts) {
			Reflect.deleteProperty(contact, 'business_name');
			Object.assign(contact, { newsletter: true });
		}
	});
	assert.deepEqual(rows[0], CONTACT_COLUMNS);
	assert.deepEqual(
		rows.map(({ length }) => length),
		Array.from({ length: 3 }, () => CONTACT_COLUMNS.length),
	);
});

test('an account without contacts gives a file with the header row alone', async (t) => {
	const { rows } = await runExport(t, 0);
	assert.deepEqual(rows, [CONTACT_COLUMNS]);
});
