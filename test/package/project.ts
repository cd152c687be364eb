import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** @param path from the root of the repository */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** @returns paths of all files below a folder, from the root of the repository */
export const filesIn = (folder: string, ending: RegExp): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => ending.test(name))
		.map((name) => join(folder, name));
