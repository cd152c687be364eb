/**
 * `npm run build` makes the git-ignored folder dist/, which is published: the nodes, the credential, the plain data of
 * contract/ that they use, and their icons, codex files and output schemas.
 */

import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { rollup } from 'rollup';
import ts from 'typescript';

import { outputSchemas } from './generate/outputSchemas.mjs';
import generateSources from './generate/sources.mjs';
import { filesBelow, syncFolder } from './lib/folders.mjs';
import { isProgram, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

/** n8n's verification lets a community node require no other packages. */
const SHIPPED_IMPORTS = ['n8n-workflow', 'crypto', 'node:crypto'];

/** Code outside of these folders belongs to one node alone. */
const SHARED = /^(nodes\/shared|contract)\//;

/** n8n looks here for them: beside the node file, by the node's version. */
const OUTPUT_SCHEMAS = 'nodes/PaymentCollection/__schema__/v1.0.0';

/** The zod schemas: a node that loads one would need zod, which is not shipped. */
const SCHEMAS = /^contract\/schemas\//;

const COMPILER_OPTIONS = {
	target: ts.ScriptTarget.ES2022,
	module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
	newLine: ts.NewLineKind.LineFeed,
	removeComments: true,
};

/**
 * Escapes all characters that are not ASCII: a single one, and the engine keeps the whole file in twice the memory, and
 * reads it more slowly.
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

/** @type {(path: string) => string} */
const belowRoot = (path) => relative(ROOT, path);

/** @type {import('rollup').Plugin} compiles without checking types, which `npm run typecheck` does */
const typescript = {
	name: 'typescript',
	resolveId(specifier, importer) {
		if (importer === undefined) return specifier;
		if (SHIPPED_IMPORTS.includes(specifier)) return { id: specifier, external: true };
		const { resolvedModule } = ts.resolveModuleName(specifier, importer, COMPILER_OPTIONS, ts.sys);
		const file = resolvedModule?.resolvedFileName ?? '';
		if (/^\..*(?<!\.d)$/.test(specifier) && !SCHEMAS.test(belowRoot(file))) return file;
		throw new Error(
			`${belowRoot(importer)} imports "${specifier}" at run time: use "import type", or plain data`,
		);
	},
	transform: (code) => ts.transpileModule(code, { compilerOptions: COMPILER_OPTIONS }).outputText,
	renderChunk: (code) => withTabs(inAscii(code)),
};

/**
 * Writes dist/. Each node is one file, and what they share one more: n8n loads a hundred small files several times as
 * slowly. Leaves files as they are that are right already, so that it may be called whenever in doubt.
 */
export async function build() {
	const started = Date.now();
	await generateSources();
	const { n8n } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	const entries = [...n8n.nodes, ...n8n.credentials].map((/** @type {string} */ file) =>
		file.replace(/^dist\/(.*)\.js$/, '$1'),
	);
	const bundle = await rollup({
		input: Object.fromEntries(entries.map((entry) => [entry, join(ROOT, `${entry}.ts`)])),
		plugins: [typescript],
		onwarn: ({ message }) => {
			throw new Error(message);
		},
	});
	const { output } = await bundle.generate({
		format: 'cjs',
		esModule: false,
		exports: 'named',
		externalLiveBindings: false,
		// Short names between the files: n8n keeps the code in memory.
		minifyInternalExports: true,
		generatedCode: { preset: 'es2015', symbols: false },
		entryFileNames: '[name].js',
		chunkFileNames: 'nodes/shared.js',
		manualChunks: (id) => (SHARED.test(belowRoot(id)) ? 'shared' : undefined),
	});
	/** @type {import('./lib/folders.mjs').Content} */
	const files = new Map();
	for (const file of output)
		files.set(`dist/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
	for (const file of [...(await filesBelow('icons')), ...(await filesBelow('nodes'))]) {
		const text = await readFile(join(ROOT, file), 'utf8');
		if (file.endsWith('.svg')) files.set(`dist/${file}`, text);
		// Nobody but n8n reads what is published.
		if (file.endsWith('.json')) files.set(`dist/${file}`, JSON.stringify(JSON.parse(text)));
	}
	for (const [name, schema] of Object.entries(await outputSchemas()))
		files.set(`dist/${OUTPUT_SCHEMAS}/${name}.json`, JSON.stringify(schema));
	await syncFolder('dist', files);
	console.log(`Built dist/ in ${Date.now() - started} ms`);
}

if (isProgram(import.meta.url)) await main(build);
