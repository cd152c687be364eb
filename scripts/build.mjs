/**
 * `npm run build` makes two git-ignored folders:
 *  - dist/   what is published: the nodes, the credential, the plain data of contract/ that they use, and their icons,
 *            codex files and output schemas;
 *  - build/  the sandbox and the whole contract (zod included) as plain JavaScript, so that the sandbox runs on Node
 *            without any tool.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generateOutputSchemas } from './generate/outputSchemas.mjs';
import generateSources from './generate/sources.mjs';
import { bundle } from './compile/bundle.mjs';
import { compile, find } from './compile/compile.mjs';
import { syncFolder } from './lib/folders.mjs';
import { isProgram, main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

/** Where the zod schemas live. A node that needs one at run time would need zod there too, which is not shipped. */
const SCHEMAS = 'contract/schemas/';

/** Writes dist/. @returns how many files changed */
export async function buildPackage() {
	/** What n8n loads, as package.json lists it. */
	const { n8n } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	const entries = [...n8n.nodes, ...n8n.credentials].map((/** @type {string} */ file) =>
		file.replace(/^dist\/(.*)\.js$/, '$1.ts'),
	);
	const { output, modules } = await bundle(entries);
	const leaked = modules.filter((name) => name.startsWith(SCHEMAS));
	if (leaked.length > 0)
		throw new Error(
			`a node imports zod schemas at run time (${leaked.join(', ')}): use "import type", or plain data`,
		);
	for (const file of await find('icons', /\.svg$/))
		output.set(file, await readFile(join(ROOT, file)));
	// Nobody but n8n reads what is published.
	for (const file of await find('nodes', /\.node\.json$|\/__schema__\/.*\.json$/))
		output.set(file, JSON.stringify(JSON.parse(await readFile(join(ROOT, file), 'utf8'))));
	return await syncFolder(join(ROOT, 'dist'), output);
}

/** It is never published and may use any development dependency. */
const buildSandbox = async () =>
	await syncFolder(join(ROOT, 'build'), await compile('sandbox', 'contract'));

/** Builds both folders. Writes only what changed, so that it may be called whenever in doubt. */
export async function build() {
	const started = Date.now();
	await generateSources();
	const changes = (await buildSandbox()) + (await generateOutputSchemas()) + (await buildPackage());
	console.log(`Built dist/ and build/ in ${Date.now() - started} ms (${changes} files changed)`);
}

if (isProgram(import.meta.url)) await main(build);
