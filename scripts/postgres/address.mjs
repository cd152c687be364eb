import pg from 'pg';

import { UserError } from '../lib/program.mjs';

/** @typedef {{ host: string, port: number, user: string, password: string, database: string, ssl: 'disable' | 'require' }} DatabaseAddress */

const DEFAULT_PORT = 5432;

/**
 * Reads the address of a database that somebody gave, and tries it.
 *
 * @param {string} text such as postgres://user:password@host:5432/database?sslmode=require
 * @returns {Promise<DatabaseAddress>}
 * @throws {UserError} that does not hold the password
 */
export async function addressOf(text) {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const database = url?.pathname.slice(1);
	if (!url || !/^postgres(ql)?:$/.test(url.protocol) || !url.hostname || !database)
		throw new UserError(
			'--postgres is the address of a database, such as postgres://user:password@host:5432/database',
		);
	const mode = url.searchParams.get('sslmode') ?? 'disable';
	/** @type {DatabaseAddress} */
	const address = {
		host: url.hostname,
		port: Number(url.port || DEFAULT_PORT),
		user: decodeURIComponent(url.username),
		password: decodeURIComponent(url.password),
		database: decodeURIComponent(database),
		ssl: mode === 'disable' ? 'disable' : 'require',
	};
	const client = new pg.Client({ ...address, ssl: address.ssl === 'require' });
	try {
		await client.connect();
	} catch (error) {
		const why = error instanceof Error ? error.message || error.name : String(error);
		throw new UserError(
			`the database ${address.database} on ${address.host}:${address.port} can't be used: ${why}`,
		);
	} finally {
		await client.end().catch(() => {});
	}
	return address;
}
