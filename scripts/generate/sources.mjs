/**
 * Writes contract/*.generated.ts, what the nodes know as plain data. They are made rather than kept in the repository, so
 * that each fact has one source: `node scripts/generate/sources.mjs`.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../lib/project.mjs';
import { isProgram, main } from '../lib/program.mjs';
import currencies from './currencies.mjs';
import records from './records.mjs';

/**
 * Writes a file only if it changes, so that a watching compiler is not woken for nothing. Jest, too, calls this before
 * the tests.
 */
export default async function generateSources() {
	for (const [name, generate] of Object.entries({ currencies, records })) {
		const target = join(ROOT, 'contract', `${name}.generated.ts`);
		const text = await generate();
		const present = await readFile(target, 'utf8').catch(() => undefined);
		if (text !== present) await writeFile(target, text);
	}
}

// Not awaited: Jest loads this module with require, which refuses a module that awaits.
if (isProgram(import.meta.url)) void main(generateSources);
