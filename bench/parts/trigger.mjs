import { API_KEY } from '../processes/start.mjs';
import { loadSubject } from '../../scripts/trigger/world.mjs';
import { interleaved } from './rounds.mjs';

const HISTORIES = [100, 10_000, 1_000_000];
const POLLS = 100;
const KILOBYTE = 1_000;

/**
 * The trigger: idle polls in n8n's engine, and all that `npm run costs` plays against a model of service and n8n.
 *
 * @type {import('../run.mjs').Part}
 */
export async function* trigger(bench) {
	yield { name: 'Idle poll', measured: await idlePolls(bench) };
	const { subject, modules } = await loadSubject('costs/measure', 'costs/cases');
	const { measureAll } = modules('costs/measure');
	const { COST_CASES } = modules('costs/cases');
	let name = '';
	for (const cost of await measureAll(subject, COST_CASES)) {
		// "The same, …" stands below what it is the same as.
		name = cost.name.replace(/^The same/, name);
		const sample = {
			requests: cost.usualRequests,
			mostRequests: cost.mostRequests,
			cpuMs: cost.cpuMs,
			stateKb: cost.stateBytes / KILOBYTE,
		};
		yield { name, measured: [{ variant: 'Trigger', samples: [sample] }] };
	}
}

/** @param {import('../run.mjs').Bench} bench */
async function idlePolls({ startEngine, service, rounds }) {
	// In an isolate for expressions, which n8n makes anew for each poll whatever the node, they would cost 30 ms more.
	const engine = startEngine({ N8N_EXPRESSION_ENGINE: 'legacy' });
	/** @type {Parameters<typeof interleaved>[0]} */
	const variants = {};
	for (const count of HISTORIES) {
		const address = { holdings: { customers: 100, charges: count }, delayMs: 0 };
		const job = { baseUrl: await service.at(address), apiKey: API_KEY, polls: POLLS };
		await engine.call('run', { work: 'startTrigger', job });
		variants[`${count.toLocaleString('en')} charges`] = async () => {
			await service.traffic(address);
			const { cpuMs = 0, wallMs = 0 } = await engine.call('measure', { work: 'poll', job });
			const { requests } = await service.traffic(address);
			return { wallMs: wallMs / POLLS, cpuMs: cpuMs / POLLS, requests: requests / POLLS };
		};
	}
	const measured = await interleaved(variants, { rounds });
	await engine.stop();
	return measured;
}
