import { setTimeout as sleep } from 'node:timers/promises';

import { KINDS, ROLLED_BACK } from './faults.mjs';

/** @typedef {import('../servers/cluster.mjs').Cluster} Cluster */
/** @typedef {import('../ledger/executions.mjs').Execution} Execution */
/** @typedef {Awaited<ReturnType<typeof import('../ledger/ledger.mjs').createLedger>>} Ledger */
/** @typedef {import('./faults.mjs').Kind} Kind */

/** How long to wait for an execution in whose middle its worker is killed. */
const WAIT_FOR_EXECUTION_MS = 25_000;
const LOOK_MS = 5;
const API = '/v1/';

/**
 * Has the planned things go wrong.
 *
 * @param {object} options
 * @param {Cluster} options.cluster
 * @param {Ledger} options.ledger
 * @param {import('../../../sandbox/index.js').Sandbox} options.sandbox
 * @param {import('./faults.mjs').Fault[]} options.faults
 * @param {(text: string) => void} options.tell
 * @param {() => boolean} options.isAborted
 * @returns {Promise<{ kills: number, interrupted: Map<string, Execution> }>} kills: of processes; interrupted: what the
 *   executions were about in whose middle a worker was killed, which n8n forgets when it gives them up
 */
export async function strike({ cluster, ledger, sandbox, faults, tell, isAborted }) {
	let kills = 0;
	/** @type {Map<string, Execution>} */
	const interrupted = new Map();
	/** @type {unknown} */
	let earlierState;

	const killWorker = async () => {
		const name = await busyWorker(cluster, ledger);
		tell(`killing ${name}`);
		await cluster.killWorker(name);
		kills += 1;
		const workers = await cluster.workersOfExecutions();
		for (const execution of await ledger.executions()) {
			const { id, status } = execution;
			if (status === 'running' && workers.get(id) === name) interrupted.set(id, execution);
		}
		await cluster.startWorker();
	};
	/**
	 * @param {import('../../../sandbox/index.js').FaultAction} action
	 * @param {number} seconds
	 */
	const stage = async (action, seconds) => {
		const rule = sandbox.addFault({ match: { path: API }, action });
		await sleep(seconds * 1_000);
		sandbox.removeFault(rule);
	};
	/** @type {Record<Kind, () => Promise<unknown>>} */
	const acts = {
		'a worker is killed': killWorker,
		'another worker is killed': killWorker,
		'main is killed': async () => {
			await cluster.killMain();
			kills += 1;
			await cluster.startMain();
		},
		'Redis is restarted': async () => await cluster.restartRedis(),
		'PostgreSQL is restarted': async () => await cluster.restartPostgres(),
		'the service answers 503 for a minute': async () =>
			await stage({ status: 503 }, KINDS['the service answers 503 for a minute']),
		'the service hangs for a minute': async () =>
			await stage({ hang: 'before' }, KINDS['the service hangs for a minute']),
		'the workflow is published anew': async () => await ledger.publishAnew(),
		[ROLLED_BACK]: async () => {
			await cluster.stopMain();
			await ledger.setState(earlierState);
			await cluster.startMain();
		},
	};

	const started = Date.now();
	for (const { kind, atS } of faults) {
		const waitMs = started + atS * 1_000 - Date.now();
		if (waitMs > 0) await sleep(waitMs);
		if (isAborted()) break;
		// As old as it gets by the time that it is put back.
		earlierState ??= await ledger.state();
		tell(kind);
		await acts[kind]();
		tell(`over: ${kind}`);
	}
	return { kills, interrupted };
}

/**
 * Waits for an execution of the ledger, to kill its worker in the middle of it.
 *
 * @param {Cluster} cluster
 * @param {Ledger} ledger
 * @returns {Promise<string>} the oldest worker when none runs in time
 */
async function busyWorker(cluster, ledger) {
	const until = Date.now() + WAIT_FOR_EXECUTION_MS;
	const oldest = cluster.workers[0] ?? '';
	while (Date.now() < until) {
		const ids = await ledger.running();
		const byExecution = ids.length > 0 ? await cluster.workersOfExecutions() : undefined;
		const busy = ids.map((id) => byExecution?.get(id));
		const alive = busy.find((name) => name !== undefined && cluster.workers.includes(name));
		if (alive !== undefined) return alive;
		await sleep(LOOK_MS);
	}
	return oldest;
}
