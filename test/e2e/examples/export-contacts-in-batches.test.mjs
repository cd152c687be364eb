import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { connect, startService } from '../support/session.mjs';

const { n8n } = connect();

test('every contact is once in the files, as the service has it, though others come in while the pages are read', async (t) => {
	const { sandbox, credential } = await startService(n8n, {
		counts: { customers: 4_037 },
		switches: { pastTheEnd: 'last' },
	});
	const { customers } = sandbox.store;
	const contacts = customers.all();
	const [newest] = contacts;
	assert.ok(newest);

	/** @type {Record<string, string>[][]} */
	const files = [];
	const store = createServer(async (request, response) => {
		const parts = [];
		for await (const part of request) parts.push(part);
		files.push(parse(Buffer.concat(parts), { bom: true, columns: true }));
		// At the top of the list, so that all others move down.
		const id = randomUUID();
		customers.insert(id, Date.now(), { ...newest, id });
		response.end();
	}).listen(0, '127.0.0.1');
	t.after(() => store.close());
	await new Promise((resolve) => store.once('listening', resolve));
	const { port } = /** @type {import('node:net').AddressInfo} */ (store.address());

	const flow = await importCopy(t, n8n, 'export-contacts-in-batches.json', {
		credentials: { [CREDENTIAL_TYPE]: credential },
		nodes: {
			'Put what stores the file here': {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url: `http://127.0.0.1:${port}`,
					sendBody: true,
					contentType: 'binaryData',
					inputDataFieldName: 'data',
				},
			},
		},
	});
	const execution = await flow.run('When clicking ‘Execute workflow’');
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
	assert.equal(files.length, 3);
	assert.deepEqual(
		files.flat(),
		// A CSV file knows only text.
		contacts.map((contact) =>
			Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, String(value)])),
		),
	);
});
