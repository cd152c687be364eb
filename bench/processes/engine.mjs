/** n8n's engine as a process of its own: the installed one, on its own Node, with this package as it was built. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { answerCalls } from './answerCalls.mjs';

const { BENCH_CODE = '' } = process.env;
const require = createRequire(import.meta.url);
/** @param {string} name of a module of bench/engine */
const load = (name) => require(join(BENCH_CODE, 'bench', 'engine', `${name}.js`));
const { startExpressions } = load('expressions');

const MS_PER_NS = 1e-6;
const MS_PER_US = 1e-3;
/**
 * What n8n needs, behind an execution, for the isolate of the next one's expressions, with room to spare. One that begins
 * sooner waits for it or not, by chance: 40 ms more or less, as much as the differences that are looked for.
 */
const ISOLATE_MS = 150;

/** What can be measured, by the module that does it: one process loads no more than it needs. */
const MODULES = /** @type {const} */ ({
	readList: 'lists',
	runItems: 'items',
	startTrigger: 'trigger',
	poll: 'trigger',
	loadNodes: 'load',
	memoryOf: 'memory',
	heapAfterBatches: 'memory',
	profileList: 'profile',
});

/** What runs in an execution of n8n, and leaves it in n8n's memory. */
const EXECUTIONS = new Set(['readList', 'runItems']);

await startExpressions();

/** @typedef {{ work: keyof typeof MODULES, job: any }} Work */

answerCalls({
	/**
	 * @param {Work} work
	 * @returns {Promise<import('../report/measured.js').Sample & { items?: number }>}
	 */
	measure: async ({ work, job }) => {
		const run = load(MODULES[work])[work];
		if (EXECUTIONS.has(work)) await load('forget').forgetLastExecution();
		await sleep(ISOLATE_MS);
		globalThis.gc?.();
		const cpu = process.cpuUsage();
		const began = process.hrtime.bigint();
		const { items, nodeMs } = await run(job);
		const wallMs = Number(process.hrtime.bigint() - began) * MS_PER_NS;
		const { user, system } = process.cpuUsage(cpu);
		return { items, wallMs, nodeMs: nodeMs ?? wallMs, cpuMs: (user + system) * MS_PER_US };
	},
	/**
	 * What measures itself.
	 *
	 * @param {Work} work
	 */
	run: async ({ work, job }) => await load(MODULES[work])[work](job),
});
