import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

import ts from 'typescript';

import { MESSAGE_SOURCES } from './messageSources.mjs';
import { ROOT } from './project.mjs';

/**
 * What is in a folder of compiled output: the path below the folder, with forward slashes, and the content.
 *
 * @typedef {Map<string, string | Buffer>} Output
 */

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options: baseOptions } = ts.convertCompilerOptionsFromJson(
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
 * As the sources are indented: the compiler knows four spaces only, which are a fiftieth of the published package.
 *
 * @param {string} javascript
 */
function indentedByTabs(javascript) {
	// The lines of a template are no indentation.
	const hasLongTemplate = javascript.split('\n').some((line) => line.split('`').length % 2 === 0);
	if (hasLongTemplate) return javascript;
	return javascript.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/** What these sources say about a message or a rule for the pages that are made of them, in texts that no code reads. */
const FOR_PAGES = new Set(['cause', 'because']);
const SOURCES_OF_PAGES = new Set(Object.values(MESSAGE_SOURCES).map((module) => `${module}.ts`));

/** @type {import('typescript').TransformerFactory<import('typescript').SourceFile>} */
const withoutTextsForPages = (context) => (file) => {
	/** @type {(node: import('typescript').Node) => import('typescript').Node | undefined} */
	const visit = (node) => {
		const isForPages =
			ts.isPropertyAssignment(node) &&
			ts.isIdentifier(node.name) &&
			FOR_PAGES.has(node.name.text) &&
			ts.isStringLiteral(node.initializer);
		return isForPages ? undefined : ts.visitEachChild(node, visit, context);
	};
	return ts.visitEachChild(file, visit, context);
};

/**
 * Compiles modules and all modules of this project that they need at run time, file by file and without checking types
 * (`npm run typecheck` does that). Imports that are only types vanish, so what is reached is exactly what runs.
 *
 * @param {string[]} entries paths below the root, such as "nodes/Foo/Foo.node.ts"
 * @param {(specifier: string, importer: string) => boolean} isAllowed decides on each import that is no relative one
 * @param {{ isPublished?: boolean }} [settings] nobody reads the comments of what is published, nor the texts for pages
 * @returns {Promise<Output>}
 */
export async function compile(entries, isAllowed, { isPublished = false } = {}) {
	const compilerOptions = { ...baseOptions, removeComments: isPublished };

	/** @type {Output} */
	const output = new Map();
	const pending = [...entries];
	const seen = new Set(pending);
	for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
		const source = await readFile(join(ROOT, file), 'utf8');
		const { outputText } = ts.transpileModule(source, {
			compilerOptions,
			transformers:
				isPublished && SOURCES_OF_PAGES.has(file) ? { before: [withoutTextsForPages] } : {},
			fileName: file,
		});
		output.set(file.replace(/\.ts$/, '.js'), indentedByTabs(outputText));
		for (const specifier of requiredModules(outputText)) {
			if (!specifier.startsWith('.')) {
				if (!isAllowed(specifier, file)) {
					throw new Error(`${file} imports "${specifier}" at run time, which is not allowed there`);
				}
				continue;
			}
			const target = posix.normalize(posix.join(dirname(file), specifier));
			const candidates = [`${target}.ts`, `${target}/index.ts`];
			const found = candidates.find((candidate) => ts.sys.fileExists(join(ROOT, candidate)));
			if (found === undefined)
				throw new Error(`${file} imports "${specifier}", which is no TypeScript file`);
			if (!seen.has(found)) {
				seen.add(found);
				pending.push(found);
			}
		}
	}
	return output;
}
