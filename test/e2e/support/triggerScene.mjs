import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import {
	CREDENTIAL_TYPE,
	dataTablesOf,
	readExamples,
	withCredential,
} from '../../../scripts/n8n-server/demo.mjs';
import { outputOf } from '../../../scripts/n8n-server/client.mjs';
import { startOwnServers } from './ownServers.mjs';
import { SandboxClient } from './sandboxClient.mjs';
import { until } from './until.mjs';

/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */
/** @typedef {import('../../../scripts/n8n-server/client.mjs').CredentialReference} CredentialReference */

const EXAMPLE = 'new-charges-to-table.json';
const TRIGGER = 'Charge created or refunded';
const LOG_LINES_SHOWN = 40;
const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

/** n8n refuses an expression that is due more than once a minute, but takes any number of them. */
const everySeconds = (/** @type {number} */ seconds) =>
	Array.from({ length: 60 / seconds }, (_, index) => `${seconds * index} * * * * *`);

/** On 29 February: for tests that want no poll but the one that comes with publishing. */
export const HARDLY_EVER = ['0 0 0 29 2 *'];

/** How n8n keeps what a poll remembers: its default, in the workflow's static data. */
export const STATIC_DATA = { env: {}, cron: everySeconds(3) };

/** In one transaction with the execution that the poll starts. Not n8n's default yet. */
export const DURABLE_CURSORS = {
	env: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// Seconds. The usual ones are meant for polls that are minutes apart: after a pause, n8n would make up for several
		// polls at once.
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
		N8N_SCHEDULER_MISFIRE_GRACE: '2',
	},
	cron: everySeconds(5),
};

/** @param {Record<string, unknown>[]} rows */
const byEventId = (rows) =>
	rows.toSorted((one, other) => (String(one.event_id) < String(other.event_id) ? -1 : 1));

/**
 * @param {string} event
 * @param {string} eventId
 * @param {Charge} charge
 * @returns {Record<string, unknown>} what the example saves
 */
function rowOf(event, eventId, charge) {
	const { id, reference_id, created, status, currency, total, refund_total, payment_method } =
		charge;
	return {
		event_id: eventId,
		event,
		charge_id: id,
		reference_id,
		created,
		status,
		currency,
		total,
		refund_total,
		payment_method,
	};
}

export const createdRow = (/** @type {Charge} */ charge) =>
	rowOf('charge.created', `charge.created:${charge.id}`, charge);

export const refundedRow = (/** @type {Charge} */ charge) =>
	rowOf('charge.refunded', `charge.refunded:${charge.id}:${charge.refund_total}`, charge);

async function readExample() {
	const example = (await readExamples()).find(({ file }) => file === EXAMPLE);
	assert.ok(example);
	const [table] = dataTablesOf(example.workflow);
	assert.ok(table);
	return { text: example.text, table };
}

/**
 * A sandbox and an n8n of this file's own, with a key that occurs nowhere else, to try the trigger with.
 *
 * @param {{ env: Record<string, string>, cron: string[] }} mode further settings of n8n, and when to poll
 */
