import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * @param {string[]} names of a program, by which systems know it
 * @param {{ named?: string | undefined, elsewhere?: string[] }} [options] named: the path that the person gave, looked
 *   at first; elsewhere: paths that are in no PATH
 * @returns {Promise<string | undefined>} path of the one that is there
 */
export async function findExecutable(names, { named, elsewhere = [] } = {}) {
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	const candidates = [
		...[named].filter((path) => path !== undefined),
		...names.flatMap((name) => folders.map((folder) => join(folder, name))),
		...elsewhere,
	];
	for (const path of candidates) {
		const isThere = await access(path, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (isThere) return path;
	}
	return undefined;
}
