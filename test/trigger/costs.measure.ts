import { subject } from './subject';
import { COST_CASES, SCALE_CASES } from './world/costs/cases';
import { measureAll, toTable } from './world/costs/measure';

/** `npm run costs`. CPU depends on the machine. */
it.each([
	['docs/trigger.md', COST_CASES],
	['docs/scale.md', SCALE_CASES],
])('what the table of %s is made from', async (_page, cases) => {
	const costs = await measureAll(subject, cases);
	console.log(toTable(costs));
	for (const { name, cpuMs, allCpuMs, allRequests } of costs)
		console.log(
			`${name}: ${cpuMs} ms of CPU at most; in all ${allRequests} requests, ${allCpuMs} ms`,
		);
});
