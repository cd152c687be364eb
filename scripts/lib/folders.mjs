import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { ROOT } from './project.mjs';

/** @typedef {Map<string, string | Uint8Array>} Content  of files, by their paths below the root */

/**
 * @param {string} folder below the root
 * @returns {Promise<string[]>} all files in it, as paths below the root
 */
export async function filesBelow(folder) {
	const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)));
}

/**
 * Writes files, except those that are right already: who watches or reads a file is not disturbed for nothing.
 *
 * @param {Content} content
 */
export async function writeChanged(content) {
	for (const [file, text] of content) {
		const path = join(ROOT, file);
		const present = await readFile(path).catch(() => undefined);
		if (present?.equals(Buffer.from(text))) continue;
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, text);
	}
}

/**
 * Makes a folder hold exactly the given files.
 *
 * @param {string} folder below the root
 * @param {Content} content
 */
export async function syncFolder(folder, content) {
	await mkdir(join(ROOT, folder), { recursive: true });
	for (const file of await filesBelow(folder)) if (!content.has(file)) await rm(join(ROOT, file));
	await writeChanged(content);
}
