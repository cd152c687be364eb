const { createRequire } = require('node:module');
const { sep } = require('node:path');

const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Loads what stands in node_modules once in a process, and not for each test file anew: n8n's engine takes half a second
 * of CPU, which would be a third of a whole run. Everything of ours is still loaded for each file, so that no file sees
 * what another one left in a module.
 */
module.exports = class extends Runtime {
	/**
	 * @param {string} from
	 * @param {string | undefined} name
	 * @param {{ isInternalModule?: boolean }} [options] internal: Jest's own
	 * @param {boolean} [isActual]
	 */
	requireModule(from, name, options, isActual) {
		if (options?.isInternalModule !== true && name !== undefined) {
			const require = createRequire(from);
			if (isPackage(require, name)) return require(name);
		}
		return super.requireModule(from, name, options, isActual);
	}
};

/** @param {NodeJS.Require} require @param {string} name */
function isPackage(require, name) {
	if (name.startsWith('.')) return false;
	try {
		return require.resolve(name).includes(PACKAGES);
	} catch {
		return false;
	}
}
