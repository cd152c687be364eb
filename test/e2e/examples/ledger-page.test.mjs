import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { startDatabase } from '../support/examples/database.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { connect } from '../support/session.mjs';

const { n8n } = connect();
const database = await startDatabase(n8n);

const AGREES = 'The ledger agrees with the service';
const DIFFERS = 'The ledger differs from the service';

/** @typedef {string[]} Row the cells of a row */

/**
 * @param {string} page
 * @returns {Row[][]} the rows of each table, without its head
 */
const tablesOf = (page) =>
	page
		.split('<table>')
		.slice(1)
		.map((table) =>
			table
				.split('<tr>')
				.filter((row) => row.startsWith('<td>'))
				.map((row) =>
					row
						.split('<td>')
						.slice(1)
						.map((cell) =>
							cell
								.replace(/<\/table>[^]*/, '')
								.replace(/<[^>]*>/g, '')
								.trim(),
						),
				),
		);

test('the page shows the ledger beside the service and as a picture, agrees to the last digit, and shows what is wrong as wrong', async (t) => {
	const sandbox = await startSandbox({ counts: { charges: 300 } });
	t.after(() => sandbox.close());
	const days = (/** @type {number} */ count) =>
		new Date(Date.now() - count * 86_400_000).toISOString();
	const usd = sandbox.insertCharge({
		currency: 'USD',
		total: '90071992547409.93',
		created: days(1),
	});
	sandbox.insertCharge({ currency: 'JPY', total: '9007199254740993', created: days(2) });
	const kwd = sandbox.insertCharge({ currency: 'KWD', total: '0.125', created: days(400) });
	sandbox.refundCharge(kwd.id, '0.025');
	const api = await n8n.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	const credentials = { [CREDENTIAL_TYPE]: api, postgres: database.credential };
	const ledger = await importCopy(t, n8n, 'accounting-ledger.json', { credentials });
	for (const trigger of ['When clicking ‘Execute workflow’', 'Every night']) {
		const { status, data } = await ledger.run(trigger);
		assert.equal(status, 'success', JSON.stringify(data.resultData.error));
	}
	const path = randomUUID();
	const parameters = { 'Page is opened': { path } };
	const flow = await importCopy(t, n8n, 'ledger-page.json', { credentials, parameters });
	await flow.publish();
	const open = async () => {
		const page = await (await fetch(`${n8n.baseUrl}/webhook/${path}`)).text();
		const [currencies = [], lastDays = []] = tablesOf(page);
		return { page, currencies, lastDays };
	};
	const differing = (/** @type {Row[]} */ currencies) =>
		currencies.flatMap(([currency = '', ...cells]) =>
			cells.at(-1) === 'agrees' ? [] : [currency],
		);

	const right = await open();
	assert.ok(right.page.includes(AGREES) && !right.page.includes(DIFFERS), right.page);
	const expected = serviceTotals(sandbox);
	const currencies = [...new Set(expected.map(({ currency }) => currency))].sort();
	assert.deepEqual(
		right.currencies.map(([currency]) => currency),
		currencies,
	);
	assert.deepEqual(differing(right.currencies), []);
	for (const [, ...cells] of right.currencies)
		assert.deepEqual(cells.slice(0, 3), cells.slice(3, 6));
	assert.deepEqual(
		right.currencies.find(([currency]) => currency === 'KWD')?.slice(1, 4),
		sumOf(expected.filter(({ currency }) => currency === 'KWD')),
	);
	const first = days(13).slice(0, 10);
	assert.deepEqual(
		right.lastDays.toSorted(byText),
		expected
			.filter(({ day }) => day >= first)
			.map(({ day, currency, charges, charged, refunded, net }) => [
				...[day, currency, ...[charges, charged, refunded, net].map(separated)],
			])
			.toSorted(byText),
	);
	// Most of the sandbox's charges are in this currency.
	const charged = expected.filter(({ currency, charges }) => currency === 'AED' && charges !== '0');
	const lastOf14 = Array.from({ length: 14 }, (_, index) => days(13 - index).slice(0, 10));
	assert.deepEqual(
		[...right.page.matchAll(/<g><title>(.*?)<\/title>(<rect)?/g)].map(([, title, bar]) => ({
			title,
			hasBar: bar !== undefined,
		})),
		lastOf14.map((day) => {
			const found = charged.find((total) => total.day === day);
			const what = found ? `${separated(found.charged)} AED` : 'no charges';
			return { title: `${day}: ${what}`, hasBar: found !== undefined };
		}),
	);

	/** @type {[string, string, string][]} what is wrong, what makes it so, and the currency that shows it */
	const wrongs = [
		[
			'an amount',
			`update payment_ledger set total = total + 0.01 where event_id = 'charge.created:${usd.id}'`,
			'USD',
		],
		[
			'a missing refund',
			`delete from payment_ledger where charge_id = '${kwd.id}' and event = 'charge.refunded'`,
			'KWD',
		],
		['a missing charge', `delete from payment_ledger where charge_id = '${usd.id}'`, 'USD'],
		[
			'a charge that the service does not have',
			`insert into payment_ledger (event_id, event, charge_id, happened_at, created, currency, total, refunds)
				values ('charge.created:x', 'charge.created', 'x', '2026-01-01', '2026-01-01', 'XTS', 1, '[]')`,
			'XTS',
		],
	];
	for (const [what, sql, currency] of wrongs) {
		await database.query(`create table kept as table payment_ledger; ${sql}`);
		const wrong = await open();
		assert.ok(wrong.page.includes(DIFFERS) && !wrong.page.includes(AGREES), what);
		assert.deepEqual(differing(wrong.currencies), [currency], what);
		await database.query(
			'truncate payment_ledger; insert into payment_ledger table kept; drop table kept',
		);
	}
	assert.ok((await open()).page.includes(AGREES));
});

const separated = (/** @type {string} */ amount) =>
	amount.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

const byText = (/** @type {Row} */ one, /** @type {Row} */ other) =>
	one.join(' ') < other.join(' ') ? -1 : 1;

/**
 * @param {ReturnType<typeof serviceTotals>} rows of a currency of three digits
 * @returns {Row} charges, charged and refunded
 */
function sumOf(rows) {
	const whole = (/** @type {'charged' | 'refunded'} */ field) => {
		const sum = rows.reduce((all, row) => all + BigInt(row[field].replace('.', '')), 0n);
		const text = String(sum).padStart(4, '0');
		return `${text.slice(0, -3)}.${text.slice(-3)}`;
	};
	const charges = rows.reduce((all, row) => all + Number(row.charges), 0);
	return [String(charges), whole('charged'), whole('refunded')].map(separated);
}
