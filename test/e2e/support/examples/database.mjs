import { after } from 'node:test';

import pg from 'pg';

import { temporaryFolder } from '../../../../scripts/lib/temporary.mjs';
import { postgresCredential } from '../../../../scripts/n8n-server/demo.mjs';
import { startPostgres } from '../../../../scripts/n8n-server/postgres.mjs';

/**
 * A PostgreSQL for one test file alone, which ends with it.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n gets a credential for it
 */
export async function startDatabase(n8n) {
	const folder = temporaryFolder('n8n-e2e-database');
	let server = await startPostgres({ folder });
	after(async () => await server.stop());
	const { url, port } = server;
	// Numeric values as text, and dates as the database writes them.
	const types = { getTypeParser: () => (/** @type {string} */ text) => text };
	const pool = new pg.Pool({ connectionString: url, types, maxUses: 1 });
	// A connection that is still being closed says so when the database stops.
	pool.on('error', () => undefined);
	return {
		credential: await n8n.createCredential(postgresCredential(server)),
		query: async (/** @type {string} */ sql) => (await pool.query(sql)).rows,
		stop: async () => await server.stop(),
		/** Starts the database again on the same port. */
		async start() {
			server = await startPostgres({ folder, port });
		},
	};
}
