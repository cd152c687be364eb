import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { cellOf, CONTACT_COLUMNS, makeOdd, rowsOfCsv, valuesOf } from '../support/examples/csv.mjs';
import { fileOf, importCopy } from '../support/examples/exampleCopy.mjs';
import { n8n, startExample, startService } from '../support/session.mjs';

/** Both examples that export contacts: into one file, and in batches. */

/** @typedef {{ name: string, content: Buffer }} StoredFile */

/**
 * Exports into one file, with a service for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} customers that the service has
 * @param {(contacts: object[]) => void} [stage] changes some of them
 */
async function runExport(t, customers, stage) {
	const { sandbox, flow } = await startExample(t, 'export-contacts-to-csv.json', {
		counts: { customers },
	});
	const contacts = sandbox.store.customers.all();
	stage?.(contacts);
	const file = await fileOf(n8n, await flow.succeed(), 'Convert to CSV', 'contacts.csv');
	return { contacts, rows: rowsOfCsv(file) };
}

test('the file holds exactly the contacts of the service, and no customer can write a formula into a cell', async (t) => {
	// More than one page of them.
	const { contacts, rows } = await runExport(t, 250, makeOdd);
	assert.deepEqual(rows, [
		CONTACT_COLUMNS,
		...contacts.map(valuesOf).map((row) => row.map(cellOf)),
	]);
});

test('an account without contacts gives a file with the header row alone', async (t) => {
	const { rows } = await runExport(t, 0);
	assert.deepEqual(rows, [CONTACT_COLUMNS]);
});

/**
 * Exports in batches, with a store for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {Awaited<ReturnType<typeof startService>>} service
 * @param {() => void} [onFile] is called for each file that is stored
 * @returns {Promise<StoredFile[]>} in the order in which they were stored
 */
async function exportTo(t, { credential }, onFile) {
	/** @type {StoredFile[]} */
	const files = [];
	const store = createServer(async (request, response) => {
		const parts = [];
		for await (const part of request) parts.push(part);
		files.push({ name: String(request.headers['x-name']), content: Buffer.concat(parts) });
		onFile?.();
		response.end();
	}).listen(0, '127.0.0.1');
	t.after(() => store.close());
	await once(store, 'listening');
	const { port } = /** @type {import('node:net').AddressInfo} */ (store.address());

	const flow = await importCopy(t, n8n, 'export-contacts-in-batches.json', {
		credential,
		nodes: {
			'Store the file here': {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url: `http://127.0.0.1:${port}`,
					sendHeaders: true,
					headerParameters: {
						parameters: [{ name: 'x-name', value: '={{ $binary.data.fileName }}' }],
					},
					sendBody: true,
					contentType: 'binaryData',
					inputDataFieldName: 'data',
				},
			},
		},
	});
	await flow.succeed();
	return files;
}

test('the files, put together by name, hold the header row once and every contact once, though others come in while the pages are read', async (t) => {
	const service = await startService({
		counts: { customers: 4_037 },
		switches: { pastTheEnd: 'last' },
	});
	const { customers } = service.sandbox.store;
	const contacts = customers.all();
	makeOdd(contacts);
	// The first ones of the second batch, too.
	makeOdd(contacts.slice(2_000));
	const expected = [CONTACT_COLUMNS, ...contacts.map(valuesOf).map((row) => row.map(cellOf))];
	const newest = contacts.at(-1);
	assert.ok(newest);
	const files = await exportTo(t, service, () => {
		// At the top of the list, so that all others move down.
		const id = randomUUID();
		customers.insert(id, Date.now(), { ...newest, id });
	});
	assert.equal(files.length, 3);
	files.sort((one, other) => (one.name < other.name ? -1 : 1));
	assert.deepEqual(rowsOfCsv(Buffer.concat(files.map(({ content }) => content))), expected);
});

for (const pastTheEnd of /** @type {const} */ (['empty', 'last', '404']))
	test(`an account without contacts gives one file with the header row alone, where a page past the end is answered by: ${pastTheEnd}`, async (t) => {
		const service = await startService({
			counts: { customers: 0 },
			switches: { pastTheEnd },
		});
		const files = await exportTo(t, service);
		assert.deepEqual(
			files.map(({ content }) => rowsOfCsv(content)),
			[[CONTACT_COLUMNS]],
		);
	});
