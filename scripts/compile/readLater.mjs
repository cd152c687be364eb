import { createRequire } from 'node:module';
import { basename, join, posix } from 'node:path';

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
 * Loads the nodes as n8n does, each module when something of it is asked for.
 *
 * @param {import('rollup').RollupBuild} bundled
 * @param {import('rollup').OutputOptions} options CommonJS
 * @returns {Promise<Set<string>>} the modules that were needed for it
 */
export async function loadedModules(bundled, options) {
	const { output } = await bundled.generate({ ...options, preserveModules: true });
	const chunks = output.filter((file) => file.type === 'chunk');
	const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
	const requireOther = createRequire(join(ROOT, 'package.json'));
	/** @type {Map<string, Record<string, new () => unknown>>} */
	const loaded = new Map();
	/** @type {(file: string) => Record<string, new () => unknown>} */
	const load = (file) => {
		const chunk = byFile.get(file);
		if (chunk === undefined) throw new Error(`there is no ${file}`);
		const known = loaded.get(chunk.facadeModuleId ?? '');
		if (known !== undefined) return known;
		/** @type {Record<string, new () => unknown>} */
		const exports = {};
		loaded.set(chunk.facadeModuleId ?? '', exports);
		/** @type {(specifier: string) => unknown} */
		const require = (specifier) =>
			specifier.startsWith('.')
				? whenUsed(() => load(posix.join(posix.dirname(file), specifier)))
				: requireOther(specifier);
		new Function('exports', 'require', chunk.code)(exports, require);
		return exports;
	};
	for (const { fileName, isEntry } of chunks) {
		if (!isEntry) continue;
		const Class = load(fileName)[basename(fileName).split('.')[0] ?? ''];
		if (Class === undefined) throw new Error(`${fileName} has no class of its name`);
		new Class();
	}
	return new Set(loaded.keys());
}
