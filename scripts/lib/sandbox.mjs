import { createRequire } from 'node:module';
import { join } from 'node:path';

import { atEnd } from './program.mjs';
import { ROOT } from './project.mjs';

/** @param {string} file a part of the sandbox, as `npm run build` left it in build/ */
export const loadBuilt = (file) =>
	createRequire(import.meta.url)(join(ROOT, 'build', 'sandbox', file));

/**
 * Starts the embedded payment service within this process. It ends with this program at the latest.
 *
 * @param {import('../../sandbox/index.js').SandboxOptions} [options] port: any free one by default
 * @returns {Promise<import('../../sandbox/index.js').Sandbox>}
 */
export async function startSandbox(options = {}) {
	/** @type {typeof import('../../sandbox/index.js')} */
	const { startSandbox: startBuilt } = loadBuilt('index.js');
	const sandbox = await startBuilt(options);
	atEnd(() => sandbox.close());
	return sandbox;
}
