import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { startServers } from './servers.mjs';

// Told to end, a test file must still end the servers that it started: they are killed when the process exits.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
	process.once(signal, () => process.exit(1));

/**
 * Starts a sandbox and an n8n for one test file alone, which end with it.
 *
 * @param {Omit<Parameters<typeof startServers>[0], 'folder'>} [options]
 */
export async function startOwnServers(options = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-own-'));
	/** @type {Awaited<ReturnType<typeof startServers>> | undefined} */
	let servers;
	after(async () => {
		await servers?.stop();
		await rm(folder, { recursive: true, force: true });
	});
	servers = await startServers({ ...options, folder });
	return servers;
}
