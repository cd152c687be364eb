import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import ts from 'typescript';

import { filesBelow } from '../lib/folders.mjs';
import { ROOT } from '../lib/project.mjs';

/**
 * What is in a folder of compiled output: the path below the folder, with forward slashes, and the content.
 *
 * @typedef {Map<string, string | Buffer>} Output
 */

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
export const { options: COMPILER_OPTIONS } = ts.convertCompilerOptionsFromJson(
	{ ...config.compilerOptions, noEmit: false, types: [], newLine: 'lf' },
	ROOT,
);

/**
 * @param {string} folder below the root
 * @param {RegExp} pattern
 * @returns {Promise<string[]>} paths below the root
 */
export async function find(folder, pattern) {
	return (await filesBelow(join(ROOT, folder)))
		.map((name) => `${folder}/${name}`)
		.filter((name) => pattern.test(name));
}

/**
 * Compiles the modules of folders, file by file and without checking types (`npm run typecheck` does that).
 *
 * @param {string[]} folders below the root
 * @returns {Promise<Output>}
 */
export async function compile(...folders) {
	const sources = await Promise.all(folders.map((folder) => find(folder, /(?<!\.d)\.ts$/)));
	return new Map(
		await Promise.all(
			sources.flat().map(async (file) => {
				const source = await readFile(join(ROOT, file), 'utf8');
				const options = { compilerOptions: COMPILER_OPTIONS, fileName: file };
				const { outputText } = ts.transpileModule(source, options);
				return /** @type {const} */ ([file.replace(/\.ts$/, '.js'), outputText]);
			}),
		),
	);
}
