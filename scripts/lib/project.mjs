import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

export const PACKAGE_NAME = 'n8n-nodes-payment-collection';

/** Keeps what takes long to make and belongs to no checkout: the real n8n and the demo's data. It may not exist yet. */
export function cacheFolder() {
	return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), PACKAGE_NAME);
}
