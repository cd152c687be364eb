import assert from 'node:assert/strict';
import { test } from 'node:test';

import { runsOf } from '../../../scripts/n8n-server/client/index.mjs';
import { startDatabase } from '../support/examples/database.mjs';
import { everySeconds, importCopy, pollTimes } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { chargesOf, n8n, startService } from '../support/session.mjs';
import { until } from '../support/until.mjs';

const MISSING = 'Write what is missing';
const HOURLY = 'Every hour';
const NIGHTLY = 'Every night';

const database = await startDatabase(n8n);
const eventIds = async () =>
	(await database.query('select event_id from payment_ledger')).map((row) => row['event_id']);

/**
 * A service and a ledger for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ charges?: number }} [options]
 */
async function startLedger(t, { charges = 500 } = {}) {
	const { sandbox, credential } = await startService({
		counts: { charges },
		// The last page once more, in place of none.
		switches: { pastTheEnd: 'last' },
	});
	await database.query(
		'drop table if exists payment_ledger, payment_ledger_checks, payment_ledger_reconciliations cascade',
	);
	const importLedger = async (settings = {}) =>
		await importCopy(t, n8n, 'accounting-ledger.json', {
			credentials: [credential, database.credential],
			parameters: { 'Charge event': { pollTimes: pollTimes(everySeconds(2)) } },
			nodes: {
				'Write into the ledger': { waitBetweenTries: 100 },
				'Get a page': { waitBetweenTries: 100 },
			},
			settings,
		});
	const flow = await importLedger();
	await flow.succeed();

	const reconcile = async (trigger = HOURLY) => {
		const before = new Set(await eventIds());
		const execution = await flow.succeed(trigger);
		// One item for any number of events: n8n's If after it takes half a millisecond for each.
		for (const items of runsOf(execution, MISSING)) assert.equal(items.length, 1);
		return (await eventIds()).filter((id) => !before.has(id));
	};
	const totals = async () =>
		await database.query(
			'select day, currency, charges, charged, refunded, net from payment_totals where unreadable = 0 order by day, currency',
		);
	return {
		sandbox,
		flow,
		/** Another one beside it, with the same service and ledger. */
		importLedger,
		/** Reconciles, and gives the event_ids of what was missing. */
		reconcile,
		/** Waits until the ledger's view shows what the service holds, per day and currency, to the last digit. */
		async untilBalanced() {
			await until(async () => assert.deepEqual(await totals(), serviceTotals(chargesOf(sandbox))));
		},
	};
}

test('the ledger contains each charge, refund and status once, and balances with the service per day and currency', async (t) => {
	const { sandbox, flow, importLedger, untilBalanced } = await startLedger(t);
	const old = sandbox.insertCharge({
		created: new Date(Date.now() - 200 * 86_400_000).toISOString(),
	});
	await flow.publish();
	await untilBalanced();

	const charges = ['USD', 'JPY', 'KWD'].flatMap((currency) =>
		Array.from({ length: 40 }, () => sandbox.insertCharge({ currency })),
	);
	const [first, second] = charges;
	assert.ok(first && second);
	await untilBalanced();
	sandbox.refundCharge(first.id);
	sandbox.setChargeStatus(second.id, 'captured');
	sandbox.refundCharge(old.id);
	await untilBalanced();
	const changed = `charge.statusChanged:${second.id}:captured`;
	await until(async () => assert.ok((await eventIds()).includes(changed), changed));
	const before = (await eventIds()).sort();

	// A second copy emits all events again, into the same ledger.
	const again = await importLedger({ saveDataSuccessExecution: 'all' });
	await again.publish();
	await until(async () => assert.equal((await again.executions()).at(-1)?.status, 'success'));
	assert.deepEqual((await eventIds()).sort(), before);
	await untilBalanced();
});

test('while the database is down, the execution fails with the reason, and its retry writes all events', async (t) => {
	const { sandbox, flow, untilBalanced } = await startLedger(t);
	await flow.publish();
	await untilBalanced();

	await database.stop();
	sandbox.insertCharge();
	const { id } = await until(async () => {
		const [last] = await flow.executions();
		return last?.status === 'error' ? last : assert.fail('no execution has failed');
	});
	await database.start();
	const { data } = await n8n.finishedExecution(id);
	assert.match(`${data.resultData.error?.message}`, /refused/);
	await n8n.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	await untilBalanced();
});

