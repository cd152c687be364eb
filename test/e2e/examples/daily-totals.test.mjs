import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { rowsOfCsv } from '../support/examples/csv.mjs';
import { fileOf } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { chargesOf, insertOdd, n8n, startExample } from '../support/session.mjs';

/** @typedef {import('../../../sandbox/index.js').Sandbox} Sandbox */

/**
 * The example, with a service for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} charges that the service has
 * @param {(sandbox: Sandbox) => void} stage makes more of them
 */
async function startTotals(t, charges, stage) {
	const { sandbox, flow } = await startExample(t, 'daily-totals.json', { counts: { charges } });
	stage(sandbox);
	const runToCsv = async (/** @type {Parameters<typeof rowsOfCsv>[1]} */ options = {}) => {
		const execution = await flow.succeed();
		return rowsOfCsv(await fileOf(n8n, execution, 'Convert to CSV', 'daily-totals.csv'), options);
	};
	return { sandbox, flow, runToCsv };
}

test('the totals per day and currency are exact to the last digit, unlike floats', async (t) => {
	const { sandbox, runToCsv } = await startTotals(t, 1_000, (service) => {
		// Totals that a float can't contain, and cents whose float sum is wrong.
		for (const total of ['0.10', '0.20', '90071992547409.93', '90071992547409.91'])
			service.insertCharge({ currency: 'USD', total });
		service.insertCharge({ currency: 'JPY', total: '9007199254740993' });
		service.refundCharge(service.insertCharge({ currency: 'KWD', total: '9007199254740.993' }).id);
	});
	const expected = serviceTotals(chargesOf(sandbox));
	assert.ok(expected.some(({ charged }) => Number(charged) > Number.MAX_SAFE_INTEGER));
	assert.deepEqual(await runToCsv({ columns: true }), expected);
});

test('refunds without a date have their own row, exact to the last digit', async (t) => {
	const created = '2026-01-31T12:00:00Z';
	const record = (/** @type {string} */ amount) => ({ created: '2026-02-01T10:00:00Z', amount });
	const { runToCsv } = await startTotals(t, 0, (service) => {
		const charge = (/** @type {Record<string, unknown>} */ draft) =>
			insertOdd(service, { created, ...draft });
		// Records are missing, one can't be read, and there are none at all.
		const kwd = { currency: 'KWD', total: '9007199254740.993' };
		charge({ ...kwd, refund_total: '9007199254740.992', refunds: [record('0.001')] });
		const usd = { currency: 'USD', total: '100.00' };
		charge({ ...usd, refund_total: '5.00', refunds: [record('2.00'), record('three')] });
		charge({ ...usd, refund_total: '0.20', refunds: null });
	});
	const row = (/** @type {string} */ text) => {
		const [day, currency, charges, charged, refunded, net] = text.split(' ');
		return { day, currency, charges, charged, refunded, net };
	};
	assert.deepEqual(
		await runToCsv({ columns: true }),
		[
			'2026-01-31 KWD 1 9007199254740.993 0.000 9007199254740.993',
			'2026-01-31 USD 2 200.00 0.00 200.00',
			'2026-02-01 KWD 0 0.000 0.001 -0.001',
			'2026-02-01 USD 0 0.00 2.00 -2.00',
			'undated KWD 0 0.000 9007199254740.991 -9007199254740.991',
			'undated USD 0 0.00 3.20 -3.20',
		].map(row),
	);
});

test('an amount that can’t be read stops the workflow', async (t) => {
	const { flow } = await startTotals(t, 10, (service) => insertOdd(service, { total: '12,50' }));
	const execution = await flow.run();
	assert.equal(execution.status, 'error', JSON.stringify(outputOf(execution, 'One row each')));
	assert.match(`${execution.data.resultData.error?.message}`, /can’t be read/);
});

test('an account without charges gets a file with only the header row', async (t) => {
	const { runToCsv } = await startTotals(t, 0, () => undefined);
	assert.deepEqual(await runToCsv(), [
		['day', 'currency', 'charges', 'charged', 'refunded', 'net'],
	]);
});
