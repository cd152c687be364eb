import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { rollup } from 'rollup';
import ts from 'typescript';

import { COMPILER_OPTIONS, sourceOf } from './compile.mjs';
import { isReadLater, laterName, loadedModules, readingLater } from './readLater.mjs';
import { ROOT } from '../lib/project.mjs';

/**
 * Without indentation, which is a fiftieth of the published package, and which any formatter brings back.
 *
 * @param {string} javascript
 */
function flat(javascript) {
	// The lines of a template are no indentation.
	const hasLongTemplate = javascript.split('\n').some((line) => line.split('`').length % 2 === 0);
	return hasLongTemplate ? javascript : javascript.replace(/^ +/gm, '');
}

/** @param {string} path below the root */
async function compiled(path) {
	const { outputText } = ts.transpileModule(await readFile(join(ROOT, path), 'utf8'), {
		// Nobody reads the comments of what is published.
		compilerOptions: {
			...COMPILER_OPTIONS,
			module: ts.ModuleKind.ESNext,
			removeComments: true,
			// A field is set by the constructor alone, and not declared besides.
			useDefineForClassFields: false,
		},
		fileName: path,
	});
	return flat(outputText);
}

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

/**
 * One list of what a file exports in place of a line for each, which is a two-hundredth of the published package.
 *
 * @param {string} javascript
 */
const exportingAtOnce = (javascript) =>
	javascript.replace(/(?:^exports\.(\w+) = \1;\n?){3,}/gm, (lines) => {
		const names = Array.from(lines.matchAll(/exports\.(\w+)/g), ([, name]) => name);
		return `Object.assign(exports, { ${names.join(', ')} });\n`;
	});

/** @type {(id: string) => string} path below the root, with forward slashes */
const pathOf = (id) => relative(ROOT, id).replaceAll('\\', '/');

/**
 * Puts all of an entry that n8n needs when it loads the entry into one file, what only runs later into another, which is
 * read when it is first needed, and what several entries have in common into two such files that they share: n8n loads a
 * hundred small files several times as slowly, and reads descriptions at each start, for users who never run a node too.
 *
 * @param {string[]} entries paths below the root, such as "nodes/Foo/Foo.node.ts", each of a class of the name "Foo"
 * @param {{ shared: string, isAllowed: (specifier: string) => boolean }} settings shared: path of the shared files,
 *   without an ending; isAllowed decides on each import that is no relative one
 * @returns {Promise<{ output: import('./compile.mjs').Output, modules: string[] }>} modules: all that are in it, paths
 *   below the root
 */
export async function bundle(entries, { shared, isAllowed }) {
	const loaded = await loadedModules(entries);
	const bundled = await rollup({
		input: Object.fromEntries(
			entries.map((entry) => [entry.replace(/\.ts$/, ''), join(ROOT, entry)]),
		),
		// What runs later takes from an entry's file more than its class.
		preserveEntrySignatures: 'allow-extension',
		plugins: [
			{
				name: 'typescript',
				resolveId: (specifier, importer) => {
					if (importer === undefined) return specifier;
					if (specifier.startsWith('.')) return join(ROOT, sourceOf(specifier, pathOf(importer)));
					if (isAllowed(specifier)) return { id: specifier, external: true };
					throw new Error(
						`${pathOf(importer)} imports "${specifier}" at run time, which is not allowed there`,
					);
				},
				load: (id) => compiled(pathOf(id)),
			},
		],
		onwarn: ({ message }) => {
			throw new Error(message);
		},
	});
	/** @type {Map<string, string>} by the name of a file, by which the others call it */
	const folders = new Map();
	const { output: files } = await bundled.generate({
		format: 'cjs',
		exports: 'named',
		esModule: false,
		externalLiveBindings: false,
		generatedCode: { preset: 'es2015', symbols: false },
		minifyInternalExports: false,
		entryFileNames: '[name].js',
		// Of what is read later, the name says the content: code of another version, installed meanwhile, is never taken.
		chunkFileNames: ({ name }) =>
			`${folders.get(name)}/${isReadLater(name) ? '[name]-[hash].js' : '[name].js'}`,
		hoistTransitiveImports: false,
		manualChunks: (id, { getModuleInfo }) => {
			const [owner = '', ...others] = entriesOf(id, getModuleInfo).map(pathOf);
			const file = others.length > 0 ? shared : owner.replace(/\.ts$/, '');
			const name = loaded.has(pathOf(id)) ? basename(file) : laterName(basename(file));
			folders.set(name, dirname(file));
			return name;
		},
	});
	/** @type {import('./compile.mjs').Output} */
	const output = new Map();
	/** @type {string[]} */
	const modules = [];
	for (const file of files) {
		if (file.type !== 'chunk') continue;
		const code = isReadLater(file.fileName) ? file.code : readingLater(file.code);
		output.set(file.fileName, inAscii(exportingAtOnce(code.replace(/\n{2,}/g, '\n'))));
		modules.push(...file.moduleIds.map(pathOf));
	}
	return { output, modules };
}

/**
 * @param {string} id
 * @param {import('rollup').GetModuleInfo} getModuleInfo
 * @returns {string[]} the entries that need the module
 */
function entriesOf(id, getModuleInfo) {
	/** @type {Set<string>} */
	const seen = new Set();
	const pending = [id];
	const entries = [];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		if (seen.has(next)) continue;
		seen.add(next);
		const info = getModuleInfo(next);
		if (info?.isEntry === true) entries.push(next);
		pending.push(...(info?.importers ?? []));
	}
	return entries;
}
