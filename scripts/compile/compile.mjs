import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

import ts from 'typescript';

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
 * @param {string} javascript
 * @returns {string[]} what it requires, as written
 */
function requiredModules(javascript) {
	return ts.preProcessFile(javascript, true, true).importedFiles.map(({ fileName }) => fileName);
}

/**
 * @param {string} specifier of an import, relative
 * @param {string} importer path below the root
 * @returns {string} path below the root of the TypeScript file that is meant
 */
export function sourceOf(specifier, importer) {
	const target = posix.normalize(posix.join(dirname(importer), specifier));
	const candidates = [`${target}.ts`, `${target}/index.ts`];
	const found = candidates.find((candidate) => ts.sys.fileExists(join(ROOT, candidate)));
	if (found === undefined)
		throw new Error(`${importer} imports "${specifier}", which is no TypeScript file`);
	return found;
}

/**
 * Compiles modules and all modules of this project that they need at run time, file by file and without checking types
 * (`npm run typecheck` does that). Imports that are only types vanish, so what is reached is exactly what runs.
 *
 * @param {string[]} entries paths below the root, such as "nodes/Foo/Foo.node.ts"
 * @returns {Promise<Output>}
 */
export async function compile(entries) {
	/** @type {Output} */
	const output = new Map();
	const pending = [...entries];
	const seen = new Set(pending);
	for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
		const source = await readFile(join(ROOT, file), 'utf8');
		const { outputText } = ts.transpileModule(source, {
			compilerOptions: COMPILER_OPTIONS,
			fileName: file,
		});
		output.set(file.replace(/\.ts$/, '.js'), outputText);
		for (const specifier of requiredModules(outputText)) {
			if (!specifier.startsWith('.')) continue;
			const found = sourceOf(specifier, file);
			if (!seen.has(found)) {
				seen.add(found);
				pending.push(found);
			}
		}
	}
	return output;
}
