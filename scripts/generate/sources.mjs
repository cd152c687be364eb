/**
 * Writes contract/*.generated.ts, which the nodes know as plain data. They are made rather than kept in the repository, so
 * that each fact has one source: `node scripts/generate/sources.mjs`.
 */

import { writeChanged } from '../lib/folders.mjs';
import { isProgram, main } from '../lib/program.mjs';
import currencies from './currencies.mjs';
import records from './records.mjs';

/** Jest, too, calls this before the tests. */
export default async function generateSources() {
	await writeChanged(
		new Map([
			['contract/currencies.generated.ts', currencies()],
			['contract/records.generated.ts', await records()],
		]),
	);
}

// Jest loads this module with require, which refuses a module that awaits.
if (isProgram(import.meta.url)) void main(generateSources);
