import { setTimeout as sleep } from 'node:timers/promises';

import Fastify from 'fastify';

import { startSandbox } from '../scripts/lib/sandbox.mjs';

const PAGE_SIZE = 100;
/** Few enough charges in a lookback that a long history costs what a short one does. */
const GAP_MS = 600_000;

/**
 * The payment service, for processes that are measured. Its lists are of any length: the sandbox's rows over and over,
 * each with an ID and a time of its own. A page is kept once it was made, since to make one takes longer than to read it.
 */
export async function startService() {
	const sandbox = await startSandbox({ counts: { customers: PAGE_SIZE, charges: PAGE_SIZE } });
	const { apiKey } = sandbox;
	const startedAt = Date.now();
	/** @type {any[]} */
	const lists = [];
	const pages = new Map();

	const rowsOf = {
		charges: sandbox.store.charges.all().map(({ charge }) => charge),
		customers: sandbox.store.customers.all(),
	};

	/** @returns {string} an answer as docs/service.md has it */
	function makePage(list, resource, page) {
		const rows = rowsOf[resource];
		const { size, arrivals } = list;
		const count = size + arrivals.count;
		const start = (page - 1) * PAGE_SIZE;
		const length = Math.min(PAGE_SIZE, count - start);
		const results = Array.from({ length }, (_, index) => {
			const age = count - 1 - start - index;
			const created = age < size ? startedAt - (size - age) * GAP_MS : arrivals.at;
			const id = `00000000-0000-4000-8000-${age.toString(16).padStart(12, '0')}`;
			return { ...rows[age % PAGE_SIZE], id, created: new Date(created).toISOString() };
		});
		const next = `${list.credentials.baseUrl}/v1/${resource}?page=${page + 1}&page_size=100`;
		const envelope = { count, next: start + length < count ? next : null, previous: null, results };
		return JSON.stringify(resource === 'customers' ? [envelope] : envelope);
	}

	const app = Fastify();
	app.get('/:number/v1/:resource', async (/** @type {any} */ { params, query }, reply) => {
		const list = lists[params.number];
		list.requests += 1;
		if (list.delayMs > 0) await sleep(list.delayMs);
		const { page = 1 } = query;
		const key = [params.number, params.resource, page, list.arrivals.count].join();
		if (!pages.has(key)) pages.set(key, makePage(list, params.resource, Number(page)));
		return reply.type('application/json').send(pages.get(key));
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });

	return ({ size = 0, delayMs = 0 }) => {
		const credentials = { baseUrl: `${url}/${lists.length}`, apiKey };
		// Arrivals are rows that came in later, all at one moment.
		const list = { size, delayMs, credentials, arrivals: { count: 0, at: 0 }, requests: 0 };
		lists.push(list);
		return list;
	};
}
