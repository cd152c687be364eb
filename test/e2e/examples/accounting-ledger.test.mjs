import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { runsOf } from '../../../scripts/n8n-server/client/index.mjs';
import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { startDatabase } from '../support/examples/database.mjs';
import { EVERY_TWO_SECONDS, importCopy } from '../support/examples/exampleCopy.mjs';
import { serviceTotals } from '../support/examples/serviceTotals.mjs';
import { connect } from '../support/session.mjs';
import { until } from '../support/until.mjs';

/** @typedef {import('../../../sandbox/index.js').Sandbox} Sandbox */

const FILE = 'accounting-ledger.json';
const TRIGGER = 'Charge event';
const WRITE = 'Write into the ledger';
const MISSING = 'Write what is missing';
const PAGE = 'Get a page';
const HOURLY = 'Every hour';
const NIGHTLY = 'Every night';
const SET_UP = 'When clicking ‘Execute workflow’';

const { n8n } = connect();
const database = await startDatabase(n8n);

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} api
 * @param {Pick<NonNullable<Parameters<typeof importCopy>[3]>, 'nodes' | 'parameters' | 'settings'>} [changes]
 */
const importLedger = async (t, api, { nodes = {}, parameters = {}, settings = {} } = {}) =>
	await importCopy(t, n8n, FILE, {
		credentials: { [CREDENTIAL_TYPE]: api, postgres: database.credential },
		parameters: { [TRIGGER]: { pollTimes: EVERY_TWO_SECONDS }, ...parameters },
		nodes: { [WRITE]: { waitBetweenTries: 100 }, [PAGE]: { waitBetweenTries: 100 }, ...nodes },
		settings,
	});

/**
 * A service and a ledger for one test alone.
 *
 * @param {import('node:test').TestContext} t
 * @param {Pick<NonNullable<Parameters<typeof startSandbox>[0]>, 'switches'> & { charges?: number }} [options]
 */
