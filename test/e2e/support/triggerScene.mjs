import { stripVTControlCharacters } from 'node:util';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	CREDENTIAL_TYPE,
	dataTablesOf,
	readExamples,
	withCredentials,
} from '../../../scripts/n8n-server/demo.mjs';
import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { N8nError } from '../../../scripts/n8n-server/client/connection.mjs';
import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { startOwnServers } from './ownServers.mjs';
import { SandboxClient } from './sandboxClient.mjs';
import { withTableIds } from './examples/exampleCopy.mjs';
import { until } from './until.mjs';

/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */
/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */
/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').WorkflowNode} WorkflowNode */

const EXAMPLE = 'new-charges-to-table.json';
const TRIGGER = 'Charge created or refunded';
const LOG_LINES_SHOWN = 40;
const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

/**
 * n8n refuses an expression that is due more than once a minute, but takes any number of them.
 *
 * @param {number} seconds
 * @param {number} [first] second of the minute
 */
const everySeconds = (seconds, first = 0) =>
	Array.from({ length: 60 / seconds }, (_, index) => `${seconds * index + first} * * * * *`);

/** On 29 February: for tests that want no poll but the one that comes with publishing. */
export const HARDLY_EVER = ['0 0 0 29 2 *'];

/**
 * How n8n is set, when to poll, and when to poll at other times.
 *
 * @typedef {{ env: Record<string, string>, cron: string[], otherCron: string[] }} Mode
 */

/**
 * How n8n keeps what a poll remembers: its default, in the workflow's static data.
 *
 * @type {Mode}
 */
export const STATIC_DATA = { env: {}, cron: everySeconds(2), otherCron: everySeconds(2, 1) };

/**
 * The same, with n8n's older way to publish, which adds a trigger without looking for one that is there.
 *
 * @type {Mode}
 */
export const OLD_PUBLISHING = {
	...STATIC_DATA,
	env: { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' },
};

/**
 * In one transaction with the execution that the poll starts. Not n8n's default yet.
 *
 * @type {Mode}
 */
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
	cron: everySeconds(3),
	otherCron: everySeconds(3, 1),
};

/** @param {Record<string, unknown>[]} rows */
const byEventId = (rows) =>
	rows.toSorted((one, other) => (String(one['event_id']) < String(other['event_id']) ? -1 : 1));

/**
 * @param {string} event
 * @param {string} eventId
 * @param {Charge} charge
 * @returns {Record<string, unknown>} what the example saves
 */
function rowOf(event, eventId, charge) {
	const { id, created, total, currency, status, source } = charge;
	const { refund_total, payment_method, reference_id } = charge;
	return {
		event,
		created,
		total,
		refund_total,
		currency,
		payer: source.name,
		status,
		payment_method,
		reference_id,
		charge_id: id,
		event_id: eventId,
	};
}

export const createdRow = (/** @type {Charge} */ charge) =>
	rowOf('charge.created', `charge.created:${charge.id}`, charge);

export const refundedRow = (/** @type {Charge} */ charge) =>
	rowOf('charge.refunded', `charge.refunded:${charge.id}:${charge.refund_total}`, charge);

export const statusRow = (/** @type {Charge} */ charge) =>
	rowOf('charge.statusChanged', `charge.statusChanged:${charge.id}:${charge.status}`, charge);

const pollTimes = (/** @type {string[]} */ cron) => ({
	item: cron.map((cronExpression) => ({ mode: 'custom', cronExpression })),
});

/**
 * @param {SandboxClient} service
 * @returns {Promise<string[]>} card numbers and tokens of its newest charges
 */
async function secretsOf(service) {
	return (await service.charges(1))
		.flatMap(({ source }) => [source?.token, source?.card_data?.card_number])
		.filter((text) => text !== undefined && text !== '');
}

/**
 * @param {import('../../../sandbox/index.js').Sandbox} sandbox
 * @param {number} count
 * @returns {Charge[]} new ones
 */
export const insertCharges = (sandbox, count) =>
	Array.from({ length: count }, () => sandbox.insertCharge());

/**
 * @param {import('../../../sandbox/index.js').Sandbox} sandbox
 * @returns {Promise<string>} id of a charge that is not on the first page of the list
 */
