import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { processWide } from '../jest/processWide';

/**
 * Must be the first import of everything that loads n8n-core: n8n reads its settings from the
 * environment, and its instance settings write a file into the user folder when they are first
 * asked for. Without this, a test run would create or change the developer's own ~/.n8n.
 */
const userFolder = processWide('userFolder', () =>
	mkdtempSync(join(tmpdir(), 'payment-collection-engine-')),
);

process.env['N8N_USER_FOLDER'] = userFolder;
process.env['N8N_ENCRYPTION_KEY'] = 'engine-tests';
process.env['N8N_LOG_LEVEL'] = 'silent'; // the capturing logger below takes everything instead
process.env['N8N_DIAGNOSTICS_ENABLED'] = 'false';

// The tests talk to 127.0.0.1 only; n8n's HTTP client would obey a proxy of the machine.
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
	Reflect.deleteProperty(process.env, name);
	Reflect.deleteProperty(process.env, name.toLowerCase());
}

/** The settings are kept in memory once read, so the folder is needed for that moment only. */
export function removeUserFolder(): void {
	rmSync(userFolder, { recursive: true, force: true });
}
