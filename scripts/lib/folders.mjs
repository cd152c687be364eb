import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/**
 * @param {string} folder an absolute path; may be missing
 * @returns {Promise<string[]>} the files below it, relative to it, with forward slashes, sorted
 */
export async function filesBelow(folder) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
		if (error.code === 'ENOENT') return [];
		throw error;
	});
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) =>
			relative(folder, join(entry.parentPath ?? entry.path, entry.name))
				.split(sep)
				.join('/'),
		)
		.sort();
}

/**
 * Makes a folder hold exactly the given files. Files that are right already are not touched, and each one changes in a
 * single step, so that a process that runs from the folder never sees half a file.
 *
 * @param {string} folder
 * @param {import('../compile/compile.mjs').Output} output
 * @returns {Promise<number>} how many files changed
 */
export async function syncFolder(folder, output) {
	let changes = 0;
	for (const name of await filesBelow(folder)) {
		if (output.has(name)) continue;
		await rm(join(folder, name));
		changes++;
	}
	for (const [name, content] of output) {
		const path = join(folder, name);
		const present = await readFile(path).catch(() => undefined);
		if (present?.equals(Buffer.from(content))) continue;
		await mkdir(dirname(path), { recursive: true });
		const temporary = `${path}.${process.pid}.tmp`;
		await writeFile(temporary, content);
		await rename(temporary, path);
		changes++;
	}
	return changes;
}
