import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compile } from '../../scripts/compile/compile.mjs';
import { moduleLoader } from '../../scripts/compile/modules.mjs';
import { syncFolder } from '../../scripts/lib/folders.mjs';
import { PACKAGE_NAME, ROOT } from '../../scripts/lib/project.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { ensureN8n } from '../../scripts/n8n-server/install.mjs';
import { Child } from './child.mjs';

/** What engine.mjs loads. */
const ENGINE_MODULES = [
	'expressions',
	'forget',
	'lists',
	'items',
	'trigger',
	'load',
	'memory',
	'profile',
];

/** The sandbox's own, when it was given no other. */
export const API_KEY = 'demo-sandbox-key';

const processFile = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * What the bench compares in: n8n's engine as it is installed, on its own Node. Compiled code and a copy of the package
 * go where neither finds this checkout's packages, so that all of it uses n8n's own, as in a user's n8n.
 *
 * @returns {Promise<(settings?: Record<string, string>) => Child>} starts a process of it, with these settings of n8n
 */
export async function prepareEngine() {
	const n8n = await ensureN8n();
	const folder = temporaryFolder('payment-collection-bench-');
	await syncFolder(folder, await compile(ENGINE_MODULES.map((name) => `bench/engine/${name}.ts`)));
	const target = join(folder, 'node_modules', PACKAGE_NAME);
	await mkdir(target, { recursive: true });
	for (const name of ['package.json', 'dist'])
		await cp(join(ROOT, name), join(target, name), { recursive: true });
	return (settings = {}) =>
		new Child(n8n.node, processFile('engine.mjs'), {
			flags: ['--expose-gc'],
			env: {
				BENCH_CODE: folder,
				BENCH_PACKAGE: target,
				NODE_PATH: join(n8n.folder, 'node_modules'),
				// The service's certificate is its own.
				NODE_TLS_REJECT_UNAUTHORIZED: '0',
				NODE_NO_WARNINGS: '1',
				...settings,
			},
		});
}

/**
 * @typedef {object} Address
 * @property {{ customers: number, charges: number, links?: number }} holdings
 * @property {number} delayMs
 * @property {boolean} [isTls]
 * @property {number} [endlessPages] the list begins anew behind this page
 *
 * @typedef {object} Service
 * @property {(address: Address) => Promise<string>} at its base URL
 * @property {(address: Address) => Promise<{ requests: number, most: number }>} traffic since the last time that it was asked
 * @property {(holdings: Address['holdings'], count: number) => Promise<{ links: string[], charges: string[] }>} ids
 */

/** @returns {Promise<Service>} */
export async function startService() {
	const load = await moduleLoader(['test/support/servers/selfSigned.ts']);
	const { selfSigned } = load()('test/support/servers/selfSigned');
	const child = new Child(process.execPath, processFile('service.mjs'));
	const full = (/** @type {Address} */ { isTls, ...address }) => ({
		...address,
		...(isTls && { tls: selfSigned }),
	});
	return {
		at: async (address) => await child.call('address', full(address)),
		traffic: async (address) => await child.call('traffic', full(address)),
		ids: async (holdings, count) => await child.call('ids', { holdings, count }),
	};
}
