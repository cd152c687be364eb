import { readFile } from 'node:fs/promises';
import { after } from 'node:test';

import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { temporaryFolder } from '../../../scripts/lib/temporary.mjs';
import { claimUserFolder, setUpDemo } from '../../../scripts/n8n-server/demo.mjs';
import { startN8n } from '../../../scripts/n8n-server/server.mjs';

/**
 * Starts a sandbox and a real n8n on free ports, set up as `npm start` sets them up: owner logged in, credential saved,
 * examples imported.
 *
 * @param {object} [options]
 * @param {string[]} [options.modules] of n8n's, to be on though they are off here usually
 * @param {Record<string, string | undefined>} [options.env] further settings of n8n
 * @param {(folder: string) => Promise<void>} [options.install] puts the package into n8n's data, in place of a copy
 * @param {import('../../../sandbox/index.js').SandboxOptions} [options.sandbox]
 */
export async function startServers({ modules, env, install, sandbox: sandboxOptions } = {}) {
	const folder = temporaryFolder('n8n-e2e');
	const sandbox = await startSandbox(sandboxOptions);
	await claimUserFolder(folder);
	await install?.(folder);
	const options = { userFolder: folder, modules, isPlaced: install !== undefined, env };
	let running = await startN8n(options);
	const { client } = running;
	const { credential } = await setUpDemo({ client, userFolder: folder, sandbox });
	let earlierLog = '';

	return {
		sandbox,
		credential,
		n8n: client,
		/** @returns n8n's log since its last start */
		logOfThisRun: async () => await readFile(running.logFile, 'utf8'),
		/** @returns n8n's whole log */
		log: async () => earlierLog + (await readFile(running.logFile, 'utf8')),
		/**
		 * Ends n8n and starts it again with the same data.
		 *
		 * @param {object} [options]
		 * @param {boolean} [options.isKilled] as by a power cut, in the middle of whatever it does
		 * @param {() => void} [options.whileDown] happens in between
		 * @param {Record<string, string | undefined>} [options.env] the settings from now on, if they change
		 */
		async restartN8n({ isKilled = false, whileDown = () => {}, ...changed } = {}) {
			await (isKilled ? running.kill() : running.stop());
			earlierLog += await readFile(running.logFile, 'utf8');
			whileDown();
			options.env = changed.env ?? options.env;
			running = await startN8n(options);
			// Only the port changes: sessions survive a restart.
			client.baseUrl = running.url;
		},
		async stop() {
			await running.stop();
			await sandbox.close();
		},
	};
}

/**
 * Starts a sandbox and an n8n for one test file alone, which end with it.
 *
 * @param {Parameters<typeof startServers>[0]} [options]
 */
export async function startOwnServers(options) {
	const servers = await startServers(options);
	after(async () => await servers.stop());
	return servers;
}
