/**
 * Made by the test file that asks first, and the same for those that run after it in the same process: n8n's packages are
 * loaded once for all of them (sharedPackages.cjs) and keep what they were given.
 */
export function processWide<T>(name: string, make: () => T): T {
	const all = globalThis as Record<symbol, T | undefined>;
	return (all[Symbol.for(`payment-collection.${name}`)] ??= make());
}
