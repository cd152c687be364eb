const { AsyncLocalStorage } = require('node:async_hooks');

const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest loads n8n's packages anew for every test file, and with them stores that follow each promise of the process, in
 * which files run one after another. Without an end to them the last files would take ten times as long as the first.
 */

/** @type {Set<AsyncLocalStorage<unknown>>} Those in use. */
const stores = new Set();

for (const method of /** @type {const} */ (['run', 'enterWith'])) {
	const original = AsyncLocalStorage.prototype[method];
	Reflect.set(
		AsyncLocalStorage.prototype,
		method,
		/** @this {AsyncLocalStorage<unknown>} @param {...unknown} args */
		function (...args) {
			stores.add(this);
			return Reflect.apply(original, this, args);
		},
	);
}

module.exports = class extends TestEnvironment {
	async teardown() {
		for (const store of stores) store.disable();
		stores.clear();
		await super.teardown();
	}
};
