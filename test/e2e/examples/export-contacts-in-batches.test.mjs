import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { runsOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { startOwnServers } from '../support/ownServers.mjs';

const CONTACTS = 200_000;
const FIRST_CONTACTS = 20_000;
/** What n8n's heap may take: with all contacts in it, it would need several times as much. */
const HEAP_MB = 400;
const LOOK_MS = 200;
const ARRIVAL_MS = 5;
const TIMEOUT_MS = 8 * 60_000;

const { n8n, sandbox } = await startOwnServers({
	env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
	sandbox: { counts: { customers: CONTACTS, charges: 0 } },
});

/**
 * Where the files go: it counts the contacts, and compares them with those of the service.
 *
 * @param {Pick<import('../../../sandbox/index.js').Sandbox, 'store'>} service
 */
async function startStore({ store }) {
	const contacts = store.customers.all();
	const found = { contacts: 0, files: 0, differing: 0 };
	const server = createServer(async (request, response) => {
		const parts = [];
		for await (const part of request) parts.push(part);
		/** @type {Record<string, string>[]} */
		const rows = parse(Buffer.concat(parts), { bom: true, columns: true });
		for (const row of rows) {
			const contact = contacts[found.contacts++];
			// A CSV file knows only text.
			const isSame = Object.entries(contact ?? {}).every(
				([name, value]) => row[name] === String(value),
			);
			if (!contact || !isSame) found.differing++;
		}
		found.files++;
		response.end();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	after(() => server.close());
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	return { url: `http://127.0.0.1:${port}`, found };
}

/** @returns {Promise<number>} megabytes of memory that n8n takes, where the system tells */
async function memoryOfN8n() {
	const status = await readFile(`/proc/${n8n.pid}/status`, 'utf8').catch(() => '');
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

/**
 * The example, which sends its files to a store.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ api: import('../../../scripts/n8n-server/client/types.mjs').CredentialReference, url: string }} to url: the store's
 */
const importExport = async (t, { api, url }) =>
	await importCopy(t, n8n.client, 'export-contacts-in-batches.json', {
		credentials: { [CREDENTIAL_TYPE]: api },
		nodes: {
			'Put what stores the file here': {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url,
					sendBody: true,
					contentType: 'binaryData',
					inputDataFieldName: 'data',
				},
			},
		},
	});

for (const { contacts, pastTheEnd, ...switches } of /** @type {const} */ ([
	{ contacts: 4_037, pastTheEnd: 'last' },
	{ contacts: 4_000, pastTheEnd: 'last' },
	{ contacts: 4_000, pastTheEnd: 'empty' },
	{ contacts: 4_001, pastTheEnd: '404' },
	// It gives fewer rows than are asked for.
	{ contacts: 1_013, pastTheEnd: 'last', maxPageSize: 25 },
	{ contacts: 30, pastTheEnd: 'last' },
	{ contacts: 0, pastTheEnd: 'last' },
])) {
	const how = JSON.stringify({ pastTheEnd, ...switches });
	test(`${contacts} contacts are exported once each by a service of ${how}, and then it ends`, async (t) => {
		const service = await startSandbox({ counts: { customers: contacts, charges: 0 } });
		t.after(() => service.close());
		service.setSwitches({ pastTheEnd, ...switches });
		const store = await startStore(service);
		const api = await n8n.client.createCredential({
			name: t.name,
			type: CREDENTIAL_TYPE,
			data: { baseUrl: service.url, apiKey: service.apiKey },
		});
		const flow = await importExport(t, { api, url: store.url });
		const execution = await flow.run('When clicking ‘Execute workflow’', { timeoutMs: 60_000 });
		assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
		assert.equal(store.found.contacts, contacts);
		assert.equal(store.found.differing, 0);
	});
}

test('no contact is missing where others come in while the pages are read', async (t) => {
	const service = await startSandbox({ counts: { customers: 4_500, charges: 0 } });
	t.after(() => service.close());
	const { customers } = service.store;
	const [newest, ...older] = customers.all();
	assert.ok(newest);
	/** @type {Set<string>} */
	const exported = new Set();
	const store = createServer(async (request, response) => {
		const parts = [];
		for await (const part of request) parts.push(part);
		/** @type {Record<string, string>[]} */
		const rows = parse(Buffer.concat(parts), { bom: true, columns: true });
		for (const { id = '' } of rows) exported.add(id);
		response.end();
	});
	await new Promise((resolve) => store.listen(0, '127.0.0.1', () => resolve(undefined)));
	t.after(() => store.close());
	const { port } = /** @type {import('node:net').AddressInfo} */ (store.address());
	const api = await n8n.client.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: service.url, apiKey: service.apiKey },
	});
	const flow = await importExport(t, { api, url: `http://127.0.0.1:${port}` });
	let arrived = 0;
	const arriving = setInterval(() => {
		// At the top of the list, so that all others move down.
		const id = randomUUID();
		customers.insert(id, Date.now(), { ...newest, id });
		arrived++;
	}, ARRIVAL_MS);
	t.after(() => clearInterval(arriving));
	const execution = await flow.run('When clicking ‘Execute workflow’', { timeoutMs: 60_000 });
	clearInterval(arriving);
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
	assert.ok(arrived > 10, `${arrived} came in`);
	assert.deepEqual(
		older.filter(({ id }) => !exported.has(id)),
		[],
	);
});

test(`${CONTACTS.toLocaleString('en')} contacts are exported in files that hold each of them once, with memory that does not grow`, async (t) => {
	sandbox.setSwitches({ pastTheEnd: 'last' });
	const store = await startStore(sandbox);
	const flow = await importExport(t, { api: n8n.credential, url: store.url });
	const peaks = { first: 0, all: 0 };
	const look = setInterval(async () => {
		const memory = await memoryOfN8n();
		peaks.all = Math.max(peaks.all, memory);
		if (store.found.contacts <= FIRST_CONTACTS) peaks.first = Math.max(peaks.first, memory);
	}, LOOK_MS);
	t.after(() => clearInterval(look));
	const execution = await flow.run('When clicking ‘Execute workflow’', { timeoutMs: TIMEOUT_MS });
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));

	assert.deepEqual(store.found, { contacts: CONTACTS, files: CONTACTS / 2_000, differing: 0 });
	const batches = runsOf(execution, 'Export a batch').flat();
	assert.deepEqual(
		batches.map(({ json }) => json['contacts']),
		Array.from({ length: CONTACTS / 2_000 }, () => 2_000),
	);
	t.diagnostic(
		`n8n's peak memory: ${Math.round(peaks.first)} MB with the first ${FIRST_CONTACTS}, ${Math.round(peaks.all)} MB with all ${CONTACTS}`,
	);
	assert.ok(peaks.all < peaks.first * 1.5, 'the memory grows with the contacts');
});
