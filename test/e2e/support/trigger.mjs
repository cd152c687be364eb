import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { importCopy, pollTimes } from './examples/exampleCopy.mjs';
import { startOwnServers } from './servers.mjs';
import { until } from './until.mjs';

/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */

const TRIGGER = 'Charge created or refunded';
const TABLE = 'payment_collection_events';
/** Logs everything, which is searched for secrets. */
export const DEBUG = { N8N_LOG_LEVEL: 'debug' };
/** n8n's scheduler, without any task yet. */
export const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	// Seconds, for polls that are seconds apart. With the defaults, n8n would catch up on several polls at once.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_MISFIRE_GRACE: '2',
};
/** The scheduler starts the polls, each in its own context. The state stays with the workflow. */
export const SCHEDULED_POLLS = {
	...SCHEDULER,
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// The default since 2.41 or earlier.
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};
/** Also saves the state in one transaction with the execution that the poll starts. */
export const DURABLE_CURSORS = { ...SCHEDULED_POLLS, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** Older charges on several pages. */
const OLD = 500;

export const created = (/** @type {Charge} */ { id }) => `charge.created:${id}`;
export const refunded = (/** @type {Charge} */ { id, refund_total }) =>
	`charge.refunded:${id}:${refund_total}`;

/**
 * A sandbox and an n8n for one test file, with a unique API key, and the example with the trigger. Events are named by
 * their event_id.
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
	 * Imports a copy of the example, with its emitted and saved events.
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
		/** @returns the event_ids of all emitted events */
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
		/** n8n logs a poll when it begins, but with durable cursors when it ends. */
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
			/** @param {string[]} events that the table must contain */
			async untilSaved(events) {
				await until(async () => {
					const present = new Set((await ownRows()).map((row) => row['event_id']));
					const missing = events.filter((event) => !present.has(event));
					assert.deepEqual(missing, [], `not saved: ${missing}`);
				});
			},
			/**
			 * Lets the trigger poll some more, then checks that the table contains these events and no others, and that each
			 * started one execution: the table's key hides repeated events.
			 *
			 * @param {string[]} events
			 */
			async expectSavedOnce(events) {
				await this.untilSaved(events);
				const before = await pollCount();
				// Events of the first poll have become an execution after the second one.
				await until(async () =>
					assert.ok((await pollCount()) >= before + 2, 'the trigger has stopped polling'),
				);
				const saved = (await ownRows()).map((row) => row['event_id']);
				assert.deepEqual(saved.sort(), events.toSorted());
				assert.deepEqual((await emitted()).sort(), events.toSorted());
			},
		};
	}

	return {
		...servers,
		importExample,
		insertCharges: (/** @type {number} */ count) =>
			Array.from({ length: count }, () => sandbox.insertCharge()),
		/**
		 * Kills n8n and restarts it while the service fails, until a poll has failed.
		 *
		 * @param {number} status of the service's responses
		 * @param {() => void} act called once all polls fail
		 */
		async killWhile(status, act) {
			const fault = sandbox.addFault({ match: { path: '/v1/charges' }, action: { status } });
			act();
			await servers.restartN8n({ isKilled: true });
			// The first text is the package's, about the poll at a start. Durable cursors have no such poll, and n8n logs the
			// second text for the first poll that is due.
			const failed = /The first poll failed and will be repeated|Poll failed; backing off/;
			await until(async () => assert.match(await servers.logOfThisRun(), failed));
			sandbox.removeFault(fault);
		},
	};
}
