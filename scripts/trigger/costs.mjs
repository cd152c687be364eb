/**
 * `npm run costs`: what the trigger costs, as a table; with `-- --write` puts it into docs/trigger.md, with
 * `-- --check` compares it with the one there. CPU is printed but never part of it.
 */

import { parseArgs } from 'node:util';

import { pageWith, writePage } from '../generate/pages.mjs';
import { main } from '../lib/program.mjs';
import { loadSubject } from './world.mjs';

const PAGE = 'docs/trigger.md';

const { values: options } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
	},
});

await main(async () => {
	const { subject, modules } = await loadSubject('costs/measure');
	const { measureAll, toTable } = modules('costs/measure');
	const measured = await measureAll(subject, (/** @type {any} */ cost) => {
		const { name, usualRequests, mostRequests, polls, cpuMs, stateBytes } = cost;
		console.error(
			`${name}: ${usualRequests} to ${mostRequests} requests in ${polls} polls, ${cpuMs} ms of CPU, ${stateBytes} bytes`,
		);
	});
	const costs = toTable(measured);
	console.log(costs);
	if (!options.check && !options.write) return;
	const page = await pageWith(PAGE, { costs });
	await writePage(PAGE, page, { isCheck: options.check, command: 'npm run costs -- --write' });
});
