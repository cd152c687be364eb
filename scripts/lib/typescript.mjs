import { join } from 'node:path';

import { createJiti } from 'jiti';

import { ROOT } from './project.mjs';

const jiti = createJiti(ROOT);

/**
 * Imports a TypeScript module, without a check of its types.
 *
 * @param {string} id path below the root, or the name of a package: gives the same copy that imported modules use
 * @returns {Promise<any>}
 */
export const importTypeScript = async (id) =>
	await jiti.import(id.endsWith('.ts') ? join(ROOT, id) : id);
