import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import fastify from 'fastify';

import { describeN8n } from '../../../scripts/n8n-server/install.mjs';
import { cellOf, CONTACT_COLUMNS, makeOdd, rowsOfCsv, valuesOf } from '../support/examples/csv.mjs';
import { fileOf, importCopy } from '../support/examples/exampleCopy.mjs';
import { n8n, startExample, startService } from '../support/session.mjs';

/** Both examples that export contacts: into one file, and in batches. */

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Reads Excel's files; n8n has it. */
const xlsx = createRequire((await describeN8n()).cli)('@e965/xlsx');

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
	const execution = await flow.succeed();
	const file = await fileOf(n8n, execution, 'Convert to CSV', 'contacts.csv');
	const book = await fileOf(n8n, execution, 'Convert to Excel', 'contacts.xlsx', XLSX);
	const sheet = xlsx.read(book).Sheets['Contacts'];
	/** @type {unknown[][]} */
	const excel = xlsx.utils.sheet_to_json(sheet, { header: 1, defval: '', blankrows: true });
	const types = Object.values(sheet).flatMap(({ t: type }) => type ?? []);
	return { contacts, rows: rowsOfCsv(file), excel, types: [...new Set(types)] };
}

test('the files contain exactly the contacts of the service, and no customer can write a formula into a cell', async (t) => {
	// More than one page of them.
	const { contacts, rows, excel, types } = await runExport(t, 250, makeOdd);
	const values = contacts.map(valuesOf);
	assert.deepEqual(rows, [CONTACT_COLUMNS, ...values.map((row) => row.map(cellOf))]);
	// Each cell is text, also of a number.
	assert.deepEqual(types, ['s']);
	const textOf = (/** @type {unknown} */ value) => String(value ?? '').replaceAll('\r\n', '\n');
	assert.deepEqual(excel, [CONTACT_COLUMNS, ...values.map((row) => row.map(textOf))]);
});

test('an account without contacts gets files with only the header row', async (t) => {
	const { rows, excel } = await runExport(t, 0);
	assert.deepEqual([rows, excel], [[CONTACT_COLUMNS], [CONTACT_COLUMNS]]);
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
	const store = fastify();
	store.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body);
	store.post('/', async ({ headers, body }) => {
		files.push({ name: String(headers['x-name']), content: /** @type {Buffer} */ (body) });
		onFile?.();
		return '';
	});
	t.after(() => store.close());

	const flow = await importCopy(t, n8n, 'export-contacts-in-batches.json', {
		credentials: [credential],
		nodes: {
			'Store the file here': {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url: await store.listen({ port: 0, host: '127.0.0.1' }),
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

test('the files, joined by name, contain the header row and each contact once, even if customers are created meanwhile', async (t) => {
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
		// The new customer is at the top of the list, so that all others move down.
		const id = randomUUID();
		customers.insert(id, Date.now(), { ...newest, id });
	});
	assert.equal(files.length, 3);
	files.sort((one, other) => (one.name < other.name ? -1 : 1));
	assert.deepEqual(rowsOfCsv(Buffer.concat(files.map(({ content }) => content))), expected);
});

for (const pastTheEnd of /** @type {const} */ (['empty', 'last', '404']))
	test(`an account without contacts gets one file with only the header row, if a page past the end is: ${pastTheEnd}`, async (t) => {
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