async function startLedger(t, { charges = 500, switches = {} } = {}) {
	const sandbox = await startSandbox({ counts: { charges }, switches });
	t.after(() => sandbox.close());
	await database.query(
		'drop table if exists payment_ledger, payment_ledger_checks, payment_ledger_reconciliations cascade',
	);
	const api = await n8n.createCredential({
		name: t.name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	const flow = await importLedger(t, api);
	const setUp = await flow.run(SET_UP);
	assert.equal(setUp.status, 'success', JSON.stringify(setUp.data.resultData.error));

	const eventIds = async () =>
		(await database.query('select event_id from payment_ledger')).map((row) => row['event_id']);
	const reconcile = async (trigger = HOURLY) => {
		const before = new Set(await eventIds());
		const execution = await flow.run(trigger);
		assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
		// However many events were missing: n8n's If behind it takes half a millisecond for each item.
		for (const items of runsOf(execution, MISSING)) assert.equal(items.length, 1);
		return (await eventIds()).filter((id) => !before.has(id));
	};
	const totals = async () =>
		await database.query(
			'select day, currency, charges, charged, refunded, net from payment_totals where unreadable = 0 order by day, currency',
		);
	return {
		sandbox,
		api,
		flow,
		/** Reconciles, and gives the event_ids of what was missing. */
		reconcile,
		/** How far each reconciliation of all charges came, oldest first. */
		reconciliations: async () =>
			await database.query(
				'select pages, charges, missing, finished_at is not null as finished from payment_ledger_reconciliations order by id',
			),
		/** Waits until the ledger's view shows what the service holds, per day and currency, to the last digit. */
		async untilBalanced() {
			await until(
				async () => same(await totals(), serviceTotals(sandbox)),
				async () =>
					`the ledger shows\n${text(await totals())}\nand the service holds\n${text(serviceTotals(sandbox))}\n${JSON.stringify(await flow.executions())}`,
				40_000,
			);
		},
	};
}

const text = (/** @type {object[]} */ rows) => rows.map((row) => JSON.stringify(row)).join('\n');
const same = (/** @type {object[]} */ one, /** @type {object[]} */ other) =>
	text(one) === text(other);

test('the ledger holds every charge, refund and change of status once, and balances with the service per day and currency', async (t) => {
	const { sandbox, api, flow, untilBalanced } = await startLedger(t);
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
	await until(
		async () =>
			(await database.query(`select from payment_ledger where charge_id = '${second.id}'`))
				.length === 2,
		() => 'the change of status is not in the ledger',
	);
	const statuses = await database.query(
		"select charges, total from payment_statuses where currency = 'USD' and status = 'captured'",
	);
	const captured = sandbox.store.charges
		.all()
		.map(({ charge }) => charge)
		.filter(({ currency, status }) => currency === 'USD' && status === 'captured');
	assert.equal(statuses[0]?.['charges'], String(captured.length));

	// Everything is told again, to the same ledger.
	const [before] = await database.query('select count(*) from payment_ledger');
	const again = await importLedger(t, api, { settings: { saveDataSuccessExecution: 'all' } });
	await again.publish();
	await until(
		async () => (await again.executions()).some(({ status }) => status === 'success'),
		() => 'nothing was told again',
	);
	const [after] = await database.query('select count(*) from payment_ledger');
	assert.deepEqual(after, before);
	await untilBalanced();
});

test('what happens while the database is down is a failed execution that says so, and a retry of it writes everything', async (t) => {
	const { sandbox, flow, untilBalanced } = await startLedger(t);
	await flow.publish();
	await untilBalanced();

	await database.stop();
	sandbox.insertCharge();
	const failed = async () => (await flow.executions()).filter(({ status }) => status === 'error');
	await until(
		async () => (await failed()).length > 0,
		() => 'no execution has failed',
	);
	await database.start();
	const [{ id } = { id: '' }] = await failed();
	const { data } = await n8n.finishedExecution(id);
	assert.match(`${data.resultData.error?.message}`, /refused/);
	await n8n.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	await untilBalanced();
});

test('what n8n lost, whatever it was, is in the ledger after the next reconciliation, and nothing else', async (t) => {
	const { sandbox, flow, reconcile, untilBalanced } = await startLedger(t);
	await flow.publish();
	await untilBalanced();
	assert.deepEqual(await reconcile(), []);

	// Executions that fail, and that nobody retries.
	await database.stop();
	const [charge, refunded] = [sandbox.insertCharge(), sandbox.insertCharge()];
	assert.ok(charge && refunded);
	sandbox.refundCharge(refunded.id);
	const failed = async () => (await flow.executions()).filter(({ status }) => status === 'error');
	await until(
		async () => (await failed()).length > 0,
		() => 'no execution has failed',
	);
	await n8n.unpublish(flow.id);
	await database.start();
	const later = sandbox.insertCharge();
	sandbox.setChargeStatus(charge.id, 'captured');

	const missing = await reconcile();
	for (const { id } of [charge, refunded, later])
		assert.ok(missing.includes(`charge.created:${id}`), `${id} is not in ${missing}`);
	await untilBalanced();
	const [status] = await database.query(
		`select status from payment_ledger where charge_id = '${charge.id}' order by status_at desc limit 1`,
	);
	assert.equal(status?.['status'], 'captured');
	assert.deepEqual(await reconcile(), []);

	// A ledger that never got its older half, and that was never reconciled.
	await database.query(
		'delete from payment_ledger_checks; delete from payment_ledger_reconciliations; delete from payment_ledger where created < (select percentile_disc(0.5) within group (order by created) from payment_ledger)',
	);
	assert.ok((await reconcile()).length > 0);
	await untilBalanced();
});

test('what n8n lost of charges of any age is in the ledger after the night, and of those of 30 days after the hour', async (t) => {
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

	// What n8n was not there to see.
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

for (const { charges, read = charges, batches, ...switches } of /** @type {const} */ ([
	// Its last page comes once more, in place of none; the ledger takes each charge once.
	{ charges: 2_000, read: 2_100, batches: 2, pastTheEnd: 'last' },
	{ charges: 2_000, batches: 2, pastTheEnd: 'empty' },
	{ charges: 2_001, batches: 2, pastTheEnd: '404' },
	{ charges: 2_000, read: 2_100, batches: 2, pastTheEnd: 'last', omitCount: true },
	// It gives fewer rows than are asked for.
	{ charges: 1_013, batches: 3, pastTheEnd: 'last', maxPageSize: 25 },
	{ charges: 0, batches: 1, pastTheEnd: 'last' },
])) {
	const how = JSON.stringify(switches);
	test(`${charges} charges are reconciled by night in batches, of a service of ${how}, and then it ends`, async (t) => {
		const { reconcile, untilBalanced, reconciliations } = await startLedger(t, {
			...{ charges, switches },
		});
		const missing = await reconcile(NIGHTLY);
		await untilBalanced();
		const all = { pages: String(20 * batches), charges: String(read) };
		assert.deepEqual(await reconciliations(), [
			{ ...all, missing: String(missing.length), finished: 't' },
		]);
	});
}

test('the second night writes what is missing since the first, on whatever page it is, and the third nothing', async (t) => {
	const { sandbox, reconcile, untilBalanced } = await startLedger(t, { charges: 2_100 });
	await reconcile(NIGHTLY);
	const charges = sandbox.store.charges.all();
	const [oldest, newest] = [charges.at(0), charges.at(-1)].map((each) => each?.charge.id);
	await database.query(`delete from payment_ledger where charge_id in ('${oldest}', '${newest}')`);
	const late = sandbox.insertCharge({ created: '2020-01-31T12:00:00Z' });
	sandbox.refundCharge(late.id);
	const missing = await reconcile(NIGHTLY);
	for (const id of [oldest, newest, late.id])
		assert.ok(missing.includes(`charge.created:${id}`), `${id} is not in ${missing}`);
	await untilBalanced();
	assert.deepEqual(await reconcile(NIGHTLY), []);
});

for (const rowOrder of /** @type {const} */ (['newestFirst', 'oldestFirst']))
	test(`charges that come in between the pages of a service that lists ${rowOrder} hide none of those before`, async (t) => {
		const { sandbox, reconcile, untilBalanced } = await startLedger(t, {
			charges: 4_100,
			switches: { rowOrder, pastTheEnd: 'last' },
		});
		for (const page of [3, 20, 21, 40, 41, 45])
			sandbox.addFault({ match: { page, times: 1 }, action: { insertCharges: 70 } });
		const before = sandbox.store.charges.all().map(({ charge }) => charge.id);
		const written = new Set(await reconcile(NIGHTLY));
		assert.deepEqual(
			before.filter((id) => !written.has(`charge.created:${id}`)),
			[],
		);
		assert.ok(sandbox.store.charges.all().length > before.length);
		await reconcile(NIGHTLY);
		await untilBalanced();
	});

test('the hour does its part from the first run on, also where all charges can’t be reconciled, which says how far it came', async (t) => {
	const { sandbox, flow, reconcile, untilBalanced, reconciliations } = await startLedger(t, {
		charges: 2_500,
	});
	const recent = sandbox.insertCharge();
	sandbox.refundCharge(recent.id);
	// Only all charges are asked for by a page behind the last one.
	sandbox.addFault({ match: { page: 30 }, action: { status: 400 } });
	const failed = await flow.run(HOURLY);
	assert.equal(failed.status, 'error');
	const [{ missing } = { missing: '' }] = await reconciliations();
	assert.match(
		`${failed.data.resultData.error?.message}`,
		new RegExp(
			`^All charges were to be reconciled, and it stopped between the pages 21 and 40: .*HTTP 400.* The 2000 charges of the pages before are reconciled, with ${missing} events`,
		),
	);
	assert.deepEqual(await reconciliations(), [
		{ pages: '20', charges: '2000', missing, finished: 'f' },
	]);
	const rows = async (/** @type {string} */ what) => (await database.query(what)).length;
	assert.equal(await rows('select from payment_ledger_checks'), 1);
	assert.equal(await rows("select from payment_ledger where event = 'charge.created'"), 2_000);

	// It is not begun again while it may still go on, and the hour does not wait for it.
	const next = sandbox.insertCharge();
	assert.ok((await reconcile()).every((id) => id.includes(next.id)));
	assert.equal((await reconciliations()).length, 1);

	await database.query(
		"update payment_ledger_reconciliations set reached_at = now() - interval '6 minutes'",
	);
	sandbox.clearFaults();
	assert.ok((await reconcile()).length > 500);
	await untilBalanced();
	assert.deepEqual(
		(await reconciliations()).map(({ finished }) => finished),
		['f', 't'],
	);
	assert.deepEqual(await reconcile(), []);
	assert.equal((await reconciliations()).length, 2);
});

test('published, it reconciles all charges once by itself, and keeps no execution that succeeded', async (t) => {
	const { api, untilBalanced, reconciliations } = await startLedger(t, { charges: 2_500 });
	const copy = await importLedger(t, api, {
		nodes: { [TRIGGER]: { disabled: true } },
		parameters: { [HOURLY]: { rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] } } },
	});
	await copy.publish();
	await untilBalanced();
	const checks = async () => (await database.query('select from payment_ledger_checks')).length;
	await until(
		async () => (await checks()) > 1 && (await reconciliations())[0]?.['finished'] === 't',
		async () => `it was not reconciled: ${JSON.stringify(await reconciliations())}`,
	);
	assert.deepEqual(
		(await reconciliations()).map(({ charges, finished }) => ({ charges, finished })),
		[{ charges: '2500', finished: 't' }],
	);
	await n8n.unpublish(copy.id);
	await until(
		async () => (await copy.executions()).length === 0,
		async () => `n8n keeps ${JSON.stringify(await copy.executions())}`,
	);
});

test('a change of status without a date counts more than what is written late of the charge before it', async (t) => {
	await startLedger(t);
	const write = async (/** @type {object} */ item) => {
		const charge = {
			charge_id: 'a',
			created: '2026-01-31T23:30:00Z',
			currency: 'USD',
			total: '10.00',
		};
		const items = [{ ...charge, refunds: [], ...item }];
		await database.query(`select from payment_ledger_write('${JSON.stringify(items)}')`);
	};
	const status = async () =>
		(await database.query('select status from payment_statuses')).map((row) => row['status']);
	const changed = { event: 'charge.statusChanged' };
	await write({ ...changed, event_id: 'charge.statusChanged:a:captured', status: 'captured' });
	const late = { status: 'authorised', status_at: '2026-01-31T23:31:00Z' };
	await write({ ...late, event_id: 'charge.created:a', event: 'charge.created' });
	await write({
		...{
			...late,
			event: 'charge.refunded',
			event_id: 'charge.refunded:a:5.00',
			refund_total: '5.00',
		},
		refunds: [{ created: new Date().toISOString(), amount: '5.00' }],
	});
	assert.deepEqual(await status(), ['captured']);

	// Of two that the service dates, the newer, whichever is written first.
	const dated = (/** @type {string} */ name, /** @type {string} */ day) =>
		write({
			...{ ...changed, event_id: `charge.statusChanged:a:${name}`, status: name },
			status_at: `${day}T00:00:00Z`,
		});
	await dated('settled', '2099-02-02');
	await dated('disputed', '2099-02-01');
	assert.deepEqual(await status(), ['settled']);
});

test('what can’t be read of one charge holds up no other, and a day is that of UTC wherever the database is', async (t) => {
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
