import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';
import pg from 'pg';

import { startRedis } from '../../scripts/installed/redis.mjs';
import { isStopping } from '../../scripts/lib/program.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { claimUserFolder, setUpDemo } from '../../scripts/n8n-server/demo.mjs';
import { startN8n } from '../../scripts/n8n-server/server.mjs';
import { startPostgres } from '../../scripts/n8n-server/postgres.mjs';
import { until } from '../e2e/support/until.mjs';

const WORKERS = ['worker-1', 'worker-2'];
const HOST = '127.0.0.1';
const START_MS = 60_000;

/** @typedef {Awaited<ReturnType<typeof startCluster>>} Cluster */

/**
 * Keeps a server running until this program ends, as a supervisor of a production system does: whenever it ends, it is
 * started again.
 *
 * @template {import('../../scripts/lib/server.mjs').Server} S
 * @param {() => Promise<S>} start
 */
async function keepRunning(start) {
	let server = await start();
	const supervise = async () => {
		for (;;) {
			await server.ended;
			if (isStopping()) return;
			server = await until(start, START_MS);
		}
	};
	void supervise();
	return {
		/** The one of the first start: those that follow have the same address. */
		server,
		kill: async () => await server.kill(),
	};
}

/**
 * n8n in queue mode, set up as `npm start` sets it up: Redis, PostgreSQL, one main and two workers.
 *
 * @param {import('../../sandbox/index.js').Sandbox} sandbox
 */
export async function startCluster(sandbox) {
	const folder = temporaryFolder('n8n-scale');
	await claimUserFolder(folder);
	const postgres = await startPostgres({ folder: join(folder, 'postgres') });
	const { host, port, user, password, database } = postgres;
	const redisPort = await getPort({ host: HOST });
	const redis = await keepRunning(() =>
		startRedis({ folder: join(folder, 'redis'), port: redisPort }),
	);
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: HOST,
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		// As n8n 3 always does it.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: host,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_PASSWORD: password,
		DB_POSTGRESDB_DATABASE: database,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
	};
	const n8nPort = await getPort({ host: HOST });
	const main = await keepRunning(() => startN8n({ userFolder: folder, port: n8nPort, env }));
	const { client } = main.server;
	const { credential } = await setUpDemo({ client, userFolder: folder, sandbox });
	const workers = new Map(
		await Promise.all(
			WORKERS.map(async (name) => {
				const start = () => startN8n({ userFolder: folder, worker: name, env });
				return /** @type {const} */ ([name, await keepRunning(start)]);
			}),
		),
	);
	const sql = new pg.Pool({ connectionString: postgres.url, max: 2 });
	// PostgreSQL ends with this program, and may do so before these connections.
	sql.on('error', () => {});

	return {
		/** Logged in: the session outlives main, whose address and encryption key stay. */
		client,
		credential,
		sql,
		postgres,
		redis,
		main,
		workers,
		/**
		 * @param {string} workflow id
		 * @returns {Promise<string | undefined>} name of a worker that is in the middle of an execution of this workflow
		 */
		async busyWorker(workflow) {
			const { rows } = await sql.query(
				`select id from execution_entity where "workflowId" = $1 and status = 'running'`,
				[workflow],
			);
			// One whose worker was killed counts as running for another minute, but a worker's log begins anew with it.
			for (const { id } of rows)
				for (const name of workers.keys()) {
					const log = await readFile(join(folder, `${name}.log`), 'utf8').catch(() => '');
					if (log.includes(`started execution ${id} `)) return name;
				}
			return undefined;
		},
	};
}
