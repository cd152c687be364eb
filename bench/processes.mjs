import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { execa } from 'execa';

import { compile } from '../scripts/compile/compile.mjs';
import { syncFolder } from '../scripts/lib/folders.mjs';
import { PACKAGE_NAME, ROOT } from '../scripts/lib/project.mjs';
import { temporaryFolder } from '../scripts/lib/temporary.mjs';
import { outputOf } from '../scripts/n8n-server/client/index.mjs';
import { ensureN8n } from '../scripts/n8n-server/install.mjs';
import { startN8n } from '../scripts/n8n-server/server.mjs';

const PAUSE_MS = 300;

/**
 * n8n's engine as it is installed, on its own Node. Compiled code and a copy of the package go where neither finds this
 * checkout's packages, so that all of it uses n8n's own, as in a user's n8n.
 */
export async function prepareEngine() {
	const n8n = await ensureN8n();
	const folder = temporaryFolder('payment-collection-bench-');
	const sources = ['bench', 'test/support', 'nodes', 'credentials', 'contract', 'sandbox'];
	await syncFolder(folder, await compile(...sources));
	const target = join(folder, 'node_modules', PACKAGE_NAME);
	for (const name of ['package.json', 'dist'])
		await cp(join(ROOT, name), join(target, name), { recursive: true });
	const NODE_PATH = join(n8n.folder, 'node_modules');
	/** Starts a process of it, until the signal, which does a task of engine.ts at a time. */
	return (/** @type {AbortSignal} */ end, /** @type {Record<string, string>} */ settings) => {
		const engine = execa(n8n.node, ['--expose-gc', join(folder, 'bench', 'engine.js')], {
			env: { NODE_PATH, NODE_NO_WARNINGS: '1', BENCH_PACKAGE: target, ...settings },
			ipc: true,
			stderr: 'inherit',
			cancelSignal: end,
			reject: false,
		});
		return async (/** @type {Record<string, any>} */ task) =>
			(await Promise.all([engine.getOneMessage(), engine.sendMessage(task)]))[0];
	};
}

/** A whole n8n, which saves its executions as usual. */
export async function startWholeN8n() {
	const { client } = await startN8n({ userFolder: temporaryFolder('payment-collection-bench-') });
	const owner = { email: 'bench@example.com', firstName: 'Bench', lastName: 'Owner' };
	await client.setUpOwner({ ...owner, password: `${randomUUID()}A` });
	return async ({ workflow, credentials }) => {
		// For the isolate of its expressions, as in engine.ts; and what n8n hung up meanwhile is noticed.
		await sleep(PAUSE_MS);
		const type = 'paymentCollectionApi';
		const { id } = await client.createCredential({ name: 'Bench', type, data: credentials });
		const text = JSON.stringify(workflow).replaceAll('"id":"bench"', `"id":"${id}"`);
		const saved = await client.createWorkflow(JSON.parse(text));
		const execution = await client.run(saved.id, { trigger: 'Start' });
		return {
			items: outputOf(execution, saved.nodes.at(-1)?.name ?? '').length,
			ms: Date.parse(execution.stoppedAt) - Date.parse(execution.startedAt),
		};
	};
}
