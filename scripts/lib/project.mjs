import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

export const PACKAGE_NAME = 'n8n-nodes-payment-collection';

/**
 * Where things are kept that are dear to make and belong to no checkout: the real n8n and the demo's data.
 *
 * @returns {string} an absolute path that may not exist yet
 */
export function cacheFolder() {
	return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), PACKAGE_NAME);
}
