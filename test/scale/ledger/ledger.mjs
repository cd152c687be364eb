import { readExamples, withCredentials } from '../../../scripts/n8n-server/demo.mjs';
import { PACKAGE_NAME } from '../../../scripts/lib/project.mjs';
import { readExecutions } from './executions.mjs';

/** @typedef {import('../servers/cluster.mjs').Cluster} Cluster */
/** @typedef {import('./truth.mjs').Ledger} Ledger */
/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').WorkflowNode} WorkflowNode */

const TRIGGER_TYPE = `${PACKAGE_NAME}.paymentCollectionTrigger`;
const MANUAL_TYPE = 'n8n-nodes-base.manualTrigger';

const EXAMPLE = 'accounting-ledger.json';

/** n8n refuses an expression that is due more than once a minute, but takes any number of them. */
const everySeconds = (/** @type {number} */ seconds) =>
	Array.from({ length: 60 / seconds }, (_, index) => `${seconds * index} * * * * *`);

/**
 * The example reconciles every hour; a run is to take minutes. What it does every night it also does behind the first
 * hourly run, and then leaves it to the night.
 */
const HOURLY = 'Every hour';
const RECONCILING = 'What happened since';
const EVERY_MINUTE = { field: 'minutes', minutesInterval: 1 };

/** @typedef {{ pollSeconds: number, lookbackMinutes: number }} Settings */

/**
 * @param {WorkflowNode} node
 * @param {Settings} settings
 */
function triggerParameters({ parameters }, { pollSeconds, lookbackMinutes }) {
	const times = everySeconds(pollSeconds);
	const options = /** @type {object} */ (parameters['options']);
	return {
		...parameters,
		pollTimes: { item: times.map((cronExpression) => ({ mode: 'custom', cronExpression })) },
		options: { ...options, lookbackMinutes },
	};
}

/**
 * The example that keeps a ledger, in an n8n of queue mode.
 *
 * @param {object} options
 * @param {Cluster} options.cluster
 * @param {Awaited<ReturnType<typeof import('../servers/credentials.mjs').createCredentials>>} options.credentials
 * @param {Settings} options.settings
 */
export async function createLedger({ cluster, credentials, settings }) {
	const { client, sql } = cluster;
	const example = (await readExamples()).find(({ file }) => file === EXAMPLE);
	if (example === undefined) throw new Error(`There is no examples/${EXAMPLE}`);
	const workflow = withCredentials(example.workflow, credentials);
	const nodes = workflow.nodes.map((node) => {
		if (node.type === TRIGGER_TYPE)
			return { ...node, parameters: triggerParameters(node, settings) };
		if (node.name === HOURLY)
			return { ...node, parameters: { rule: { interval: [EVERY_MINUTE] } } };
		return node;
	});
	const nameOf = (/** @type {string} */ type) =>
		nodes.find((node) => node.type === type)?.name ?? '';
	const { name, connections, settings: own } = workflow;
	// What n8n keeps of executions that succeed is counted at the end.
	const kept = { ...own, saveDataSuccessExecution: 'all' };
	const { id } = await client.createWorkflow({ name, nodes, connections, settings: kept });
	// As the example says, once.
	await client.run(id, { trigger: nameOf(MANUAL_TYPE) });
	const eventNodes = { poll: nameOf(TRIGGER_TYPE), reconciling: RECONCILING };

	return {
		publish: async () => await client.publish(id),
		/** Publishes another version of it. */
		async publishAnew() {
			const present = await client.workflow(id);
			const moved = present.nodes.map(({ position: [left = 0, top = 0] = [], ...node }) => ({
				...node,
				position: [left + 20, top],
			}));
			await client.updateWorkflow(id, { nodes: moved, connections: present.connections });
			await client.publish(id);
		},
		/** @returns {Promise<unknown>} what n8n keeps of the trigger */
		async state() {
			const { rows } = await sql.query('select "staticData" from workflow_entity where id = $1', [
				id,
			]);
			return rows[0].staticData;
		},
		/** @param {unknown} state an earlier one; n8n must not run */
		async setState(state) {
			const text = JSON.stringify(state);
			await sql.query('update workflow_entity set "staticData" = $2 where id = $1', [id, text]);
		},
		/** @returns {Promise<Ledger>} */
		async read() {
			const { rows: events } = await sql.query(
				`select event_id, event, charge_id, created, total::text as total, currency, status
				from payment_ledger`,
			);
			const { rows: bookings } = await sql.query(
				'select kind, charge_id, booked_at, amount::text as amount from payment_bookings',
			);
			return {
				events: events.map((row) => ({ ...row, created: row.created.toISOString() })),
				bookings: bookings.map((row) => ({ ...row, booked_at: row.booked_at.toISOString() })),
			};
		},
		/** @returns {Promise<string[]>} executions that run at this moment, or whose worker was killed */
		async running() {
			const { rows } = await sql.query(
				`select id from execution_entity where "workflowId" = $1 and status = 'running'`,
				[id],
			);
			return rows.map((row) => String(row.id));
		},
		/** All that n8n has, those of other workflows, too. */
		executions: async () => await readExecutions({ sql, workflowId: id, nodes: eventNodes }),
	};
}
