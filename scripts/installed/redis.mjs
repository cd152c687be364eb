import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';

import { ensureInstalled } from './ensure.mjs';
import { UserError } from '../lib/program.mjs';
import { startServer } from '../lib/server.mjs';

const HOST = '127.0.0.1';

/** @returns {Promise<string>} path of redis-server, which is installed first where that is possible */
export async function ensureRedis() {
	const program = await ensureInstalled({
		names: ['redis-server', 'valkey-server'],
		variable: 'REDIS_SERVER_PATH',
		debian: 'redis-server',
		effort: 'Redis (usually 10 s)',
	});
	if (program !== undefined) return program;
	throw new UserError(
		'there is no Redis, which n8n needs in queue mode. Install it (Debian: apt-get install redis-server, macOS: brew install redis), or name a redis-server in REDIS_SERVER_PATH.',
	);
}

/**
 * Starts Redis on 127.0.0.1 and waits until it answers. It saves what it holds to the folder every minute and when it is
 * stopped: killed and started again with that folder, it goes on as it was up to a minute before.
 *
 * @param {{ folder: string, port?: number }} options port: any free one by default
 * @returns {Promise<import('../lib/server.mjs').Server & { port: number }>}
 */
export async function startRedis({ folder, port }) {
	const program = await ensureRedis();
	await mkdir(folder, { recursive: true });
	port ??= await getPort({ host: HOST });
	const settings = { bind: HOST, port: String(port), dir: folder, save: '60 1', appendonly: 'no' };
	const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	const server = await startServer('Redis', [program, ...flags], {
		cwd: folder,
		env: { PATH: process.env['PATH'] },
		logFile: join(folder, 'redis.log'),
		// Logged once the data is read.
		isReady: (log) => log.includes('Ready to accept connections'),
	});
	return { ...server, port };
}
