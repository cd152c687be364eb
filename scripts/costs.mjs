/**
 * `npm run costs`: what the trigger costs, as a table; with `-- --check README.md`, whether the table in that file
 * is the one that comes out; with `-- --write README.md`, puts it there. CPU is printed but never part of it.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { format, resolveConfig } from 'prettier';

import { main, UserError } from './lib/program.mjs';
import { loadSubject } from './lib/world.mjs';

const BEGIN = '<!-- costs:begin -->';
const END = '<!-- costs:end -->';

const { values: options } = parseArgs({
	options: { check: { type: 'string' }, write: { type: 'string' } },
});

/** @param {string} text @param {string} file @returns {[before: string, table: string, after: string]} */
function cut(text, file) {
	const begin = text.indexOf(BEGIN);
	const end = text.indexOf(END);
	if (begin < 0 || end < begin) throw new UserError(`${file} has no ${BEGIN} … ${END}`);
	return [
		text.slice(0, begin + BEGIN.length),
		text.slice(begin + BEGIN.length, end),
		text.slice(end),
	];
}

await main(async () => {
	const { subject, modules } = await loadSubject('costs');
	const { measureAll, toTable } = modules('costs');
	const costs = await measureAll(subject, (/** @type {any} */ cost) => {
		const { name, usualRequests, mostRequests, polls, cpuMs, stateBytes } = cost;
		console.error(
			`${name}: ${usualRequests} to ${mostRequests} requests in ${polls} polls, ${cpuMs} ms of CPU, ${stateBytes} bytes`,
		);
	});
	const table = await format(toTable(costs), {
		...(await resolveConfig('README.md')),
		parser: 'markdown',
	});
	console.log(table);
	const file = options.check ?? options.write;
	if (file === undefined) return 0;
	const [before, present, after] = cut(await readFile(file, 'utf8'), file);
	if (present.trim() === table.trim()) return 0;
	if (options.check !== undefined)
		throw new UserError(`${file} has another table: npm run costs -- --write ${file}`);
	await writeFile(file, `${before}\n\n${table}\n${after}`);
	return 0;
});
