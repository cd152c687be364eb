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
const { options: COMPILER_OPTIONS } = ts.convertCompilerOptionsFromJson(
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
 * Compiles a module without checking types (`npm run typecheck` does that).
 *
 * @param {string} file path below the root
 * @param {ts.CompilerOptions} [options]
 */
export async function compiled(file, options) {
	const source = await readFile(join(ROOT, file), 'utf8');
	const compilerOptions = { ...COMPILER_OPTIONS, ...options };
	return ts.transpileModule(source, { compilerOptions, fileName: file }).outputText;
}

/**
 * @param {string[]} folders below the root
 * @returns {Promise<Output>} all their modules
 */
export async function compile(...folders) {
	const sources = await Promise.all(folders.map((folder) => find(folder, /(?<!\.d)\.ts$/)));
	/** @type {Output} */
	const output = new Map();
	for (const file of sources.flat()) output.set(file.replace(/\.ts$/, '.js'), await compiled(file));
	return output;
}
