import { randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import getPort from 'get-port';
import pg from 'pg';

import { isStopping } from '../../../scripts/lib/program.mjs';
import { startRedis } from '../../../scripts/installed/redis.mjs';
import { startN8n } from '../../../scripts/n8n-server/server.mjs';
import { startPostgres } from '../../../scripts/postgres/server.mjs';

const START_AGAIN_MS = 1_000;

/**
 * @typedef {Awaited<ReturnType<typeof startCluster>>} Cluster
 */

/**
 * n8n in queue mode: Redis, PostgreSQL, one main and some workers. What ends by itself is started again, as a
 * supervisor of a production system does.
 *
 * @param {object} options
 * @param {string} options.folder a throw-away one
 * @param {number} options.workers
 */
export async function startCluster({ folder, workers }) {
	const folders = { redis: join(folder, 'redis'), postgres: join(folder, 'postgres') };
	let [redis, postgres] = await Promise.all([
		startRedis({ folder: folders.redis }),
		startPostgres({ folder: folders.postgres }),
	]);
	const database = {
		host: postgres.host,
		port: postgres.port,
		user: postgres.user,
		password: postgres.password,
		database: postgres.database,
	};
	const sql = new pg.Pool({ ...database, max: 2 });
	// A restart of the server breaks idle connections; the next query opens another one.
	sql.on('error', () => {});
	const port = await getPort({ host: '127.0.0.1' });
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: database.host,
		DB_POSTGRESDB_PORT: String(database.port),
		DB_POSTGRESDB_USER: database.user,
		DB_POSTGRESDB_PASSWORD: database.password,
		DB_POSTGRESDB_DATABASE: database.database,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
	};

	/** How often each kind of process ended by itself and was started again. */
	const endedByThemselves = { main: 0, worker: 0 };
	/** @typedef {import('../../../scripts/n8n-server/server.mjs').RunningN8n} RunningN8n */
	/** @type {Set<RunningN8n>} that are meant to run */
	const wanted = new Set();

	/**
	 * @param {'main' | 'worker'} kind
	 * @param {RunningN8n} server
	 * @param {() => Promise<unknown>} startAgain
	 */
	const supervise = (kind, server, startAgain) => {
		wanted.add(server);
		void server.ended.then(async () => {
			if (!wanted.delete(server) || isStopping()) return;
			endedByThemselves[kind] += 1;
			await sleep(START_AGAIN_MS);
			await startAgain();
		});
	};

	let startedWorkers = 0;
	/** @type {Map<string, RunningN8n>} by name, in the order in which they were started */
	const running = new Map();
	const startWorker = async () => {
		startedWorkers += 1;
		const worker = `worker-${startedWorkers}`;
		const server = await startN8n({ userFolder: folder, worker, env });
		running.set(worker, server);
		supervise('worker', server, async () => {
			running.delete(worker);
			await startWorker();
		});
		return worker;
	};

	let mainRuns = 0;
	/** @type {RunningN8n} assigned by startMain */
	let main = /** @type {any} */ (undefined);
	const startMain = async () => {
		if (mainRuns > 0) await keepLog(main.logFile, join(folder, 'n8n-before.log'));
		mainRuns += 1;
		main = await startN8n({ userFolder: folder, port, env });
		supervise('main', main, startMain);
	};
	await startMain();
	// Logged in once: the session outlives the process, since the address and the encryption key stay.
	const { client } = main;
	await client.setUpOwner({
		email: 'scale@example.com',
		password: `${randomBytes(9).toString('base64url')}-A1`,
		firstName: 'Scale',
		lastName: 'Test',
	});
	await Promise.all(Array.from({ length: workers }, startWorker));

	return {
		folder,
		client,
		sql,
		database,
		url: client.baseUrl,
		endedByThemselves,
		/** @returns {string[]} names of the workers that run, the oldest first */
		get workers() {
			return [...running.keys()];
		},
		startWorker,
		/** @param {string} name of a worker, which ends at once and without saving anything */
		async killWorker(name) {
			const server = running.get(name);
			if (server === undefined) return;
			running.delete(name);
			wanted.delete(server);
			await server.kill();
		},
		async killMain() {
			wanted.delete(main);
			await main.kill();
		},
		async stopMain() {
			wanted.delete(main);
			await main.stop();
		},
		startMain,
		async restartRedis() {
			await redis.stop();
			redis = await startRedis({ folder: folders.redis, port: redis.port });
		},
		async restartPostgres() {
			await postgres.stop();
			postgres = await startPostgres({ folder: folders.postgres, port: database.port });
		},
		/** @returns {Promise<Map<string, string>>} the worker that began each execution last, by the execution's id */
		async workersOfExecutions() {
			const found = new Map();
			for (let number = 1; number <= startedWorkers; number++) {
				const name = `worker-${number}`;
				const log = await readFile(join(folder, `${name}.log`), 'utf8');
				for (const [, id] of log.matchAll(/started execution (\d+)/g)) found.set(id, name);
			}
			return found;
		},
		async stop() {
			for (const server of [...wanted]) {
				wanted.delete(server);
				await server.stop();
			}
			await sql.end();
			await redis.stop();
			await postgres.stop();
		},
	};
}

/**
 * @param {string} from
 * @param {string} to
 */
async function keepLog(from, to) {
	await appendFile(to, await readFile(from).catch(() => ''));
}