export async function unrefundedOldCharge({ url, apiKey }) {
	const charges = await new SandboxClient(url, apiKey).charges(2);
	const charge = charges.find(({ refunds }) => refunds.length === 0);
	assert.ok(charge);
	return charge.id;
}

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
 * @param {Mode} mode
 */
export async function startTriggerScene({ env, cron: usualCron, otherCron }) {
	const apiKey = `key-${randomBytes(16).toString('hex')}`;
	const servers = await startOwnServers({
		// Everything that n8n can say, so that it can be searched for secrets.
		env: { N8N_LOG_LEVEL: 'debug', ...env },
		sandbox: { apiKey },
	});
	const { sandbox } = servers;
	const service = new SandboxClient(sandbox.url, apiKey);
	const example = await readExample();

	/** Of other runs of n8n: those that a restart ended, since n8n begins its log anew, and its commands. */
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
	/**
	 * Imports a copy of the example, with a data table of its own.
	 *
	 * @param {import('node:test').TestContext} t at whose end the copy is stopped
	 * @param {object} [options]
	 * @param {CredentialReference} [options.credential] the one that leads to the sandbox by default
	 * @param {string[]} [options.cron] when to poll
	 * @param {Record<string, unknown>} [options.parameters] of the trigger, that differ; undefined ones are left to n8n
	 */
	async function importExample(t, options = {}) {
		const { credential = servers.n8n.credential, cron = usualCron, parameters = {} } = options;
		const ownTable = `rows_${randomBytes(8).toString('hex')}`;
		/** @type {import('../../../scripts/n8n-server/client/types.mjs').Workflow} */
		const copy = JSON.parse(example.text.replaceAll(example.table.name, ownTable));
		const trigger = copy.nodes.find(({ name }) => name === TRIGGER);
		assert.ok(trigger);
		Object.assign(trigger.parameters, { pollTimes: pollTimes(cron) }, parameters);
		const table = await client().dataTables.create({ ...example.table, name: ownTable });
		const { nodes, connections, settings } = withTableIds(
			withCredentials(copy, { [CREDENTIAL_TYPE]: credential }),
			[table],
		);
		const { id } = await client().createWorkflow({ name: t.name, nodes, connections, settings });
		t.after(() => client().unpublish(id));
		/** Of the trigger, the one that it has now first. */
		const names = [TRIGGER];

		/** @param {(trigger: WorkflowNode) => void} change */
		const changed = async (change) => {
			const saved = await client().workflow(id);
			const node = saved.nodes.find(({ name }) => name === names[0]);
			assert.ok(node);
			change(node);
			return saved;
		};
		const rows = async () =>
			(await client().dataTables.rows(table)).map((row) =>
				Object.fromEntries(Object.entries(row).filter(([name]) => !SYSTEM_COLUMNS.includes(name))),
			);
		const polled = async () =>
			(await client().executions(id)).filter(({ mode }) => mode === 'trigger');
		/** n8n says it at the begin of a poll, but with durable cursors at its end. */
		const pollCount = async () =>
			[
				...(await logOfThisRun()).matchAll(
					/Poll(?:ing)? (?:trigger initiated|returned).*"workflowId": "(\w+)"/g,
				),
			].filter(([, workflow]) => workflow === id).length;
		/** After the second one, what the first one emitted has become an execution. */
		const untilPolledTwice = async () => {
			const before = await pollCount();
			await until(
				async () => (await pollCount()) >= before + 2,
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
			untilPolledTwice,
			/**
			 * Changes parameters of the trigger. It goes on as it is until it is published again.
			 *
			 * @param {Record<string, unknown>} parameters
			 */
			async change(parameters) {
				const { nodes, connections } = await changed((node) =>
					Object.assign(node.parameters, parameters),
				);
				await client().updateWorkflow(id, { nodes, connections });
			},
			/**
			 * Gives the trigger another name. It goes on under the old one until it is published again.
			 *
			 * @param {string} name
			 */
			async rename(name) {
				const { nodes, connections } = await changed((node) => (node.name = name));
				const [before = ''] = names;
				const { [before]: outputs, ...others } = connections;
				names.unshift(name);
				await client().updateWorkflow(id, { nodes, connections: { ...others, [name]: outputs } });
			},
			/** Adds a node that counts the executions in the workflow's static data. */
			async countExecutions() {
				const { nodes, connections } = await changed(() => undefined);
				const jsCode =
					"const data = $getWorkflowStaticData('global'); data.count = (data.count ?? 0) + 1; return $input.all();";
				const count = { name: 'Count', type: 'n8n-nodes-base.code', typeVersion: 2 };
				const next = connections[names[0] ?? '']?.['main']?.[0];
				assert.ok(next);
				next.push({ node: count.name, type: 'main', index: 0 });
				await client().updateWorkflow(id, {
					nodes: [...nodes, { ...count, position: [0, 400], parameters: { jsCode } }],
					connections,
				});
			},
			/** @returns what a file has that the workflow is exported to now, but that it polls at other times */
			async exported() {
				const { name, nodes, connections, settings, staticData } = await changed((node) =>
					// As the usual choice does: "every minute" is another second of it each time.
					Object.assign(node.parameters, { pollTimes: pollTimes(otherCron) }),
				);
				return { id, name, nodes, connections, settings, staticData };
			},
			/** @returns {Promise<{ usual: number, other: number }>} how often n8n ran the trigger by itself, by poll times */
			async ticks() {
				const lines = (await logOfThisRun())
					.split('\n')
					.filter((line) => line.includes('Executing cron') && line.includes(`"${id}"`));
				const count = (/** @type {string[]} */ times) =>
					lines.filter((line) => times.some((time) => line.includes(`"cron": "${time}"`))).length;
				return { usual: count(usualCron), other: count(otherCron) };
			},
			/** Fetches a test event. */
			fetchTestEvent: async () => await client().run(id, { trigger: TRIGGER }),
			/** @param {import('../../../scripts/n8n-server/client/types.mjs').Execution} execution */
			emittedBy: (execution) =>
				names.flatMap((name) => outputOf(execution, name)).map(({ json }) => json),
			/** @returns {Promise<Record<string, unknown>[]>} by polls, without manual runs */
			async emitted() {
				const emitted = [];
				for (const { id: execution } of await polled())
					emitted.push(...this.emittedBy(await client().finishedExecution(execution)));
				return emitted;
			},
			/** @returns {Promise<import('../../../scripts/n8n-server/client/types.mjs').Execution[]>} ended ones */
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
				assert.deepEqual(
					(await this.emitted()).map(({ event_id }) => event_id).sort(),
					expected.map(({ event_id }) => event_id).sort(),
				);
			},
		};
	}

	/** Card numbers and tokens of services that are closed, and of those that were asked. */
	const foundSecrets = new Set();

	/** @returns {Promise<string[]>} those of the newest charges of every service */
	async function cardNumbersAndTokens() {
		for (const text of await secretsOf(service)) foundSecrets.add(text);
		return [...foundSecrets];
	}

	/**
	 * A service for one test alone, so that others can run at the same time.
	 *
	 * @param {import('node:test').TestContext} t
	 */
	async function startService(t) {
		const own = await startSandbox({ apiKey });
		t.after(async () => {
			for (const text of await secretsOf(new SandboxClient(own.url, apiKey)))
				foundSecrets.add(text);
			await own.close();
		});
		const credential = await client().createCredential(credentialOf({ baseUrl: own.url }));
		return { sandbox: own, credential };
	}

	/** @returns {Promise<string[]>} what n8n logged as a warning or an error, without colours */
	async function complaints() {
		const plain = stripVTControlCharacters(await log());
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
		/** An older n8n has no publication status. */
		const isMissing = (/** @type {unknown} */ error) =>
			error instanceof N8nError && error.status === 404;
		for (const path of paths) {
			const answer = await client()
				.request('GET', path)
				.catch((error) => (isMissing(error) ? null : Promise.reject(error)));
			texts[path] = JSON.stringify(answer);
		}
		return texts;
	}

	return {
		sandbox,
		startService,
		cardNumbersAndTokens,
		complaints,
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
		 * Imports a workflow while n8n runs, over the one that is there, as n8n's command line does.
		 *
		 * @param {object} workflow
		 */
		async importByCommand(workflow) {
			const folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-import-'));
			try {
				const file = join(folder, 'workflow.json');
				await writeFile(file, JSON.stringify(workflow));
				const output = await servers.runN8nCommand(['import:workflow', `--input=${file}`]);
				assert.match(output, /Successfully imported 1 workflow/);
				earlierLog += output;
			} finally {
				await rm(folder, { recursive: true, force: true });
			}
		},
		async restartN8n() {
			earlierLog += await logOfThisRun();
			await servers.restartN8n();
		},
	};
}
