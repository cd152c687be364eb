/** n8n's engine as a process of its own: the installed one, on its own Node, with this package as it was built. */

import { createRequire } from 'node:module';
import { join } from 'node:path';

import { answerCalls } from './answerCalls.mjs';

const { BENCH_CODE = '' } = process.env;
const require = createRequire(import.meta.url);
/** @param {string} name of a module of bench/engine */
const load = (name) => require(join(BENCH_CODE, 'bench', 'engine', `${name}.js`));
const { startExpressions } = load('expressions');
const { readList } = load('lists');

const MS_PER_NS = 1e-6;
const MS_PER_US = 1e-3;

const WORK = { readList };

await startExpressions();

answerCalls({
	/**
	 * @param {{ work: keyof typeof WORK, job: any }} what
	 * @returns {Promise<import('../report/measured.js').Sample>}
	 */
	measure: async ({ work, job }) => {
		globalThis.gc?.();
		const cpu = process.cpuUsage();
		const began = process.hrtime.bigint();
		const outcome = await WORK[work](job);
		const wallMs = Number(process.hrtime.bigint() - began) * MS_PER_NS;
		const { user, system } = process.cpuUsage(cpu);
		return { ...outcome, wallMs, cpuMs: (user + system) * MS_PER_US };
	},
});
