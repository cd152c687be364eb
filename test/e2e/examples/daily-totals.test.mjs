import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { connect } from '../support/session.mjs';

/** @typedef {import('../../../sandbox/index.js').Sandbox} Sandbox */

const { n8n } = connect();

/**
 * Runs the example with a service for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} charges that the service has
 * @param {(sandbox: Sandbox) => void} stage makes more of them
 */
async function runTotals(t, charges, stage) {
	const sandbox = await startSandbox({ counts: { charges } });
	t.after(() => sandbox.close());
	stage(sandbox);
	const api = await n8n.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	const flow = await importCopy(t, n8n, 'daily-totals.json', {
		credentials: { [CREDENTIAL_TYPE]: api },
	});
	return { sandbox, execution: await flow.run('When clicking ‘Execute workflow’') };
}

/** @param {import('../../../scripts/n8n-server/client/types.mjs').Execution} execution */
async function rowsOf(execution) {
	assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
	const [item] = outputOf(execution, 'Convert to CSV');
	const file = item?.binary?.['data'];
	assert.ok(file);
	return parse(await n8n.readFile(file), { bom: true, columns: true });
}

/**
 * A charge as no sandbox would make it.
 *
 * @param {Sandbox} sandbox
 * @param {Record<string, unknown>} draft
 */
function insertOdd(sandbox, draft) {
	const stored = sandbox.store.charges.get(sandbox.insertCharge().id);
	assert.ok(stored);
	Object.assign(stored.charge, draft);
}

test('the totals per day and currency are exact to the last digit, where floats are not', async (t) => {
	const { sandbox, execution } = await runTotals(t, 1_000, (service) => {
		// More than a float can hold exactly, and in cents whose float sum is off.
		for (const total of ['0.10', '0.20', '90071992547409.93', '90071992547409.91'])
			service.insertCharge({ currency: 'USD', total });
		service.insertCharge({ currency: 'JPY', total: '9007199254740993' });
		service.refundCharge(service.insertCharge({ currency: 'KWD', total: '9007199254740.993' }).id);
	});
	const expected = serviceTotals(sandbox);
	assert.ok(expected.some(({ charged }) => Number(charged) > Number.MAX_SAFE_INTEGER));
	assert.deepEqual(await rowsOf(execution), expected);
});

test('what is refunded without a record that says when has a row of its own, to the last digit', async (t) => {
	const created = '2026-01-31T12:00:00Z';
	const record = (/** @type {string} */ amount, day = '2026-02-01') => ({
		created: `${day}T10:00:00Z`,
		amount,
	});
	const { execution } = await runTotals(t, 0, (service) => {
		const charge = (/** @type {Record<string, unknown>} */ draft) =>
			insertOdd(service, { created, ...draft });
		// Records are missing, one can't be read, and there are none at all.
		const kwd = { currency: 'KWD', total: '9007199254740.993' };
		charge({ ...kwd, refund_total: '9007199254740.992', refunds: [record('0.001')] });
		const usd = { currency: 'USD', total: '100.00' };
		charge({ ...usd, refund_total: '30.10', refunds: [record('10.00'), { amount: '20.10' }] });
		charge({ ...usd, refund_total: '5.00', refunds: [record('2.00'), record('three')] });
		charge({ ...usd, refund_total: '0.20', refunds: null });
		// Nothing was refunded, or all of it has a record.
		charge({ ...usd, refund_total: '0.00', refunds: [] });
		charge({ ...usd, refund_total: '7.00', refunds: [record('3.00'), record('4.00')] });
		// Records of more than was refunded, as that of a refund that failed would be.
		charge({ currency: 'JPY', total: '500', refund_total: '200', refunds: [record('300')] });
		// What one charge has too much is not set off against what another one lacks.
		const eur = { currency: 'EUR', total: '50.00', refund_total: '10.00' };
		charge({ ...eur, refunds: [record('15.00')] });
		charge({ ...eur, refunds: [record('5.00')] });
	});
	const row = (/** @type {string} */ text) => {
		const [day, currency, charges, charged, refunded, net] = text.split(' ');
		return { day, currency, charges, charged, refunded, net };
	};
	assert.deepEqual(
		await rowsOf(execution),
		[
			'2026-01-31 EUR 2 100.00 0.00 100.00',
			'2026-01-31 JPY 1 500 0 500',
			'2026-01-31 KWD 1 9007199254740.993 0.000 9007199254740.993',
			'2026-01-31 USD 5 500.00 0.00 500.00',
			'2026-02-01 EUR 0 0.00 20.00 -20.00',
			'2026-02-01 JPY 0 0 300 -300',
			'2026-02-01 KWD 0 0.000 0.001 -0.001',
			'2026-02-01 USD 0 0.00 19.00 -19.00',
			'undated EUR 0 0.00 0.00 0.00',
			'undated JPY 0 0 -100 100',
			'undated KWD 0 0.000 9007199254740.991 -9007199254740.991',
			'undated USD 0 0.00 23.30 -23.30',
		].map(row),
	);
});

for (const [what, draft] of /** @type {[string, object][]} */ ([
	['an amount that can’t be read', { total: '12,50' }],
	['a refund total that can’t be read', { refund_total: '12,50' }],
	['a time of creation that can’t be read', { created: null }],
	[
		'a refund that can’t be read of a charge that does not say what is refunded in all',
		{ refund_total: null, refunds: [{ created: '2026-02-01', amount: 'five' }] },
	],
])) {
	test(`${what} stops the workflow`, async (t) => {
		const { execution } = await runTotals(t, 10, (service) => insertOdd(service, draft));
		assert.equal(execution.status, 'error', JSON.stringify(outputOf(execution, 'One row each')));
		assert.match(`${execution.data.resultData.error?.message}`, /can’t be read/);
	});
}
