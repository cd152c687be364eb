import { dirname, join, posix, relative } from 'node:path';

import { rollup } from 'rollup';
import ts from 'typescript';

import { compiled } from './compile.mjs';
import { ROOT } from '../lib/project.mjs';

/** All that a community node may require besides its own files, as n8n's verification has it. */
const SHIPPED_IMPORTS = ['n8n-workflow', 'crypto', 'node:crypto'];

/** What is elsewhere belongs to one node alone. */
const SHARED = /^(nodes\/shared|contract)\//;

/** Nobody reads the comments of what is published. */
const OPTIONS = { module: ts.ModuleKind.ESNext, removeComments: true };

/**
 * A single other character, and the engine keeps all of the file in twice the memory, and reads it more slowly.
 *
 * @param {string} javascript in which such characters stand in texts and regular expressions alone
 */
const inAscii = (javascript) =>
	javascript.replace(
		/[\u0080-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/** @type {(javascript: string) => string} the package is 1.5 kB smaller with tabs than with TypeScript's spaces */
const withTabs = (javascript) =>
	javascript.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));

/** @type {(id: string) => string} path below the root, with forward slashes */
const pathOf = (id) => relative(ROOT, id).replaceAll('\\', '/');

/**
 * @param {string} specifier of an import, relative
 * @param {string} importer path below the root
 * @returns {string} path of the TypeScript file that is meant
 */
function sourceOf(specifier, importer) {
	const target = join(ROOT, posix.join(dirname(importer), specifier));
	const found = [`${target}.ts`, join(target, 'index.ts')].find(ts.sys.fileExists);
	if (found === undefined)
		throw new Error(`${importer} imports "${specifier}", which is no TypeScript file`);
	return found;
}

/**
 * Puts each entry into one file, and what they share into one more: n8n loads a hundred small files several times as
 * slowly.
 *
 * @param {string[]} entries paths below the root, such as "nodes/Foo/Foo.node.ts"
 * @returns {Promise<{ output: import('./compile.mjs').Output, modules: string[] }>} modules: all that are in it, paths
 *   below the root
 */
export async function bundle(entries) {
	const bundled = await rollup({
		input: Object.fromEntries(
			entries.map((entry) => [entry.replace(/\.ts$/, ''), join(ROOT, entry)]),
		),
		plugins: [
			{
				name: 'typescript',
				resolveId: (specifier, importer) => {
					if (importer === undefined) return specifier;
					if (specifier.startsWith('.')) return sourceOf(specifier, pathOf(importer));
					if (SHIPPED_IMPORTS.includes(specifier)) return { id: specifier, external: true };
					throw new Error(
						`${pathOf(importer)} imports "${specifier}" at run time, which is not allowed there`,
					);
				},
				load: (id) => compiled(pathOf(id), OPTIONS),
			},
		],
		onwarn: ({ message }) => {
			throw new Error(message);
		},
	});
	const { output: files } = await bundled.generate({
		format: 'cjs',
		esModule: false,
		exports: 'named',
		externalLiveBindings: false,
		generatedCode: { preset: 'es2015', symbols: false },
		entryFileNames: '[name].js',
		chunkFileNames: 'nodes/shared.js',
		manualChunks: (id) => (SHARED.test(pathOf(id)) ? 'shared' : undefined),
	});
	const chunks = files.flatMap((file) => (file.type === 'chunk' ? [file] : []));
	return {
		output: new Map(chunks.map(({ fileName, code }) => [fileName, withTabs(inAscii(code))])),
		modules: chunks.flatMap(({ moduleIds }) => moduleIds.map(pathOf)),
	};
}
