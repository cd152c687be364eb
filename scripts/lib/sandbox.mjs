import generateSources from '../generate/sources.mjs';
import { atEnd } from './program.mjs';
import { importTypeScript } from './typescript.mjs';

// A fresh clone lacks them, and the sandbox imports them.
await generateSources();

/** @type {typeof import('../../sandbox/index.js')} */
const { startSandbox: start } = await importTypeScript('sandbox/index.ts');

/** @type {typeof import('../../sandbox/html.js')} */
export const { markup, sendPage, table } = await importTypeScript('sandbox/html.ts');

/**
 * Starts the payment service within this process. It ends with this program at the latest.
 *
 * @param {import('../../sandbox/index.js').SandboxOptions} [options] port: any free one by default
 */
export async function startSandbox(options) {
	const sandbox = await start(options);
	atEnd(() => sandbox.close());
	return sandbox;
}
