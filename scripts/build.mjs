/**
 * `npm run build` makes two git-ignored folders:
 *  - dist/   what is published: the nodes, the credential, the plain data of contract/ that they use, and their icons,
 *            codex files and output schemas;
 *  - build/  the sandbox and the whole contract (zod included) as plain JavaScript, so that the sandbox runs on Node
 *            without any tool.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import prettyMs from 'pretty-ms';

import generateCurrencies from './generate/currencies.mjs';
import { generateOutputSchemas } from './generate/outputSchemas.mjs';
import { bundle } from './compile/bundle.mjs';
import { compile } from './compile/compile.mjs';
import { filesBelow, syncFolder } from './lib/folders.mjs';
import { isProgram, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

/** All that a community node may require besides its own files, as n8n's verification has it. */
const SHIPPED_IMPORTS = new Set(['n8n-workflow', 'crypto', 'node:crypto']);

/** Where the zod schemas live. A node that needs one at run time would need zod there too, which is not shipped. */
const SCHEMAS = 'contract/schemas/';

/**
 * @param {string} folder
 * @param {RegExp} pattern
 * @returns {Promise<string[]>} paths below the root
 */
async function find(folder, pattern) {
	return (await filesBelow(join(ROOT, folder)))
		.map((name) => `${folder}/${name}`)
		.filter((name) => pattern.test(name));
}

/**
 * @param {import('./compile/compile.mjs').Output} output
 * @param {string[]} files paths below the root, which stay the same below the output folder
 */
async function addCopies(output, files) {
	for (const file of files) output.set(file, await readFile(join(ROOT, file)));
}

const SOURCE = /(?<!\.d)\.ts$/;

/** What n8n loads, as package.json lists it. */
const {
	n8n: { nodes, credentials },
} = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const ENTRIES = [...nodes, ...credentials].map((/** @type {string} */ file) =>
	file.replace(/^dist\/(.*)\.js$/, '$1.ts'),
);

async function buildPackage() {
	const { output, modules } = await bundle(ENTRIES, {
		shared: 'nodes/shared',
		isAllowed: (specifier) => SHIPPED_IMPORTS.has(specifier),
	});
	const leaked = modules.filter((name) => name.startsWith(SCHEMAS));
	if (leaked.length > 0) {
		throw new Error(
			`a node imports zod schemas at run time (${leaked.join(', ')}): use "import type", or plain data`,
		);
	}
	await addCopies(output, [
		...(await find('icons', /\.svg$/)),
		...(await find('nodes', /\.node\.json$|\/__schema__\/.*\.json$/)),
	]);
	// Nobody but n8n reads what is published.
	for (const [file, text] of output) {
		if (file.endsWith('.json')) output.set(file, JSON.stringify(JSON.parse(String(text))));
	}
	return await syncFolder(join(ROOT, 'dist'), output);
}

async function buildSandbox() {
	const entries = [...(await find('sandbox', SOURCE)), ...(await find('contract', SOURCE))];
	// The sandbox is never published and may use any development dependency.
	const output = await compile(entries);
	await addCopies(output, await find('sandbox', /\.(json|html|css|svg)$/));
	return await syncFolder(join(ROOT, 'build'), output);
}

/** Builds both folders. Writes only what changed, so that it may be called whenever in doubt. */
export async function build() {
	const started = Date.now();
	await generateCurrencies();
	const changes = (await buildSandbox()) + (await generateOutputSchemas()) + (await buildPackage());
	console.log(
		`Built dist/ and build/ in ${prettyMs(Date.now() - started)} (${changes} files changed)`,
	);
}

if (isProgram(import.meta.url)) await main(build);