test('the hourly run adds events that n8n lost of the last 30 days, and the nightly run those of any age', async (t) => {
	const { sandbox, flow, reconcile, untilBalanced } = await startLedger(t);
	const before = (/** @type {number} */ days) => {
		const created = new Date(Date.now() - days * 86_400_000).toISOString();
		return sandbox.insertCharge({ created, currency: 'USD', total: '90.00' });
	};
	const [recent, old, oldest] = [before(29), before(60), before(900)];
	await flow.publish();
	await untilBalanced();
	assert.deepEqual(await reconcile(), []);
	assert.deepEqual(await reconcile(NIGHTLY), []);

	// n8n does not see these changes.
	await n8n.unpublish(flow.id);
	for (const { id } of [recent, old, oldest]) {
		sandbox.refundCharge(id, '30.00');
		sandbox.refundCharge(id, '20.00');
		sandbox.setChargeStatus(id, 'disputed');
	}
	await database.query(`delete from payment_ledger where charge_id = '${oldest.id}'`);

	assert.deepEqual((await reconcile()).sort(), [
		`charge.refunded:${recent.id}:30.00`,
		`charge.refunded:${recent.id}:50.00`,
		`charge.statusChanged:${recent.id}:disputed`,
	]);
	const nightly = await reconcile(NIGHTLY);
	assert.deepEqual(
		nightly.sort(),
		[
			`charge.created:${oldest.id}`,
			...[old, oldest].flatMap(({ id }) => [
				`charge.refunded:${id}:50.00`,
				`charge.statusChanged:${id}:disputed`,
			]),
		].sort(),
	);
	await untilBalanced();
	const [disputed] = await database.query(
		"select charges, total from payment_statuses where status = 'disputed'",
	);
	assert.deepEqual(disputed, { charges: '3', total: '270.00' });
	assert.deepEqual(await reconcile(), []);
	assert.deepEqual(await reconcile(NIGHTLY), []);
});

test('new charges between the pages of the nightly run hide no older ones', async (t) => {
	const { sandbox, reconcile, untilBalanced } = await startLedger(t, { charges: 2_100 });
	for (const page of [3, 20, 21])
		sandbox.addFault({ match: { page, times: 1 }, action: { insertCharges: 70 } });
	const before = chargesOf(sandbox).map(({ id }) => id);
	const written = new Set(await reconcile(NIGHTLY));
	assert.deepEqual(
		before.filter((id) => !written.has(`charge.created:${id}`)),
		[],
	);
	assert.ok(chargesOf(sandbox).length > before.length);
	await reconcile(NIGHTLY);
	await untilBalanced();
	assert.deepEqual(await reconcile(NIGHTLY), []);
});

test('if a page can’t be read, the execution says how far it got, and the next one reconciles all charges', async (t) => {
	const { flow, sandbox, reconcile, untilBalanced } = await startLedger(t, { charges: 2_500 });
	sandbox.addFault({ match: { page: 30 }, action: { status: 400 } });
	const failed = await flow.run(NIGHTLY);
	assert.equal(failed.status, 'error');
	assert.match(
		`${failed.data.resultData.error?.message}`,
		/stopped between pages 21 and 40: .*HTTP 400.* The 2000 charges on earlier pages are reconciled/,
	);
	const created = (await eventIds()).filter((id) => id.startsWith('charge.created:'));
	assert.equal(created.length, 2_000);

	sandbox.clearFaults();
	assert.ok((await reconcile(NIGHTLY)).length >= 500);
	await untilBalanced();
});

test('a charge that can’t be read delays no other, and days are in UTC regardless of the database’s time zone', async (t) => {
	await startLedger(t);
	await database.query("alter role current_user set timezone to 'America/New_York'");
	t.after(() => database.query('alter role current_user reset timezone'));
	const refunded = (/** @type {string} */ id, /** @type {unknown} */ refunds) => ({
		event_id: `charge.refunded:${id}:5.00`,
		event: 'charge.refunded',
		charge_id: id,
		created: '2026-01-31T23:30:00Z',
		currency: 'USD',
		total: '10.00',
		refund_total: '5.00',
		refunds,
		status: 'authorised',
		status_at: 'soon',
	});
	const items = [
		{
			...refunded('a', []),
			event_id: 'charge.created:a',
			event: 'charge.created',
			created: '2026-01-31T23:30:00',
		},
		refunded('b', [{ created: '', amount: '5.00' }]),
		refunded('c', [{ created: '2026-02-01T10:00:00Z', amount: 'five' }]),
		refunded('d', {}),
		refunded('e', ['5.00']),
	];
	await database.query(`select from payment_ledger_write('${JSON.stringify(items)}')`);
	const days = await database.query(
		'select day, sum(net) as net from payment_totals group by day order by day limit 2',
	);
	assert.deepEqual(days, [
		{ day: '2026-01-31', net: '10.00' },
		{ day: '2026-02-01', net: '-5.00' },
	]);
	const [all] = await database.query('select sum(refunded) as refunded from payment_totals');
	assert.equal(all?.['refunded'], '20.00');
});
