import { setTimeout as sleep } from 'node:timers/promises';

import { isStopping } from '../../scripts/lib/program.mjs';
import { CREDENTIAL_TYPE } from '../../scripts/n8n-server/demo.mjs';
import { carriedOut, deliver, publishWrites } from './load/keyedWrites.mjs';

/** @typedef {import('./servers/cluster.mjs').Cluster} Cluster */
/** @typedef {import('./load/keyedWrites.mjs').KeyedRequest} KeyedRequest */

/** Between the two deliveries of a key. */
const DISTANCES_MS = [0, 5, 10, 20, 50, 100];
/** Pairs under way at a time: enough to keep two workers busy with claims, and none waiting for its turn. */
const AT_A_TIME = 4;
const CLOSE_MS = 10;

/**
 * Delivers keys twice, and tells how often both are carried out.
 *
 * @param {import('./underFaults.mjs').Scene} scene
 * @param {number} pairs
 */
export async function measurePairs({ cluster, sandbox, credentials, tell }, pairs) {
	await publishWrites(cluster, credentials[CREDENTIAL_TYPE]);
	for (const distanceMs of DISTANCES_MS) {
		/** @type {KeyedRequest[]} */
		const requests = [];
		const deliverPairs = async () => {
			while (requests.length < pairs / DISTANCES_MS.length && !isStopping()) {
				const key = `pair-${distanceMs}-${requests.length}`;
				/** @type {KeyedRequest} */
				const request = { write: 'link', key, deliveries: [] };
				requests.push(request);
				const first = deliver(cluster.url, request);
				await sleep(distanceMs);
				await Promise.all([first, deliver(cluster.url, request)]);
			}
		};
		await Promise.all(Array.from({ length: AT_A_TIME }, deliverPairs));
		const done = carriedOut(sandbox, requests);
		const count = (/** @type {number} */ wanted) =>
			done.filter(({ times }) => times === wanted).length;
		const apart = await distancesOnTwoWorkers(cluster, requests);
		tell(
			`${distanceMs} ms apart: ${requests.length} pairs, ${count(1)} carried out once, ${count(2)} twice; ${apart.length} on two workers, of which ${apart.filter((ms) => ms <= CLOSE_MS).length} began within ${CLOSE_MS} ms`,
		);
	}
}

/**
 * @param {Cluster} cluster
 * @param {KeyedRequest[]} requests
 * @returns {Promise<number[]>} of the pairs whose executions ran on two workers: how many ms apart they began
 */
async function distancesOnTwoWorkers({ sql, workersOfExecutions }, requests) {
	const workers = await workersOfExecutions();
	const { rows } = await sql.query(
		`select id, "startedAt", (regexp_match(data, '"(pair-[0-9]+-[0-9]+)"'))[1] as key
		from execution_entity join execution_data on "executionId" = id where mode = 'webhook'`,
	);
	/** @type {Map<string, { worker: string | undefined, startedMs: number }[]>} */
	const byKey = new Map();
	for (const { id, startedAt, key } of rows) {
		const run = { worker: workers.get(String(id)), startedMs: Number(startedAt) };
		byKey.set(key, [...(byKey.get(key) ?? []), run]);
	}
	return requests.flatMap(({ key }) => {
		const [one, other] = byKey.get(key) ?? [];
		if (one === undefined || other === undefined || one.worker === other.worker) return [];
		return [Math.abs(one.startedMs - other.startedMs)];
	});
}
