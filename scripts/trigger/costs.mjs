/**
 * `npm run costs`: what the trigger costs, as two tables; with `-- --write` puts them into docs/trigger.md and
 * docs/scale.md, with `-- --check` compares them with those there. CPU is printed but never part of them.
 */

import { parseArgs } from 'node:util';

import { pageWith, writePage } from '../generate/pages.mjs';
import { main } from '../lib/program.mjs';
import { loadSubject } from './world.mjs';

/** The cases of a page, by the name of the list of them. */
const PAGES = { COST_CASES: 'docs/trigger.md', SCALE_CASES: 'docs/scale.md' };

const { values: options } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
	},
});

await main(async () => {
	const { subject, modules } = await loadSubject('costs/measure', 'costs/cases');
	const { measureAll, toTable } = modules('costs/measure');
	for (const [list, path] of Object.entries(PAGES)) {
		const cases = modules('costs/cases')[list];
		const measured = await measureAll(subject, cases, (/** @type {any} */ cost) => {
			const { name, usualRequests, mostRequests, polls, cpuMs, stateBytes } = cost;
			console.error(
				`${name}: ${usualRequests} to ${mostRequests} requests in ${polls} polls, up to ${cpuMs} ms of CPU each, ${stateBytes} bytes; in all ${cost.allRequests} requests and ${cost.allCpuMs} ms`,
			);
		});
		const costs = toTable(measured);
		console.log(costs);
		if (!options.check && !options.write) continue;
		const page = await pageWith(path, { costs });
		await writePage(path, page, { isCheck: options.check, command: 'npm run costs -- --write' });
	}
});
