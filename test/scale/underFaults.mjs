import { setTimeout as sleep } from 'node:timers/promises';

import prettyMs from 'pretty-ms';

import { isStopping } from '../../scripts/lib/program.mjs';
import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { drawFaults } from './load/faults.mjs';
import { carriedOut, deliverKeys, publishWrites } from './load/keyedWrites.mjs';
import { createLedger } from './ledger/ledger.mjs';
import { Random } from './load/random.mjs';
import { reportExecutions, reportLedger, reportSizes, reportWrites } from './ledger/report.mjs';
import { strike } from './load/strike.mjs';
import { runStorm } from './load/storm.mjs';
import { compare, truthOf, tryComparison } from './ledger/truth.mjs';

/** After the last charge, whatever n8n lost: two runs that reconcile, a minute apart, and time for them. */
const WHOLE_WITHIN_MS = 180_000;
const LOOK_AGAIN_MS = 1_000;
const SETTINGS = { pollSeconds: 10, lookbackMinutes: 2 };

/**
 * @typedef {object} Load
 * @property {number} minutes
 * @property {number} charges
 * @property {number} keys
 * @property {number} seed
 * @property {boolean} [rollBack]
 *
 * @typedef {object} Scene
 * @property {import('./servers/cluster.mjs').Cluster} cluster
 * @property {import('../../sandbox/index.js').Sandbox} sandbox
 * @property {Awaited<ReturnType<typeof import('./servers/credentials.mjs').createCredentials>>} credentials
 * @property {(text: string) => void} tell
 */

/**
 * @param {Scene} scene
 * @param {Load} load
 * @returns {Promise<boolean>} whether nothing is missing, wrong or there twice
 */
export async function runUnderFaults({ cluster, sandbox, credentials, tell }, load) {
	const { minutes, charges, keys, seed, rollBack = false } = load;
	const ledger = await createLedger({ cluster, credentials, settings: SETTINGS });
	await ledger.publish();
	await publishWrites(cluster, credentials[CREDENTIAL_TYPE]);

	const seconds = minutes * 60;
	const faults = drawFaults(new Random(seed), seconds, { rollBack });
	tell(`${charges} charges in ${minutes} minutes, ${keys} keys, seed ${seed}. Planned:`);
	for (const { kind, atS } of faults) tell(`  ${kind}, ${atS} s from now`);
	/** @type {import('./load/storm.mjs').Storm} */
	const storm = { arrived: new Set(), statuses: new Map() };
	let hasFailed = false;
	const shared = { sandbox, storm, seconds, isAborted: () => hasFailed || isStopping() };
	const [, requests, { kills, interrupted }] = await Promise.all([
		runStorm({ ...shared, random: new Random(seed + 1), charges }),
		deliverKeys({ ...shared, url: cluster.url, random: new Random(seed + 2), keys }),
		strike({ ...shared, cluster, ledger, faults, tell }),
	]).catch((error) => {
		hasFailed = true;
		throw error;
	});

	tell('Nothing comes in any more: waiting until the ledger is whole');
	const truth = truthOf(
		sandbox.store.charges.all().map(({ charge }) => charge),
		storm,
	);
	const ended = Date.now();
	let content = await ledger.read();
	const missingAtFirst = compare(truth, content).missing.length;
	while (compare(truth, content).missing.length > 0 && Date.now() - ended < WHOLE_WITHIN_MS) {
		await sleep(LOOK_AGAIN_MS);
		content = await ledger.read();
	}
	const comparison = compare(truth, content);
	const end = comparison.missing.length === 0 ? 'It is whole' : 'It is NOT whole';
	tell(`${end}, ${prettyMs(Date.now() - ended)} after the last charge (${missingAtFirst} then)`);
	tryComparison(truth, content);

	const executions = (await ledger.executions()).map((execution) => {
		const { kind, events } = interrupted.get(execution.id) ?? execution;
		return { ...execution, kind, events };
	});
	const { endedByThemselves } = cluster;
	reportExecutions({ executions, rows: content.events, interrupted, endedByThemselves });
	await reportSizes(cluster.sql, {
		state: await ledger.state(),
		requests: sandbox.requests.length,
	});
	const isLedgerRight = reportLedger({ truth, comparison, executions, kills });
	return reportWrites(carriedOut(sandbox, requests)) && isLedgerRight;
}
