import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { importCopy, pollTimes } from './examples/exampleCopy.mjs';
import { startOwnServers } from './servers.mjs';
import { until } from './until.mjs';

/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */
/** @typedef {Awaited<ReturnType<typeof startTrigger>>} Scene */

const TRIGGER = 'Charge created or refunded';
const TABLE = 'payment_collection_events';
/** Everything that n8n can say, so that it can be searched for secrets. */
export const DEBUG = { N8N_LOG_LEVEL: 'debug' };
/** n8n's scheduler, which takes over nothing yet. */
export const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	// Seconds. The usual ones are meant for polls that are minutes apart: after a pause, n8n would make up for several
	// polls at once.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_MISFIRE_GRACE: '2',
};
/** It starts the polls, too, each in a context of its own. The state stays with the workflow. */
export const SCHEDULED_POLLS = {
	...SCHEDULER,
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// On by default from 2.41 at the latest.
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};
/** And the state is kept in one transaction with the execution that the poll starts. */
export const DURABLE_CURSORS = { ...SCHEDULED_POLLS, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** More than a page of the service. */
const MANY = 105;
/** Charges that are there before: some pages. */
const OLD = 500;

export const created = (/** @type {Charge} */ { id }) => `charge.created:${id}`;
const refunded = (/** @type {Charge} */ { id, refund_total }) =>
	`charge.refunded:${id}:${refund_total}`;

/**
 * A sandbox and an n8n of this file's own, with a key that occurs nowhere else, and the example with the trigger. Its
 * events are named by their event_id.
 *
 * @param {object} options
 * @param {string[]} options.cron when to poll
 * @param {Record<string, string>} [options.env]
 * @param {(folder: string) => Promise<void>} [options.install]
 */
export async function startTrigger({ cron: usualCron, env, install }) {
	const servers = await startOwnServers({
		install,
		env: { ...DEBUG, ...env },
		sandbox: { apiKey: `key-${randomBytes(16).toString('hex')}`, counts: { charges: OLD } },
	});
	const { n8n, sandbox } = servers;
	const rows = async () => await n8n.rowsOf(TABLE);

	/**
	 * Imports a copy of the example, and says what it emits and saves.
	 *
	 * @param {import('node:test').TestContext} t at whose end the copy is stopped
	 * @param {{ cron?: string[], credential?: import('../../../scripts/n8n-server/client/types.mjs').CredentialReference }} [options]
	 */
	async function importExample(t, { cron = usualCron, credential = servers.credential } = {}) {
		const { id, publish } = await importCopy(t, n8n, 'new-charges-to-table.json', {
			credentials: [credential],
			parameters: { [TRIGGER]: { pollTimes: pollTimes(cron) } },
		});
		/** Other tests write into the same table. */
		const before = (await rows()).length;
		const ownRows = async () => (await rows()).slice(before);
		/** @returns the event_ids of all that the trigger gave */
		const emitted = async () => {
			const polled = (await n8n.executions(id)).filter(({ mode }) => mode === 'trigger');
			const executions = await Promise.all(
				polled.map(async (execution) => await n8n.finishedExecution(execution.id)),
			);
			return executions.flatMap((execution) => {
				const [trigger = ''] = Object.keys(execution.data.resultData.runData);
				return outputOf(execution, trigger).map(({ json }) => json['event_id']);
			});
		};
		/** n8n says it at the begin of a poll, but with durable cursors at its end. */
		const pollCount = async () =>
			[
				...(await servers.logOfThisRun()).matchAll(
					/Poll(?:ing)? (?:trigger initiated|returned).*"workflowId": "(\w+)"/g,
				),
			].filter(([, workflow]) => workflow === id).length;

		return {
			id,
			publish,
			rows: ownRows,
			/** @param {string[]} events that the table holds by then */
			async untilSaved(events) {
				await until(async () => {
					const present = new Set((await ownRows()).map((row) => row['event_id']));
					const missing = events.filter((event) => !present.has(event));
					assert.deepEqual(missing, [], `not saved: ${missing}`);
				});
			},
			/**
			 * Lets the trigger poll some more, then makes sure that the table holds the events and no others, and that each
			 * of them started an execution once: the table alone can't tell, since its key hides repeats.
			 *
			 * @param {string[]} events
			 */
			async expectSavedOnce(events) {
				await this.untilSaved(events);
				const before = await pollCount();
				// After the second one, what the first one emitted has become an execution.
				await until(async () =>
					assert.ok((await pollCount()) >= before + 2, 'the trigger does not poll any more'),
				);
				const saved = (await ownRows()).map((row) => row['event_id']);
				assert.deepEqual(saved.sort(), events.toSorted());
				assert.deepEqual((await emitted()).sort(), events.toSorted());
			},
		};
	}

	return {
		...servers,
		isDurable: env?.['N8N_POLLER_DURABLE_CURSORS_ENABLED'] === 'true',
		importExample,
		insertCharges: (/** @type {number} */ count) =>
			Array.from({ length: count }, () => sandbox.insertCharge()),
		/**
		 * Kills n8n and starts it anew while the service can't be used, which goes on until a poll has failed of it.
		 *
		 * @param {number} status that the service answers with
		 * @param {() => void} act once no poll can read anything any more
		 */
		async killWhile(status, act) {
			const fault = sandbox.addFault({ match: { path: '/v1/charges' }, action: { status } });
			act();
			await servers.restartN8n({ isKilled: true });
			// The first text is the package's, about the poll that comes with a start. With durable cursors there is none,
			// and n8n says the second one of the first poll that is due.
			const failed = /The first poll failed and will be repeated|Poll failed; backing off/;
			await until(async () => assert.match(await servers.logOfThisRun(), failed));
			sandbox.removeFault(fault);
		},
	};
}

/**
 * Tests that hold wherever n8n keeps the trigger's state.
 *
 * @param {Scene} scene
 */
export function testTrigger(scene) {
	const { n8n, sandbox, isDurable, importExample, insertCharges, killWhile } = scene;
	// With durable cursors there is no poll at the start, and after a refused key n8n waits for half an hour.
	const [trouble, status] = isDurable
		? /** @type {const} */ (['is down', 500])
		: /** @type {const} */ (['refuses the key', 401]);

	test('the example saves every new charge and refund once, and none that was there before', async (t) => {
		// From before the first page of the list.
		const charges = sandbox.store.charges.all().slice(100);
		const old = charges.find(({ charge }) => charge.refunds.length === 0);
		assert.ok(old);
		const flow = await importExample(t);
		await flow.publish();
		const [first, ...others] = insertCharges(3);
		assert.ok(first);
		await flow.untilSaved([first, ...others].map(created));
		const then = insertCharges(MANY);
		const refunds = [old.charge, first].map(({ id }) => refunded(sandbox.refundCharge(id)));
		await flow.expectSavedOnce([...[first, ...others, ...then].map(created), ...refunds]);

		const row = (await flow.rows()).find(({ event_id }) => event_id === created(first));
		const { id, total, currency, source } = first;
		assert.deepEqual(
			[row?.['charge_id'], row?.['total'], row?.['currency'], row?.['payer']],
			[id, total, currency, source.name],
		);
	});

	test(`an n8n that was killed and starts while the service ${trouble} delivers later what came in meanwhile, once`, async (t) => {
		const flow = await importExample(t);
		await flow.publish();
		const events = insertCharges(2).map(created);
		// An execution that n8n is killed in would not show what it was given.
		await flow.expectSavedOnce(events);
		const comeIn = () => void events.push(...insertCharges(3).map(created));
		await killWhile(status, comeIn);
		await flow.expectSavedOnce(events);
		assert.equal((await n8n.workflow(flow.id)).active, true);
	});
}
