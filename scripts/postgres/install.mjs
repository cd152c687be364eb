import { join } from 'node:path';

import { ensureN8n } from '../n8n-server/install.mjs';

/**
 * PostgreSQL comes with n8n, see n8n-versions/.
 *
 * @returns {Promise<{ initdb: string, postgres: string }>} paths of its programs
 */
export async function ensurePostgres() {
	const { postgres } = await ensureN8n();
	return { initdb: join(postgres, 'initdb'), postgres: join(postgres, 'postgres') };
}
