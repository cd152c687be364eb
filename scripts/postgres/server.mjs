import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';
import pRetry from 'p-retry';
import pWaitFor from 'p-wait-for';
import pg from 'pg';

import { UserError } from '../lib/program.mjs';
import { startProgram } from '../lib/server.mjs';
import { asUser } from './asUser.mjs';
import { ensurePostgres } from './install.mjs';

const HOST = '127.0.0.1';
const USER = 'postgres';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const LOG_LINES_SHOWN = 15;
const START_RETRIES = 20;
const START_AGAIN_MS = 200;

/**
 * @typedef {object} RunningPostgres
 * @property {string} url with user, password and database
 * @property {string} host
 * @property {number} port
 * @property {string} user who may do everything
 * @property {string} password
 * @property {string} database
 * @property {string} logFile
 * @property {Promise<number>} ended
 * @property {() => Promise<void>} stop in good order; the data stays
 * @property {() => Promise<void>} kill as a power cut does
 */

/**
 * @typedef {object} PostgresOptions
 * @property {string} folder PostgreSQL's data; starting again with the same one continues where it stopped
 * @property {number} [port] any free one by default
 * @property {string} [database] made if it is not there
 * @property {Record<string, string>} [settings] of the server, such as max_connections
 */

/**
 * Starts a PostgreSQL on 127.0.0.1, and waits until its database can be used. It ends with this program at the latest,
 * even if that is killed.
 *
 * @param {PostgresOptions} options
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres(options) {
	return await pRetry(() => tryToStart(options), {
		retries: START_RETRIES,
		minTimeout: START_AGAIN_MS,
		factor: 1,
		shouldRetry: ({ error: { message } }) =>
			// A free port that was found may be another program's by the time that PostgreSQL listens.
			(options.port === undefined && message.includes('Address already in use')) ||
			// One that was killed is there for a moment longer.
			message.includes('lock file "postmaster.pid" already exists'),
	});
}

/**
 * @param {string} folder
 * @returns {Promise<{ data: string, password: string, command: string[] }>} command: what PostgreSQL is started with
 */
async function prepare(folder) {
	const { initdb, postgres } = await ensurePostgres();
	const prefix = await asUser();
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	const isThere = await access(data).then(
		() => true,
		() => false,
	);
	if (!isThere) {
		await mkdir(folder, { recursive: true });
		await writeFile(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
		// Renamed when it is whole: what is cut short begins anew.
		const unfinished = `${data}.new`;
		await rm(unfinished, { recursive: true, force: true });
		const [program = '', ...args] = [
			...prefix,
			initdb,
			`--pgdata=${unfinished}`,
			`--username=${USER}`,
			`--pwfile=${passwordFile}`,
			'--auth=scram-sha-256',
			'--encoding=UTF8',
			// The same on every machine, whatever languages it has.
			'--locale=C',
			'--locale-provider=builtin',
			'--builtin-locale=C.UTF-8',
			'--no-sync',
		];
		await execa(program, args);
		await rename(unfinished, data);
	}
	const password = await readFile(passwordFile, 'utf8');
	return { data, password, command: [...prefix, postgres] };
}

/**
 * @param {PostgresOptions} options
 * @returns {Promise<RunningPostgres>}
 */
async function tryToStart({ folder, port, database = 'payments', settings = {} }) {
	const { data, password, command } = await prepare(folder);
	port ??= await getPort({ host: HOST });
	const logFile = join(folder, 'postgres.log');
	await rm(logFile, { force: true });
	const all = {
		listen_addresses: HOST,
		port: String(port),
		// Their paths are limited to a hundred characters.
		unix_socket_directories: '',
		timezone: 'UTC',
		log_timezone: 'UTC',
		...settings,
	};
	const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const server = startProgram([...command, '-D', data, ...flags], {
		// It would wait for its clients at the usual signal.
		stopSignal: 'SIGINT',
		cwd: folder,
		logFile,
		env: { PATH: process.env['PATH'] },
	});
	const address = { host: HOST, port, user: USER, password };
	/** @type {number | undefined} */
	let exitCode;
	void server.ended.then((code) => (exitCode = code));
	let isReady = false;
	await pWaitFor(
		async () => {
			isReady = exitCode === undefined && (await hasDatabase(address, database));
			return isReady || exitCode !== undefined;
		},
		{ interval: POLL_MS, timeout: { milliseconds: START_TIMEOUT_MS, fallback: () => {} } },
	);
	if (!isReady) {
		await server.stop();
		const log = await readFile(logFile, 'utf8').catch(() => '');
		const lastWords = log.trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
		throw new UserError(`PostgreSQL did not start. Its last words:\n${lastWords}`);
	}
	const url = `postgres://${USER}:${password}@${HOST}:${port}/${database}`;
	return { url, ...address, database, logFile, ...server };
}

/**
 * @param {pg.ClientConfig} address
 * @param {string} database made if it is not there
 * @returns {Promise<boolean>} false as long as nobody answers
 */
async function hasDatabase(address, database) {
	const client = new pg.Client({ ...address, database: 'postgres' });
	// What happens to a connection that is not used any more is no news.
	client.on('error', () => {});
	try {
		await client.connect();
	} catch {
		await client.end().catch(() => {});
		return false;
	}
	try {
		const { rowCount } = await client.query('select from pg_database where datname = $1', [
			database,
		]);
		if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
		return true;
	} finally {
		await client.end();
	}
}
