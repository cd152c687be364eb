import { after } from 'node:test';

import pg from 'pg';

import { temporaryFolder } from '../../../../scripts/lib/temporary.mjs';
import { postgresCredential } from '../../../../scripts/n8n-server/demo.mjs';
import { startPostgres } from '../../../../scripts/n8n-server/postgres.mjs';

/**
 * @param {string} url of a database
 * @param {string} sql
 * @returns {Promise<Record<string, any>[]>} numeric values as text, dates as the database writes them
 */
async function query(url, sql) {
	const types = { getTypeParser: () => (/** @type {string} */ text) => text };
	const client = new pg.Client({ connectionString: url, types });
	client.on('error', () => {});
	await client.connect();
	try {
		return (await client.query(sql)).rows;
	} finally {
		await client.end();
	}
}

/**
 * A PostgreSQL for one test file alone, which ends with it.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n gets a credential for it
 */
export async function startDatabase(n8n) {
	const folder = temporaryFolder('n8n-e2e-database');
	let server = await startPostgres({ folder });
	after(async () => await server.stop());
	const { port } = server;
	return {
		url: server.url,
		credential: await n8n.createCredential(postgresCredential(server)),
		query: async (/** @type {string} */ sql) => await query(server.url, sql),
		/** What stops here is down for n8n. */
		stop: async () => await server.stop(),
		/** At the same address. */
		async start() {
			server = await startPostgres({ folder, port });
		},
	};
}
