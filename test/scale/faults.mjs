import { setTimeout as sleep } from 'node:timers/promises';

import pWaitFor from 'p-wait-for';

/** @typedef {import('@faker-js/faker').Faker} Faker */

const LEAST_PAUSE_MS = 8_000;
const GREATEST_PAUSE_MS = 20_000;
const SILENCE_MS = 20_000;
/** How long to wait for an execution in whose middle its worker is killed, and how often to look. */
const WAIT_FOR_EXECUTION_MS = 60_000;
const LOOK_MS = 5;

/**
 * Has things go wrong in rounds, each of them once a round, in an order of its own.
 *
 * @param {object} options
 * @param {import('./cluster.mjs').Cluster} options.cluster
 * @param {import('../../sandbox/index.js').Sandbox} options.sandbox
 * @param {string} options.ledger id of the workflow in the middle of which workers are killed
 * @param {Faker} options.faker
 * @param {number} options.seconds after which no new round begins; the first one does in any case
 * @param {(text: string) => void} options.tell
 */
export async function haveThingsGoWrong({ cluster, sandbox, ledger, faker, seconds, tell }) {
	const faults = [
		async function killWorker() {
			const busy = await pWaitFor(
				async () => {
					const name = await cluster.busyWorker(ledger);
					return name !== undefined && pWaitFor.resolveWith(name);
				},
				{
					interval: LOOK_MS,
					timeout: { milliseconds: WAIT_FOR_EXECUTION_MS, fallback: () => undefined },
				},
			);
			const name = busy ?? faker.helpers.arrayElement([...cluster.workers.keys()]);
			await cluster.workers.get(name)?.kill();
			tell(`Killed ${name}, ${busy ? 'in the middle of an execution' : 'which did nothing'}`);
		},
		async function killMain() {
			await cluster.main.kill();
			tell('Killed main');
		},
		async function killRedis() {
			await cluster.redis.kill();
			tell('Killed Redis, which forgets what it has not saved');
		},
		async function silenceService() {
			tell('The service does what it is asked, but answers nothing');
			const rule = sandbox.addFault({
				match: { path: '/v1/' },
				action: { hang: true, afterExecuting: true },
			});
			await sleep(SILENCE_MS);
			sandbox.removeFault(rule);
			tell('The service answers again');
		},
	];
	const started = Date.now();
	do {
		for (const happen of faker.helpers.shuffle(faults)) {
			await sleep(faker.number.int({ min: LEAST_PAUSE_MS, max: GREATEST_PAUSE_MS }));
			await happen();
		}
	} while (Date.now() - started < seconds * 1_000);
}
