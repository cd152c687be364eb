/**
 * `npm run trigger:explain -- --state FILE --charge ID [--row FILE] [--node NAME]`: says what a trigger's stored state
 * knows of a charge, in sentences. FILE holds the workflow as n8n's API or `n8n export:workflow` gives it, or its static
 * data alone.
 */

import { readFile } from 'node:fs/promises';

import { Command } from 'commander';

import { explanations } from './explanations.mjs';
import { main, UserError } from '../lib/program.mjs';

/** @type {{ state: string, charge: string, row?: string, node?: string }} */
const options = new Command('npm run trigger:explain --')
	.requiredOption('--state <file>', 'JSON of the workflow, or of its staticData')
	.requiredOption('--charge <id>', 'which charge is asked for')
	.option(
		'--row <file>',
		'JSON of the charge as the service gives it: more can be said with its date',
	)
	.option('--node <name>', 'of several triggers in the workflow')
	.parse()
	.opts();

/** @param {string} file */
async function readJson(file) {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		throw new UserError(
			`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`,
		);
	}
}

/**
 * The triggers' states in what n8n stores of a workflow, which may hold JSON as text.
 *
 * @param {any} data
 * @param {string} [name] of the node
 * @returns {Array<{ name: string, stored: unknown }>}
 */
function statesIn(data, name = '') {
	if (typeof data === 'string' && data.startsWith('{')) return statesIn(JSON.parse(data), name);
	if (typeof data !== 'object' || data === null) return [];
	if ('checksum' in data) return [{ name, stored: data }];
	if (Array.isArray(data)) return data.flatMap((each) => statesIn(each));
	if ('staticData' in data) return statesIn(data.staticData);
	if ('cursor' in data) return statesIn(data.cursor, name);
	return Object.entries(data).flatMap(([key, value]) =>
		key.startsWith('node:') ? statesIn(value, key.slice('node:'.length)) : [],
	);
}

await main(async () => {
	const all = statesIn(await readJson(options.state));
	const states = all.filter(({ name }) => options.node === undefined || name === options.node);
	const [state, ...others] = states;
	if (state === undefined) throw new UserError(`${options.state} holds no state of the trigger`);
	if (others.length > 0) {
		const names = states.map(({ name }) => name).join(', ');
		throw new UserError(`${options.state} holds several states: choose one with --node (${names})`);
	}
	// n8n's editor copies items as a list.
	const [record] = [options.row === undefined ? undefined : await readJson(options.row)].flat();
	for (const sentence of await explanations(state.stored, options.charge, record)) {
		console.log(sentence);
	}
});
