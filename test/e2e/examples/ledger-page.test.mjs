import assert from 'node:assert/strict';
import { test } from 'node:test';

import { basicAuthCredential } from '../../../scripts/n8n-server/demo.mjs';
import { startDatabase } from '../support/examples/database.mjs';
import { importCopy } from '../support/examples/exampleCopy.mjs';
import { asUser } from '../support/examples/forms.mjs';
import { chargesOf, n8n, startService, USER } from '../support/session.mjs';

const database = await startDatabase(n8n);

const AGREES = 'The ledger agrees with the service';
const DIFFERS = 'The ledger differs from the service';

/** @typedef {string[]} Row the cells of a row, the last of which says whether it agrees */

/**
 * @param {string} page
 * @returns {Row[]} the rows of the table of currencies
 */
const currenciesOf = (page) =>
	[...page.matchAll(/^.*<tr><td>(.*)<span[^>]*>(agrees|differs)<\/span>/gm)].map(
		([, cells = '', verdict = '']) => [...cells.split('<td>').slice(0, -1), verdict],
	);

test('the page compares ledger and service to the last digit, and shows each difference', async (t) => {
	const { sandbox, credential } = await startService({ counts: { charges: 300 } });
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
	const user = await n8n.createCredential(basicAuthCredential(USER));
	const options = { credentials: [credential, database.credential, user] };
	const ledger = await importCopy(t, n8n, 'accounting-ledger.json', options);
	for (const trigger of [undefined, 'Every night']) await ledger.succeed(trigger);
	const flow = await importCopy(t, n8n, 'ledger-page.json', options);
	await flow.publish();
	const url = `${n8n.baseUrl}/webhook/${flow.path}`;
	assert.match(String((await fetch(url)).headers.get('www-authenticate')), /^Basic/);
	const open = async () => {
		const page = await (await fetch(url, { headers: asUser(USER) })).text();
		return { page, currencies: currenciesOf(page) };
	};
	const differing = (/** @type {Row[]} */ currencies) =>
		currencies.flatMap(([currency = '', ...cells]) =>
			cells.at(-1) === 'agrees' ? [] : [currency],
		);

	const right = await open();
	assert.ok(right.page.includes(AGREES) && !right.page.includes(DIFFERS), right.page);
	const currencies = chargesOf(sandbox).map(({ currency }) => currency);
	assert.deepEqual(
		right.currencies.map(([currency]) => currency),
		[...new Set(currencies)].sort(),
	);
	assert.deepEqual(differing(right.currencies), []);
	for (const [, ...cells] of right.currencies)
		assert.deepEqual(cells.slice(0, 3), cells.slice(3, 6));

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
