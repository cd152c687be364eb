import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { connect } from '../support/session.mjs';

const { n8n } = connect();

test('the totals per day and currency are exact to the last digit, where floats are not', async (t) => {
	const sandbox = await startSandbox({ counts: { charges: 1_000 } });
	t.after(() => sandbox.close());
	// More than a float can hold exactly, and in cents whose float sum is off.
	for (const total of ['0.10', '0.20', '90071992547409.93', '90071992547409.91'])
		sandbox.insertCharge({ currency: 'USD', total });
	sandbox.insertCharge({ currency: 'JPY', total: '9007199254740993' });
	sandbox.refundCharge(sandbox.insertCharge({ currency: 'KWD', total: '9007199254740.993' }).id);
	const api = await n8n.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	const flow = await importCopy(t, n8n, 'daily-totals.json', {
		credentials: { [CREDENTIAL_TYPE]: api },
	});
	const execution = await flow.run('When clicking ‘Execute workflow’');
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));

	const expected = serviceTotals(sandbox);
	assert.ok(expected.some(({ charged }) => Number(charged) > Number.MAX_SAFE_INTEGER));
	const [item] = outputOf(execution, 'Convert to CSV');
	const file = item?.binary?.['data'];
	assert.ok(file);
	assert.deepEqual(parse(await n8n.readFile(file), { bom: true, columns: true }), expected);
});

test('an amount that can’t be read stops the workflow', async (t) => {
	const sandbox = await startSandbox({ counts: { charges: 10 } });
	t.after(() => sandbox.close());
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '12.50' });
	const stored = sandbox.store.charges.get(id);
	assert.ok(stored);
	stored.charge.total = '12,50';
	const api = await n8n.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	const flow = await importCopy(t, n8n, 'daily-totals.json', {
		credentials: { [CREDENTIAL_TYPE]: api },
	});
	const execution = await flow.run('When clicking ‘Execute workflow’');
	assert.equal(execution.status, 'error', JSON.stringify(outputOf(execution, 'One row each')));
	assert.match(`${execution.data.resultData.error?.message}`, /can’t be read/);
});
