/** The measurements and their goals: variants are run in turn, and compared with the first one. */

import { PACKAGE_NAME } from '../scripts/lib/project.mjs';

const OURS = 'Payment Collection';
const AXIOS = 'axios, without n8n';
const PLAIN = 'plain pagination function';
const HTTP_REQUEST = 'HTTP Request + Split Out';

const ours = {
	name: 'Contacts',
	type: `${PACKAGE_NAME}.paymentCollection`,
	parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
};

const plain = { name: 'Contacts', type: 'bench.plainNode', parameters: {} };

/** As one sets it up by hand: the next page by its number, while there is one. */
const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !($response.body[0] ?? $response.body).next }}',
};

const httpRequest = (baseUrl) => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: {
		url: `${baseUrl}/v1/customers`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'paymentCollectionApi',
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'page_size', value: '100' }] },
		options: { pagination: { pagination } },
	},
});

const splitOut = {
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: 'results' },
};

/** A workflow of these nodes, one after another. */
function chain(...nodes) {
	const all = [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} }, ...nodes];
	const credentials = { paymentCollectionApi: { id: 'bench', name: 'Bench' } };
	const to = (/** @type {string} */ node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	return {
		nodes: all.map((node) => ({ typeVersion: 1, position: [0, 0], credentials, ...node })),
		connections: Object.fromEntries(nodes.map(({ name }, index) => [all[index]?.name, to(name)])),
	};
}

/** All contacts, of a service that takes so long for each page. */
const contacts = (delayMs, goals) => ({
	name: `10,000 contacts, ${delayMs} ms`,
	goals,
	variants: async ({ makeList, startEngine }) => {
		const { size, credentials } = makeList({ size: 10_000, delayMs });
		const engine = startEngine();
		await engine({ job: 'load' });
		const reading = (task) => async () => {
			const { items, ms } = await engine({ ...task, credentials });
			if (items !== size) throw new Error(`${items} of ${size} contacts came`);
			return { ms };
		};
		const execution = (...nodes) => reading({ job: 'workflow', workflow: chain(...nodes) });
		return {
			[OURS]: execution(ours),
			[HTTP_REQUEST]: execution(httpRequest(credentials.baseUrl), splitOut),
			[AXIOS]: reading({ job: 'axios' }),
			[PLAIN]: execution(plain),
		};
	},
});

const IDLE = 'nothing new, 100 charges';
const IDLE_OF_MILLION = 'nothing new, 1,000,000 charges';
const BUSY = '20,000 new at one moment';
/**
 * Enough idle polls that V8's collections of n8n's heap, 0.1 s each, weigh alike. The first few busy polls emit all
 * 20,000 new charges.
 */
const IDLE_POLLS = { tasks: 1, polls: 500 };
const BUSY_POLLS = { tasks: 10, polls: 1 };

const trigger = {
	name: 'A poll: the mean of idle ones, the dearest of those that emit new charges',
	goals: [
		{ quantity: 'requests', of: IDLE, atMost: 1 },
		{ quantity: 'requests', of: IDLE_OF_MILLION, atMost: 1 },
		{ quantity: 'cpuMs', of: IDLE, atMost: 5 },
		{ quantity: 'cpuMs', of: IDLE_OF_MILLION, atMost: 5 },
		{ quantity: 'cpuMs', of: IDLE_OF_MILLION, to: IDLE, atMost: 1.25 },
		{ quantity: 'cpuMs', of: BUSY, atMost: 1_000 },
	],
	variants: async ({ makeList, startEngine }) => {
		// The other engine makes an isolate for each poll, whatever the node, which costs 30 ms.
		const engine = startEngine({ N8N_EXPRESSION_ENGINE: 'legacy' });
		await engine({ job: 'load' });
		async function poll(size, arrivals, { tasks, polls }) {
			const list = makeList({ size });
			await engine({ job: 'activate', credentials: list.credentials });
			list.arrivals = { count: arrivals, at: Date.now() };
			const samples = [];
			let emitted = 0;
			for (let task = 0; task < tasks; task++) {
				list.requests = 0;
				const { items, cpuMs } = await engine({ job: 'poll', polls });
				samples.push({ cpuMs: cpuMs / polls, requests: list.requests / polls });
				emitted += items;
			}
			if (emitted !== arrivals)
				throw new Error(`${emitted} of ${arrivals} new charges were emitted`);
			return samples.reduce((dearest, next) => (next.cpuMs > dearest.cpuMs ? next : dearest));
		}
		return {
			[IDLE]: () => poll(100, 0, IDLE_POLLS),
			[IDLE_OF_MILLION]: () => poll(1_000_000, 0, IDLE_POLLS),
			[BUSY]: () => poll(3_000, 20_000, BUSY_POLLS),
		};
	},
};

const load = {
	name: 'Loading both nodes and the credential',
	goals: [
		{ quantity: 'ms', of: OURS, atMost: 40 },
		{ quantity: 'heapKb', of: OURS, atMost: 1_000 },
	],
	// Starts a new process each time, since modules stay loaded.
	variants: async ({ startEngine }) => ({
		[OURS]: async () => {
			const { ms, heapKb } = await startEngine()({ job: 'load' });
			return { ms, heapKb };
		},
	}),
};

export const WORKS = [
	contacts(0, [{ quantity: 'ms', of: OURS, to: PLAIN, atMost: 1.25 }]),
	contacts(20, [
		{ quantity: 'ms', of: HTTP_REQUEST, to: OURS, atLeast: 6 },
		{ quantity: 'ms', of: OURS, to: AXIOS, atMost: 1.4 },
	]),
	contacts(100, [{ quantity: 'ms', of: OURS, to: AXIOS, atMost: 1.1 }]),
	trigger,
	load,
];
