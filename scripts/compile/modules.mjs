import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { compileFunction } from 'node:vm';

import { compile } from './compile.mjs';
import { ROOT } from '../lib/project.mjs';

/**
 * Modules of this project in memory, each run once.
 *
 * @typedef {(path: string) => any} Modules gives what the module at a path such as "nodes/Foo/Foo.node" exports
 */

/**
 * Compiles modules of the project and gives a way to load them, again and again with a memory of their own, as new
 * processes would, but a thousand times faster.
 *
 * @param {string[]} entries paths below the root, such as "nodes/Foo/Foo.node.ts"
 * @returns {Promise<(shared?: Record<string, unknown>) => Modules>} `shared`: what stands for the modules at these paths
 */
export async function moduleLoader(entries) {
	const output = await compile(entries);
	const requirePackage = createRequire(join(ROOT, 'package.json'));
	/** @type {Map<string, Function>} */
	const functions = new Map();
	for (const [path, code] of output) {
		const wrapped = compileFunction(String(code), ['exports', 'require', 'module'], {
			filename: join(ROOT, path),
		});
		functions.set(path, wrapped);
	}
	return (shared = {}) => {
		/** @type {Map<string, { exports: any }>} */
		const loaded = new Map();
		/** @param {string} path @returns {any} */
		const load = (path) => {
			if (path in shared) return shared[path];
			const file = [`${path}.js`, `${path}/index.js`].find((name) => functions.has(name));
			if (file === undefined) throw new Error(`There is no module ${path}`);
			const known = loaded.get(file);
			if (known !== undefined) return known.exports;
			const module = { exports: {} };
			loaded.set(file, module);
			const require = (/** @type {string} */ name) =>
				name.startsWith('.')
					? load(posix.normalize(posix.join(dirname(file), name)))
					: requirePackage(name);
			functions.get(file)?.(module.exports, require, module);
			return module.exports;
		};
		return load;
	};
}