export async function startTriggerScene({ env, cron: usualCron }) {
	const apiKey = `key-${randomBytes(16).toString('hex')}`;
	const servers = await startOwnServers({
		// Everything that n8n can say, so that it can be searched for secrets.
		env: { N8N_LOG_LEVEL: 'debug', ...env },
		sandbox: { apiKey },
	});
	const { sandbox } = servers;
	const service = new SandboxClient(sandbox.url, apiKey);
	const example = await readExample();

	/** Of the runs of n8n that a restart ended: n8n begins its log anew. */
	let earlierLog = '';
	const logOfThisRun = async () => await readFile(servers.n8n.logFile, 'utf8');
	const log = async () => earlierLog + (await logOfThisRun());
	const lastLogLines = async () => (await log()).split('\n').slice(-LOG_LINES_SHOWN).join('\n');
	const client = () => servers.n8n.client;
	const credentialOf = (/** @type {Record<string, string>} */ data) => ({
		name: 'Another account',
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.url, apiKey, ...data },
	});
	const pollCount = () =>
		sandbox.requests.filter(({ path, status }) => path === '/v1/charges' && status !== null).length;

	/**
	 * Imports a copy of the example, with a data table of its own.
	 *
	 * @param {import('node:test').TestContext} t at whose end the copy is stopped
	 * @param {object} [options]
	 * @param {CredentialReference} [options.credential] the one that leads to the sandbox by default
	 * @param {string[]} [options.cron] when to poll
	 * @param {Record<string, unknown>} [options.filters]
	 */
	async function importExample(t, options = {}) {
		const { credential = servers.n8n.credential, cron = usualCron, filters = {} } = options;
		// n8n takes the first table whose name contains the given one, so no name may contain another.
		const ownTable = `rows_${randomBytes(8).toString('hex')}`;
		/** @type {import('../../../scripts/n8n-server/client.mjs').Workflow} */
		const copy = JSON.parse(example.text.replaceAll(example.table.name, ownTable));
		const trigger = copy.nodes.find(({ name }) => name === TRIGGER);
		assert.ok(trigger);
		trigger.parameters.pollTimes = {
			item: cron.map((cronExpression) => ({ mode: 'custom', cronExpression })),
		};
		trigger.parameters.filters = filters;
		const table = await client().createDataTable({ ...example.table, name: ownTable });
		const { nodes, connections, settings } = withCredential(copy, credential);
		const { id } = await client().createWorkflow({ name: t.name, nodes, connections, settings });
		t.after(() => client().unpublish(id));

		const rows = async () =>
			(await client().dataTableRows(table)).map((row) =>
				Object.fromEntries(Object.entries(row).filter(([name]) => !SYSTEM_COLUMNS.includes(name))),
			);
		const polled = async () =>
			(await client().executions(id)).filter(({ mode }) => mode === 'trigger');
		/** After the second one, what the first one emitted has become an execution. */
		const untilPolledTwice = async () => {
			const before = pollCount();
			await until(
				() => pollCount() >= before + 2,
				async () => `the trigger does not poll any more:\n${await lastLogLines()}`,
			);
			for (const { id: execution } of await polled()) await client().finishedExecution(execution);
		};

		return {
			id,
			rows,
			publish: async () => await client().publish(id),
			unpublish: async () => await client().unpublish(id),
			saved: async () => await client().workflow(id),
			/** Fetches a test event. */
			fetchTestEvent: async () => await client().run(id, { trigger: TRIGGER }),
			/** @param {import('../../../scripts/n8n-server/client.mjs').Execution} execution */
			emittedBy: (execution) => outputOf(execution, TRIGGER).map(({ json }) => json),
			/** @returns {Promise<import('../../../scripts/n8n-server/client.mjs').Execution[]>} ended ones */
			async failed() {
				const failed = (await polled()).filter(({ status }) => status === 'error');
				return await Promise.all(
					failed.map(async (execution) => await client().finishedExecution(execution.id)),
				);
			},

			/**
			 * Waits until the table holds a row for each of the events.
			 *
			 * @param {Record<string, unknown>[]} expected
			 */
			async untilSaved(expected) {
				const missing = async () => {
					const present = new Set((await rows()).map(({ event_id }) => event_id));
					return expected.map(({ event_id }) => event_id).filter((name) => !present.has(name));
				};
				await until(
					async () => (await missing()).length === 0,
					async () => `not saved: ${await missing()}\n${JSON.stringify(await polled())}`,
				);
			},

			/**
			 * Lets the trigger poll some more, then makes sure that the table holds the expected rows and no others, and
			 * that each of the events started an execution once: the table alone can't tell, since its key hides repeats.
			 *
			 * @param {Record<string, unknown>[]} expected
			 */
			async expectSavedOnce(expected) {
				await this.untilSaved(expected);
				await untilPolledTwice();
				assert.deepEqual(byEventId(await rows()), byEventId(expected));
				await this.expectEmittedOnce(expected);
			},

			/** @param {Record<string, unknown>[]} expected by polls, without manual runs */
			async expectEmittedOnce(expected) {
				const emitted = [];
				for (const { id: execution } of await polled())
					emitted.push(...this.emittedBy(await client().finishedExecution(execution)));
				assert.deepEqual(
					emitted.map(({ event_id }) => event_id).sort(),
					expected.map(({ event_id }) => event_id).sort(),
				);
			},
		};
	}

	/** @returns {Promise<string[]>} those of the newest charges */
	async function cardNumbersAndTokens() {
		/** @type {{ results: Charge[] }} */
		const { results } = await service.get('/v1/charges?page_size=100');
		return results
			.flatMap(({ source }) => [source?.token, source?.card_data?.card_number])
			.filter((text) => text !== undefined && text !== '');
	}

	/** @returns {Promise<string>} id of a charge that is not on the first page of the list */
	async function unrefundedOldCharge() {
		/** @type {{ results: Charge[] }} */
		const { results } = await service.get('/v1/charges?page_size=100&page=2');
		const charge = results.find(({ refunds }) => refunds.length === 0);
		assert.ok(charge);
		return charge.id;
	}

	/** @returns {Promise<string[]>} what n8n logged as a warning or an error, without colours */
	async function complaints() {
		// eslint-disable-next-line no-control-regex
		const plain = (await log()).replace(/\u001b\[\d+m/g, '');
		return plain.split('\n').filter((line) => /^[\d:.]+\s+(warn|error)\s/.test(line));
	}

	/**
	 * What n8n wrote down anywhere, as text by where it stands.
	 *
	 * @returns {Promise<Record<string, string>>}
	 */
	async function everythingKept() {
		/** @type {Record<string, string>} */
		const texts = { log: await log() };
		const { results } = await client().request('GET', '/rest/executions?limit=100');
		const paths = results.map((/** @type {{ id: string }} */ { id }) => `/rest/executions/${id}`);
		for (const { id } of await client().request('GET', '/rest/workflows'))
			paths.push(`/rest/workflows/${id}`, `/rest/workflows/${id}/publication-status`);
		for (const path of paths) texts[path] = JSON.stringify(await client().request('GET', path));
		return texts;
	}

	return {
		sandbox,
		cardNumbersAndTokens,
		complaints,
		unrefundedOldCharge,
		apiKey,
		everythingKept,
		importExample,
		log,
		logOfThisRun,
		lastLogLines,
		/**
		 * @param {Record<string, string>} data what differs from the credential that leads to the sandbox
		 * @returns {Promise<CredentialReference>}
		 */
		createCredential: async (data) => await client().createCredential(credentialOf(data)),
		/**
		 * @param {CredentialReference} credential
		 * @param {Record<string, string>} data as above
		 */
		updateCredential: async ({ id }, data) =>
			await client().request('PATCH', `/rest/credentials/${id}`, credentialOf(data)),
		/**
		 * @param {number} count
		 * @returns {Charge[]} new ones
		 */
		insertCharges: (count) => Array.from({ length: count }, () => sandbox.insertCharge()),
		async restartN8n() {
			earlierLog = await log();
			await servers.restartN8n();
		},
	};
}
