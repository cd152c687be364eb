import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { processWide } from '../jest/processWide';

/** Folder for n8n's settings. Without it, tests would change the developer's own ~/.n8n. */
export const userFolder = processWide('userFolder', () =>
	join(tmpdir(), `payment-collection-engine-${randomUUID()}`),
);

process.env['N8N_USER_FOLDER'] = userFolder;
process.env['N8N_ENCRYPTION_KEY'] = 'engine-tests';
process.env['N8N_LOG_LEVEL'] = 'silent'; // the capturing logger takes everything instead
process.env['N8N_DIAGNOSTICS_ENABLED'] = 'false';

// The tests talk to 127.0.0.1 only; n8n's HTTP client would obey a proxy of the machine.
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
	Reflect.deleteProperty(process.env, name);
	Reflect.deleteProperty(process.env, name.toLowerCase());
}
