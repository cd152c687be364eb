/**
 * Programs that are too large or too much tied to a platform for this project's own packages. Each is described by a
 * recipe, the files that npm installs by, and installed into a folder of the cache that is named after the hash of them.
 */

import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import prettyMs from 'pretty-ms';

import { withLock } from '../lib/lock.mjs';
import { cacheFolder } from '../lib/project.mjs';
import { UserError } from '../lib/program.mjs';

/** Written last: an install without it was cut short. */
const MARKER = '.complete';

/**
 * @typedef {object} Recipe
 * @property {string[]} files their paths: package.json, .npmrc, and package-lock.json where every version counts
 * @property {string} name the folder in the cache begins with it
 * @property {string} program what is installed, for people, such as "n8n 2.41.1"
 * @property {string} size
 * @property {string} duration
 * @property {(folder: string) => Promise<void>} install into a folder that holds the recipe's files and nothing else
 */

/** @param {string} path */
async function exists(path) {
	return await access(path).then(
		() => true,
		() => false,
	);
}

/**
 * Describes the install that this checkout asks for, whether it is there or not.
 *
 * @param {Pick<Recipe, 'files' | 'name'>} recipe
 * @returns {Promise<{ folder: string, installed: boolean }>}
 */
export async function describeRecipe({ files, name }) {
	const hash = createHash('sha256');
	for (const file of files) hash.update(await readFile(file));
	const folder = join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 12)}`);
	return { folder, installed: await exists(join(folder, MARKER)) };
}

/**
 * Installs a recipe unless that was done before. Safe to be interrupted, and to be called by several processes at once.
 *
 * @param {Recipe} recipe
 * @param {{ offline?: boolean }} [options] offline: fails instead of installing anything
 * @returns {Promise<string>} the folder
 */
export async function ensureRecipe(recipe, { offline = false } = {}) {
	const { files, program, size, duration, install } = recipe;
	const { folder, installed } = await describeRecipe(recipe);
	if (installed) return folder;
	if (offline)
		throw new UserError(
			`${program} is not installed in ${folder}, and --offline installs nothing. Run npm start once without it.`,
		);
	await mkdir(dirname(folder), { recursive: true });
	await withLock(
		`${folder}.lock`,
		async () => {
			if ((await describeRecipe(recipe)).installed) return;
			console.log(
				`${program} is not installed yet. It goes into ${folder}, once: ${size}, usually ${duration}.`,
			);
			const started = Date.now();
			await rm(folder, { recursive: true, force: true });
			await mkdir(folder);
			for (const file of files) await copyFile(file, join(folder, basename(file)));
			await install(folder);
			await writeFile(join(folder, MARKER), `${new Date().toISOString()}\n`);
			const took = prettyMs(Date.now() - started, { secondsDecimalDigits: 0 });
			console.log(`Installed ${program} in ${took}.`);
		},
		{ onWait: () => console.log(`Another process is installing ${program}: waiting for it …`) },
	);
	return folder;
}
