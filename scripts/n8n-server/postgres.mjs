import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';

import { startServer } from '../lib/server.mjs';
import { ensureN8n } from './install.mjs';

const HOST = '127.0.0.1';
const USER = 'postgres';
/** PostgreSQL makes it itself. */
const DATABASE = 'postgres';

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} RunningPostgres */

/**
 * Starts a PostgreSQL on 127.0.0.1, and waits until its database can be used.
 *
 * @param {{ folder: string, port?: number }} options folder: its data; starting again with the same one continues where
 *   it stopped. port: any free one by default
 * @returns its address, with all of it in `url`; the user may do everything
 */
export async function startPostgres({ folder, port }) {
	// PostgreSQL comes with n8n, see n8n-versions/.
	const { postgres: programs } = await ensureN8n();
	const prefix = await asOtherThanRoot();
	const { data, password } = await ensureData(folder, [...prefix, join(programs, 'initdb')]);
	port ??= await getPort({ host: HOST });
	const settings = {
		listen_addresses: HOST,
		port: String(port),
		// Paths of sockets are limited to a hundred characters.
		unix_socket_directories: '',
		timezone: 'UTC',
	};
	const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const command = [...prefix, join(programs, 'postgres'), '-D', data, ...flags];
	const server = await startServer('PostgreSQL', command, {
		// It would wait for its clients at the usual signal.
		stopSignal: 'SIGINT',
		cwd: folder,
		logFile: join(folder, 'postgres.log'),
		env: { PATH: process.env['PATH'] },
		isReady: (log) => log.includes('database system is ready to accept connections'),
	});
	const url = `postgres://${USER}:${password}@${HOST}:${port}/${DATABASE}`;
	return { url, host: HOST, port, user: USER, password, database: DATABASE, ...server };
}

/**
 * PostgreSQL refuses to run as root, the usual user of containers. It then runs as the user nobody, with root's access to folders: into
 * the folders of root's home, say, and temporary ones.
 *
 * @returns {Promise<string[]>} stands in front of a command of PostgreSQL's
 */
async function asOtherThanRoot() {
	if (process.getuid?.() !== 0) return [];
	const idOf = async (/** @type {string} */ flag) => (await execa('id', [flag, 'nobody'])).stdout;
	return [
		'setpriv',
		`--reuid=${await idOf('-u')}`,
		`--regid=${await idOf('-g')}`,
		'--clear-groups',
		// Without it, access(), by which PostgreSQL checks folders, would ignore the capability below.
		'--securebits=+no_setuid_fixup',
		'--inh-caps=-all,+dac_override',
		'--ambient-caps=-all,+dac_override',
	];
}

/**
 * @param {string} folder
 * @param {string[]} initdb makes a folder for PostgreSQL's data
 * @returns {Promise<{ data: string, password: string }>} data: that folder, new unless it is there
 */
async function ensureData(folder, [program = '', ...args]) {
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	if (!existsSync(data)) {
		await mkdir(folder, { recursive: true });
		await writeFile(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
		await execa(program, [
			...args,
			`--pgdata=${data}`,
			`--username=${USER}`,
			`--pwfile=${passwordFile}`,
			'--auth=scram-sha-256',
			'--encoding=UTF8',
			// The same on every machine, whatever languages it has.
			'--locale=C',
			'--locale-provider=builtin',
			'--builtin-locale=C.UTF-8',
			'--no-sync',
		]);
	}
	return { data, password: await readFile(passwordFile, 'utf8') };
}
