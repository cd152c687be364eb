import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { execa, execaNode } from 'execa';

import { PACKAGE_NAME, ROOT } from '../scripts/lib/project.mjs';
import { temporaryFolder } from '../scripts/lib/temporary.mjs';
import { ensureN8n } from '../scripts/n8n-server/install.mjs';

/**
 * n8n's engine as it is installed, on its own Node. Compiled code and a copy of the package go where neither finds this
 * checkout's packages, so that all of it uses n8n's own, as in a user's n8n.
 */
export async function prepareEngine() {
	const n8n = await ensureN8n();
	const folder = temporaryFolder('payment-collection-bench-');
	const output = ['--outDir', folder, '--rootDir', ROOT, '--noEmit', 'false', '--noCheck'];
	const tsc = 'node_modules/typescript-7/bin/tsc';
	await execaNode(tsc, ['--project', '.', ...output], { cwd: ROOT });
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
