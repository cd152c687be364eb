import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';
import { execa } from 'execa';

import { ensureInstalled } from '../../../scripts/installed/ensure.mjs';
import { temporaryFolder } from '../../../scripts/lib/temporary.mjs';
import { cellOf, FORMULAS, NUMBERS, rowsOfCsv } from '../support/examples/csv.mjs';
import { fileOf } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { chargesOf, insertOdd, n8n, startExample } from '../support/session.mjs';

/**
 * The journals are read by hledger, which knows nothing of us. Without it these tests are left out, unless
 * HLEDGER_TESTS=required.
 */

/** @typedef {import('../../../sandbox/index.js').Sandbox} Sandbox */
/** @typedef {Record<string, string>} Row */

const hledger = await ensureInstalled({
	names: ['hledger'],
	variable: 'HLEDGER_PATH',
	debian: 'hledger',
	effort: 'hledger (usually 20 s)',
});
const skip =
	hledger === undefined &&
	process.env['HLEDGER_TESTS'] !== 'required' &&
	'there is no hledger. Install it (Debian: apt-get install hledger), or name it in HLEDGER_PATH.';

const folder = temporaryFolder('n8n-e2e-journal');

/** Without a locale, hledger reads ASCII only. */
const IN_UTF8 = { LC_ALL: 'C.UTF-8' };

const inOneCell = (/** @type {string} */ text) => text.replace(/[;|\s\0]+/g, ' ');

/** Last month, in UTC. */
const NOW = new Date();
const LAST = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1));
const MONTH = LAST.toISOString().slice(0, 'YYYY-MM'.length);

/**
 * Runs the example with a service for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} options
 * @param {number} options.charges that the service has
 * @param {(sandbox: Sandbox) => void} options.stage makes more of them
 */
async function makeJournal(t, { charges, stage }) {
	const { sandbox, flow } = await startExample(t, 'monthly-journal.json', { counts: { charges } });
	stage(sandbox);
	const execution = await flow.succeed();
	const name = `payments-${MONTH}`;
	const csv = await fileOf(n8n, execution, 'Convert to CSV', `${name}.csv`);
	const text = String(
		await fileOf(n8n, execution, 'Convert to journal', `${name}.journal`, 'text/plain'),
	);
	const path = join(folder, `${sandbox.url.replace(/\W+/g, '-')}.journal`);
	await writeFile(path, text);
	/** @param {string[]} words @returns {Promise<string>} what hledger says */
	const ask = async (...words) =>
		(await execa(hledger ?? '', ['--file', path, ...words], { env: IN_UTF8 })).stdout;
	await ask('check', 'accounts', 'ordereddates', 'balancednoautoconversion');
	/** @returns {Promise<Row[]>} */
	const table = async (/** @type {string[]} */ ...words) =>
		parse(await ask(...words, '--output-format=csv'), { columns: true });
	return {
		sandbox,
		/** @type {Row[]} what the CSV file books, and what it does not */
		rows: rowsOfCsv(csv, { columns: true }),
		postings: async () => await table('print'),
		/** @returns {Promise<Row>} by currency */
		async balance(/** @type {string} */ account) {
			const rows = await table('balance', account, '--layout=bare', '--no-total');
			return Object.fromEntries(
				rows.map(({ commodity = '', balance = '' }) => [commodity, balance]),
			);
		},
	};
}

test(
	'hledger finds all bookings balanced, and the service’s totals to the last digit',
	{ skip },
	async (t) => {
		const { sandbox, rows, postings, balance } = await makeJournal(t, {
			charges: 2_000,
			stage(service) {
				const created = `${MONTH}-20T10:00:00Z`;
				for (const total of ['0.10', '0.20', '90071992547409.93', '90071992547409.91'])
					service.insertCharge({ created, currency: 'USD', total });
				service.insertCharge({ created, currency: 'JPY', total: '9007199254740993' });
				service.insertCharge({ created, currency: 'KWD', total: '1.234' });
				service.insertCharge({ created, currency: 'AED', total: '12345.67' });
			},
		});
		const monthOf = (/** @type {string} */ moment) =>
			new Date(moment).toISOString().slice(0, MONTH.length);
		const paid = chargesOf(sandbox).filter(
			({ status, refunds }) => status === 'authorised' || refunds.length > 0,
		);
		const expected = serviceTotals(paid, monthOf).filter(({ day }) => day === MONTH);
		assert.ok(expected.some(({ charged }) => Number(charged) > Number.MAX_SAFE_INTEGER));
		const byCurrency = (/** @type {'charged' | 'refunded'} */ field, sign = '') =>
			Object.fromEntries(
				expected
					.filter((total) => Number(total[field]) !== 0)
					.map((total) => [total.currency, sign + total[field]]),
			);
		assert.deepEqual(await balance('Income:Sales'), byCurrency('charged', '-'));
		assert.deepEqual(await balance('Income:Refunds'), byCurrency('refunded'));

		// The service settles in AED: only there can fees be booked.
		const cents = paid
			.filter(({ currency, created }) => currency === 'AED' && monthOf(created) === MONTH)
			.reduce((sum, { fee }) => sum + Math.round(fee * 100), 0);
		assert.deepEqual(await balance('Expenses:Payment fees'), { AED: (cents / 100).toFixed(2) });

		// The same in both files.
		assert.deepEqual(
			(await postings()).map(({ date, code, account, amount, commodity }) => [
				...[date, code, account, amount, commodity],
			]),
			rows
				.filter(({ account }) => account)
				.map(({ date, event_id, account, amount, currency }) => [
					...[date, event_id, account, amount, currency],
				]),
		);
	},
);

test(
	'no text of a charge can break the journal or write a formula into a cell',
	{ skip },
	async (t) => {
		const texts = [
			...FORMULAS,
			...NUMBERS,
			'Order 7\n2026-01-01 * forged\n    Income:Sales  AED 5.00',
			'x ; date:2020-13-45, [2020-99-99] (code) | payee: y\u2028z\r\nP 2026-01-01 AED 4 USD',
		];
		const { rows, postings } = await makeJournal(t, {
			charges: 0,
			stage(service) {
				const usual = { currency: 'AED', created: `${MONTH}-10T10:00:00Z`, total: '1.00' };
				for (const text of texts) {
					insertOdd(service, { ...usual, note: text, payment_method: text });
					insertOdd(service, { ...usual, note: text, status: text, total: text });
					insertOdd(service, { ...usual, currency: text });
				}
			},
		});
		const notes = rows.map(({ note }) => note);
		// No text has a tab or the end of a line.
		for (const text of [...FORMULAS, ...NUMBERS].filter((each) => each.trim()))
			assert.ok(notes.includes(inOneCell(cellOf(text))), text);
		const booked = await postings();
		assert.deepEqual([...new Set(booked.map(({ date, amount }) => `${date} ${amount}`))].sort(), [
			`${MONTH}-10 -1.00`,
			`${MONTH}-10 1.00`,
		]);
		assert.equal(booked.length, 2 * texts.length);
	},
);
