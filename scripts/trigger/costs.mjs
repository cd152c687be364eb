/**
 * `npm run costs`: what the trigger costs, as the two tables that docs/trigger.md and docs/scale.md hold. CPU is printed,
 * but depends on the machine.
 */

import { main } from '../lib/program.mjs';
import { loadSubject } from './world.mjs';

await main(async () => {
	const { subject, modules } = await loadSubject('costs/measure', 'costs/cases');
	const { measureAll, toTable } = modules('costs/measure');
	for (const list of ['COST_CASES', 'SCALE_CASES']) {
		const cases = modules('costs/cases')[list];
		const measured = await measureAll(subject, cases, (/** @type {any} */ cost) => {
			const { name, usualRequests, mostRequests, polls, cpuMs, stateBytes } = cost;
			console.error(
				`${name}: ${usualRequests} to ${mostRequests} requests in ${polls} polls, up to ${cpuMs} ms of CPU each, ${stateBytes} bytes; in all ${cost.allRequests} requests and ${cost.allCpuMs} ms`,
			);
		});
		console.log(toTable(measured));
	}
});
