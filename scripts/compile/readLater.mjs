import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { compileFunction } from 'node:vm';

import { compile, sourceOf } from './compile.mjs';
import { ROOT } from '../lib/project.mjs';

/**
 * n8n reads every node when it starts, also for users who never run one. So the modules that it needs for that are in
 * files of their own, which read the others when something of them is first used.
 */

/** The name of a file of what is read later, without its ending. */
const NAME = /\.run(-\w+)?$/;

/** @type {(name: string) => string} of the file of what an entry needs later, by the entry's own */
export const laterName = (name) => `${name.replace(/\.node$/, '')}.run`;

/** @type {(file: string) => boolean} */
export const isReadLater = (file) => NAME.test(file.replace(/\.js$/, ''));

/** Gives what stands in the place of a module, which is read when something of it is asked for. */
const WHEN_USED =
	'(read, module) => new Proxy({}, { get: (_, name) => (module ??= read())[name] })';

/** @type {(read: () => object) => object} */
const whenUsed = new Function(`return ${WHEN_USED};`)();

/**
 * @param {string} javascript of a file that n8n loads
 * @returns {string} the same, but that it reads what is needed later when it is
 */
export function readingLater(javascript) {
	const later = javascript.replace(
		/^(const \w+ = )(require\('([^']+)'\));$/gm,
		(line, name, required, file) =>
			isReadLater(file) ? `${name}whenUsed(() => ${required});` : line,
	);
	return later === javascript
		? javascript
		: later.replace(/^'use strict';\n/, `$&const whenUsed = ${WHEN_USED};\n`);
}

/**
 * Loads nodes and credentials as n8n does, and each module when something of it is asked for.
 *
 * @param {string[]} entries paths below the root, such as "nodes/Foo/Foo.node.ts", each of a class of the name "Foo"
 * @returns {Promise<Set<string>>} the modules that were needed for it, paths below the root
 */
export async function loadedModules(entries) {
	const output = await compile(entries);
	const requirePackage = createRequire(join(ROOT, 'package.json'));
	/** @type {Map<string, Record<string, new () => unknown>>} */
	const loaded = new Map();
	/** @type {(source: string) => Record<string, new () => unknown>} */
	const load = (source) => {
		const known = loaded.get(source);
		if (known !== undefined) return known;
		/** @type {Record<string, new () => unknown>} */
		const exports = {};
		loaded.set(source, exports);
		/** @type {(specifier: string) => unknown} */
		const require = (specifier) =>
			specifier.startsWith('.')
				? whenUsed(() => load(sourceOf(specifier, source)))
				: requirePackage(specifier);
		const code = String(output.get(source.replace(/\.ts$/, '.js')));
		compileFunction(code, ['exports', 'require'], { filename: join(ROOT, source) })(
			exports,
			require,
		);
		return exports;
	};
	for (const entry of entries) {
		const name = basename(entry).split('.')[0] ?? '';
		const Class = load(entry)[name];
		if (Class === undefined) throw new Error(`${entry} has no class ${name}`);
		new Class();
	}
	return new Set(loaded.keys());
}
