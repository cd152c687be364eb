import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { ROOT } from './project.mjs';

/** @typedef {Map<string, string | Uint8Array>} Content  of files, by their paths from the root */

/**
 * @param {string} folder path from the root
 * @returns {Promise<string[]>} all files in it, as paths from the root
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
		// Changes the file in a single step: an n8n that runs from the folder never sees half of it.
		const temporary = `${path}.${process.pid}.tmp`;
		await writeFile(temporary, text);
		await rename(temporary, path);
	}
}

/**
 * Makes a folder hold exactly the given files.
 *
 * @param {string} folder path from the root
 * @param {Content} content
 */
export async function syncFolder(folder, content) {
	await mkdir(join(ROOT, folder), { recursive: true });
	for (const file of await filesBelow(folder)) if (!content.has(file)) await rm(join(ROOT, file));
	await writeChanged(content);
}
