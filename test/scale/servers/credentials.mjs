import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';

/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */

/**
 * @param {import('./cluster.mjs').Cluster} cluster
 * @param {{ url: string, apiKey: string }} service
 * @returns {Promise<Record<typeof CREDENTIAL_TYPE | 'postgres', CredentialReference>>} by their types
 */
export async function createCredentials({ client, database }, service) {
	const { host, port, user, password, database: name } = database;
	return {
		[CREDENTIAL_TYPE]: await client.createCredential({
			name: 'Payment Collection account',
			type: CREDENTIAL_TYPE,
			data: { baseUrl: service.url, apiKey: service.apiKey },
		}),
		postgres: await client.createCredential({
			name: 'Postgres account',
			type: 'postgres',
			data: { host, port, user, password, database: name, ssl: 'disable' },
		}),
	};
}
