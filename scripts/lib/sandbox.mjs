import { createRequire } from 'node:module';
import { join } from 'node:path';

import { atEnd } from './program.mjs';
import { ROOT } from './project.mjs';

/**
 * Starts the embedded payment service as `npm run build` left it in build/, within this process. It ends with this
 * program at the latest.
 *
 * @param {import('../../sandbox/index.js').SandboxOptions} [options] port: any free one by default
 * @returns {Promise<import('../../sandbox/index.js').Sandbox>}
 */
export async function startSandbox(options = {}) {
	const require = createRequire(import.meta.url);
	/** @type {typeof import('../../sandbox/index.js')} */
	const { startSandbox: startBuilt } = require(join(ROOT, 'build', 'sandbox', 'index.js'));
	const sandbox = await startBuilt(options);
	atEnd(() => sandbox.close());
	return sandbox;
}
