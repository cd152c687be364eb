import { setTimeout as sleep } from 'node:timers/promises';

import { CREDENTIAL_TYPE } from '../../../scripts/n8n-server/demo.mjs';
import { PACKAGE_NAME } from '../../../scripts/lib/project.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./storm.mjs').Storm} Storm */
/** @typedef {import('../../../sandbox/index.js').Sandbox} Sandbox */
/** @typedef {import('../servers/cluster.mjs').Cluster} Cluster */
/** @typedef {import('../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */

const ANSWER_TIMEOUT_MS = 120_000;
const REFUND = '5.00';
const LEAST_DISTANCE_S = 0.1;
const GREATEST_DISTANCE_S = 30;

/** The two writes: of which each key is used for, and how often the service has carried it out. */
const WRITES = {
	refund: {
		path: 'scale-refund',
		/** @type {Record<string, unknown>} */
		parameters: {
			resource: 'charge',
			operation: 'refund',
			chargeId: { __rl: true, mode: 'id', value: '={{ $json.body.charge }}' },
			amount: REFUND,
			options: { idempotencyKey: '={{ $json.body.key }}', onRepeatedKey: 'fail' },
		},
	},
	link: {
		path: 'scale-link',
		/** @type {Record<string, unknown>} */
		parameters: {
			resource: 'link',
			operation: 'create',
			currency: 'USD',
			items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
			additionalFields: { title: '={{ $json.body.key }}' },
			options: { idempotencyKey: '={{ $json.body.key }}', onRepeatedKey: 'skip' },
		},
	},
};

/** @typedef {keyof typeof WRITES} WriteName */

/**
 * Publishes a workflow for each write: a webhook, and the write that it asks for.
 *
 * @param {Cluster} cluster
 * @param {CredentialReference} credential
 * @returns {Promise<Record<WriteName, string>>} their ids
 */
export async function publishWrites({ client }, credential) {
	/** @type {Record<string, string>} */
	const ids = {};
	for (const [name, { path, parameters }] of Object.entries(WRITES)) {
		const { id } = await client.createWorkflow({
			name: `Keyed ${name}`,
			nodes: [
				{
					id: `webhook-${name}`,
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2.1,
					position: [0, 0],
					parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
					webhookId: path,
				},
				{
					id: `write-${name}`,
					name: 'Write',
					type: `${PACKAGE_NAME}.paymentCollection`,
					typeVersion: 1,
					position: [200, 0],
					parameters,
					credentials: { [CREDENTIAL_TYPE]: credential },
				},
			],
			connections: { Webhook: { main: [[{ node: 'Write', type: 'main', index: 0 }]] } },
		});
		await client.publish(id);
		ids[name] = id;
	}
	return /** @type {Record<WriteName, string>} */ (ids);
}

/**
 * A key, and what was asked and answered for it.
 *
 * @typedef {object} KeyedRequest
 * @property {WriteName} write
 * @property {string} key
 * @property {string} [charge] to refund
 * @property {Delivery[]} deliveries
 *
 * @typedef {object} Delivery
 * @property {number} sentAt ms since the epoch
 * @property {number} [endedAt]
 * @property {number} [status] undefined without an answer
 * @property {boolean} isDone whether the answer says that the write was carried out
 */

/**
 * Delivers one request.
 *
 * @param {string} url of n8n
 * @param {KeyedRequest} request
 */
export async function deliver(url, request) {
	const { write, key, charge } = request;
	/** @type {Delivery} */
	const delivery = { sentAt: Date.now(), isDone: false };
	request.deliveries.push(delivery);
	try {
		const response = await fetch(`${url}/webhook/${WRITES[write].path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ key, charge }),
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		const text = await response.text();
		delivery.status = response.status;
		delivery.isDone = response.ok && isResult(write, text);
	} catch {
		// n8n was down, or was killed meanwhile: nobody knows what came of it, as it is with real webhooks.
	}
	delivery.endedAt = Date.now();
}

/**
 * @param {WriteName} write
 * @param {string} text
 */
function isResult(write, text) {
	try {
		const answer = JSON.parse(text);
		return write === 'refund' ? answer.refund_total !== undefined : answer.url !== undefined;
	} catch {
		return false;
	}
}

/**
 * @param {Sandbox} sandbox
 * @param {Storm} storm to which the charges that are to be refunded belong
 * @param {WriteName} write
 * @param {string} key
 * @returns {KeyedRequest}
 */
function newRequest(sandbox, storm, write, key) {
	if (write === 'link') return { write, key, deliveries: [] };
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '100.00' });
	storm.arrived.add(id);
	return { write, key, charge: id, deliveries: [] };
}

/**
 * Delivers each key two to five times, at random distances.
 *
 * @param {object} options
 * @param {string} options.url of n8n
 * @param {Sandbox} options.sandbox
 * @param {Storm} options.storm
 * @param {Random} options.random
 * @param {number} options.keys
 * @param {number} options.seconds
 * @param {() => boolean} options.isAborted
 * @returns {Promise<KeyedRequest[]>}
 */
export async function deliverKeys({ url, sandbox, storm, random, keys, seconds, isAborted }) {
	const requests = Array.from({ length: keys }, (_, index) => {
		const write = random.oneOf(/** @type {WriteName[]} */ (Object.keys(WRITES)));
		return newRequest(sandbox, storm, write, `${write}-${index}`);
	});
	const planned = requests
		.flatMap((request) => {
			let at = random.between(0, seconds - GREATEST_DISTANCE_S);
			return Array.from({ length: random.whole(2, 5) }, (_, index) => {
				if (index > 0) at += random.magnitude(LEAST_DISTANCE_S, GREATEST_DISTANCE_S);
				return { request, at };
			});
		})
		.filter(({ at }) => at < seconds)
		.sort((one, other) => one.at - other.at);
	const started = Date.now();
	const underWay = [];
	for (const { request, at } of planned) {
		const waitMs = started + at * 1_000 - Date.now();
		if (waitMs > 0) await sleep(waitMs);
		if (isAborted()) break;
		underWay.push(deliver(url, request));
	}
	await Promise.all(underWay);
	return requests;
}

/**
 * @param {Sandbox} sandbox
 * @param {KeyedRequest[]} requests
 * @returns {{ request: KeyedRequest, times: number }[]} how often the service has carried each out
 */
export function carriedOut({ store }, requests) {
	/** @type {Map<string, number>} */
	const links = new Map();
	for (const { link } of store.links.all()) links.set(link.title, (links.get(link.title) ?? 0) + 1);
	return requests.map((request) => ({
		request,
		times:
			request.charge === undefined
				? (links.get(request.key) ?? 0)
				: (store.charges.get(request.charge)?.charge.refunds.length ?? 0),
	}));
}
