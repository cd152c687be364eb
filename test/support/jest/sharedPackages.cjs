const { createRequire } = require('node:module');
const { dirname, sep } = require('node:path');

const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
const ENGINE = /^n8n-core(?=$|\/)/;
const OF_N8N = /^(n8n-(core|workflow)|@n8n\/[^/]+)($|\/)/;

/**
 * Loads what stands in node_modules once in a process, and not for each test file anew: n8n's engine takes half a second
 * of CPU, which would be a third of a whole run. Everything of ours is still loaded for each file, so that no file sees
 * what another one left in a module.
 *
 * If the testEnvironmentOptions have `n8nCore`, n8n's packages are those of the n8n-core that is installed under that
 * name: an older one, with the n8n-workflow that it came with.
 */
module.exports = class extends Runtime {
	/** @param {ConstructorParameters<typeof Runtime>} args */
	constructor(...args) {
		super(...args);
		const [{ testEnvironmentOptions }] = args;
		this.n8nCore = testEnvironmentOptions['n8nCore'];
	}

	/**
	 * @param {string} from
	 * @param {string | undefined} name
	 * @param {{ isInternalModule?: boolean }} [options] internal: Jest's own
	 * @param {boolean} [isActual]
	 */
	requireModule(from, name, options, isActual) {
		if (options?.isInternalModule !== true && name !== undefined) {
			const isOther = typeof this.n8nCore === 'string' && OF_N8N.test(name);
			const require = createRequire(isOther ? insideOf(this.n8nCore) : from);
			const wanted = isOther ? name.replace(ENGINE, this.n8nCore) : name;
			if (isPackage(require, wanted)) return require(wanted);
		}
		return super.requireModule(from, name, options, isActual);
	}
};

/** @param {string} core */
const insideOf = (core) => dirname(require.resolve(`${core}/package.json`)) + sep;

/** @param {NodeJS.Require} require @param {string} name */
function isPackage(require, name) {
	if (name.startsWith('.')) return false;
	try {
		return require.resolve(name).includes(PACKAGES);
	} catch {
		return false;
	}
}
