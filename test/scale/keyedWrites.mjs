import { setTimeout as sleep } from 'node:timers/promises';

import { createWorkflowOfOne, node, refundOf, ticketFor } from '../e2e/support/workflows.mjs';

/** @typedef {import('@faker-js/faker').Faker} Faker */
/** @typedef {import('../../sandbox/index.js').Sandbox} Sandbox */
/** @typedef {import('./cluster.mjs').Cluster} Cluster */

const KEYS_PER_MINUTE = 40;
/** Between two deliveries of a key. */
const LEAST_PAUSE_MS = 1;
const GREATEST_PAUSE_MS = 30_000;
const ANSWER_TIMEOUT_MS = 120_000;

const options = { idempotencyKey: '={{ $json.body.key }}', onRepeatedKey: 'skip' };

const WRITES = {
	refund: refundOf('={{ $json.body.charge }}', '5.00', options),
	link: ticketFor('12.50', { additionalFields: { title: '={{ $json.body.key }}' }, options }),
};

/**
 * @typedef {object} KeyedWrite
 * @property {keyof typeof WRITES} name
 * @property {string} key
 * @property {string} [charge] to refund
 * @property {Outcome[]} outcomes of its deliveries
 *
 * @typedef {'done' | 'skipped' | 'in doubt'} Outcome in doubt: no answer, or a failure
 */

/**
 * Publishes a workflow for each write: a webhook, and the write that it asks for.
 *
 * @param {Cluster} cluster
 */
export async function publishWrites({ client, credential }) {
	for (const [name, parameters] of Object.entries(WRITES)) {
		const webhook = node('Webhook', 'n8n-nodes-base.webhook', 2.1, {
			path: name,
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		});
		const { id } = await createWorkflowOfOne(client, credential, parameters, webhook);
		await client.publish(id);
	}
}

/**
 * Delivers each key two to five times.
 *
 * @param {{ cluster: Cluster, sandbox: Sandbox, faker: Faker, seconds: number }} options
 * @returns {Promise<KeyedWrite[]>}
 */
export async function deliverWrites({ cluster, sandbox, faker, seconds }) {
	const writes = Array.from({ length: (KEYS_PER_MINUTE * seconds) / 60 }, (_, index) =>
		newWrite(sandbox, index),
	);
	// As many short ones as long ones, by their magnitude.
	const drawPause = () =>
		LEAST_PAUSE_MS * (GREATEST_PAUSE_MS / LEAST_PAUSE_MS) ** faker.number.float();
	const planned = writes.map((write) => ({
		write,
		pausesMs: [
			faker.number.int(seconds * 1_000),
			...faker.helpers.multiple(drawPause, { count: { min: 1, max: 4 } }),
		],
	}));
	await Promise.all(
		planned.map(async ({ write, pausesMs }) => {
			const deliveries = [];
			for (const pauseMs of pausesMs) {
				await sleep(pauseMs);
				deliveries.push(deliver(cluster, write));
			}
			await Promise.all(deliveries);
		}),
	);
	return writes;
}

/**
 * @param {Sandbox} sandbox
 * @param {number} index
 * @returns {KeyedWrite}
 */
function newWrite(sandbox, index) {
	const key = `key-${index}`;
	if (index % 2 === 0) return { name: 'link', key, outcomes: [] };
	// charges.mjs refunds only charges in USD.
	const { id } = sandbox.insertCharge({ currency: 'EUR', total: '100.00' });
	return { name: 'refund', key, charge: id, outcomes: [] };
}

/**
 * @param {Cluster} cluster
 * @param {KeyedWrite} write
 */
export async function deliver({ client }, { name, key, charge, outcomes }) {
	try {
		const response = await fetch(`${client.baseUrl}/webhook/${name}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ key, charge }),
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		const items = await response.json();
		if (!response.ok || !Array.isArray(items)) outcomes.push('in doubt');
		else outcomes.push(items.length > 0 ? 'done' : 'skipped');
	} catch {
		// n8n was down, or was killed meanwhile: nobody knows what came of it, as it is with real webhooks.
		outcomes.push('in doubt');
	}
}

/**
 * Compares what webhooks were answered with what the service holds.
 *
 * @param {Sandbox} sandbox
 * @param {KeyedWrite[]} writes
 * @returns {Record<'carriedOut' | 'missing' | 'repeated', string[]>} missing: not carried out, though an answer says so,
 *   or though no delivery was in doubt; repeated: carried out more than once
 */
export function compareWrites({ store }, writes) {
	const titles = store.links.all().map(({ link }) => link.title);
	const timesOf = (/** @type {KeyedWrite} */ { key, charge }) =>
		charge === undefined
			? titles.filter((title) => title === key).length
			: (store.charges.get(charge)?.charge.refunds.length ?? 0);
	const carriedOut = [];
	const missing = [];
	const repeated = [];
	for (const write of writes) {
		const { name, key, outcomes } = write;
		const times = timesOf(write);
		const line = `${name} ${key} was carried out ${times} times: ${outcomes.join(', ')}`;
		if (times > 0) carriedOut.push(line);
		if (times > 1) repeated.push(line);
		if (times === 0 && (outcomes.includes('done') || !outcomes.includes('in doubt')))
			missing.push(line);
	}
	return { carriedOut, missing, repeated };
}
