import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string[]} names of a program, by which systems know it
 * @param {{ named?: string | undefined, elsewhere?: string[] }} [options] named: the path that the person gave, looked
 *   at first; elsewhere: paths that are in no PATH
 * @returns {string | undefined} path of the one that is there
 */
export function findExecutable(names, { named = '', elsewhere = [] } = {}) {
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
	return [named, ...inPath, ...elsewhere].find((path) => existsSync(path));
}
