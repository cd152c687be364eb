import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { compileFunction } from 'node:vm';

import { compile } from './compile.mjs';
import { ROOT } from '../lib/project.mjs';

/**
 * Compiles a module of this project, with all that it imports, to run them in memory, each once.
 *
 * @param {string} entry path below the root, such as "bench/goals.ts"
 * @returns {Promise<(path: string) => any>} what the module at a path such as "bench/goals" exports
 */
export async function moduleLoader(entry) {
	const output = await compile([entry]);
	const requirePackage = createRequire(join(ROOT, 'package.json'));
	/** @type {Map<string, { exports: any }>} */
	const loaded = new Map();
	/** @param {string} path @returns {any} */
	const load = (path) => {
		const file = [`${path}.js`, `${path}/index.js`].find((name) => output.has(name));
		if (file === undefined) throw new Error(`There is no module ${path}`);
		const known = loaded.get(file);
		if (known !== undefined) return known.exports;
		const module = { exports: {} };
		loaded.set(file, module);
		const require = (/** @type {string} */ name) =>
			name.startsWith('.')
				? load(posix.normalize(posix.join(dirname(file), name)))
				: requirePackage(name);
		const code = String(output.get(file));
		const options = { filename: join(ROOT, file) };
		compileFunction(code, ['exports', 'require', 'module'], options)(
			module.exports,
			require,
			module,
		);
		return module.exports;
	};
	return load;
}
