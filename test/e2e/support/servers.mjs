import { startSandbox } from '../../../scripts/lib/sandbox.mjs';
import { claimUserFolder, setUpDemo } from '../../../scripts/n8n-server/demo.mjs';
import { runN8nCommand, startN8n } from '../../../scripts/n8n-server/server.mjs';

/**
 * What a test file needs to reach servers that another process runs.
 *
 * @typedef {object} Session
 * @property {string} n8nUrl
 * @property {import('../../../scripts/n8n-server/client/types.mjs').Session} n8nSession of the logged-in owner
 * @property {string} sandboxUrl
 * @property {string} apiKey the sandbox's
 * @property {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} credential for the sandbox
 * @property {import('../../../scripts/n8n-server/client/types.mjs').Owner} owner
 */

/**
 * Starts a sandbox and a real n8n on free ports, set up as `npm start` sets them up: owner logged in, credential saved,
 * examples imported.
 *
 * @param {object} options
 * @param {string} options.folder a throw-away one; n8n's data when it was used before
 * @param {Record<string, string | undefined>} [options.env] further settings of n8n
 * @param {import('../../../sandbox/index.js').SandboxOptions} [options.sandbox]
 * @param {Parameters<typeof setUpDemo>[0]['postgres']} [options.postgres] see setUpDemo
 * @param {boolean} [options.show] see setUpDemo
 */
export async function startServers({ folder, env, sandbox: sandboxOptions, postgres, show }) {
	const sandbox = await startSandbox(sandboxOptions);
	await claimUserFolder(folder);

	const bootN8n = async () => {
		const running = await startN8n({ userFolder: folder, env });
		const { credential, owner } = await setUpDemo({
			client: running.client,
			userFolder: folder,
			sandbox,
			postgres,
			show,
		});
		return { ...running, credential, owner };
	};
	let n8n = await bootN8n();

	return {
		sandbox,
		/** n8n's user folder. */
		folder,
		/** Of the n8n that runs now: a restart gives it another address. */
		get n8n() {
			return n8n;
		},
		/**
		 * Ends n8n and starts it again with the same data.
		 *
		 * @param {{ isKilled?: boolean }} [options] isKilled: as by a power cut, in the middle of whatever it does
		 */
		async restartN8n({ isKilled = false } = {}) {
			await (isKilled ? n8n.kill() : n8n.stop());
			n8n = await bootN8n();
		},
		/**
		 * Runs a command of n8n beside it, on its data.
		 *
		 * @param {string[]} args
		 */
		runN8nCommand: async (args) => await runN8nCommand(args, { userFolder: folder, env }),
		async stop() {
			await n8n.stop();
			await sandbox.close();
		},
		/** @returns {Session} */
		handOver: () => ({
			n8nUrl: n8n.url,
			n8nSession: n8n.client.session,
			sandboxUrl: sandbox.url,
			apiKey: sandbox.apiKey,
			credential: n8n.credential,
			owner: n8n.owner,
		}),
	};
}
