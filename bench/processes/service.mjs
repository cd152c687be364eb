/**
 * The payment service as a process of its own. It is the sandbox, behind a server that answers lists and single links
 * from memory, once the sandbox has answered them: at no latency the sandbox's own work for a page (1 to 2 ms) would be
 * most of what is measured. All that writes, and all that must be read anew, goes through to the sandbox.
 */

import { Agent, createServer, request as httpRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

import { startSandbox } from '../../scripts/lib/sandbox.mjs';
import { answerCalls } from './answerCalls.mjs';

/**
 * @typedef {import('./start.mjs').Address} Address
 *
 * @typedef {object} Listener
 * @property {string} url
 * @property {{ requests: number, inFlight: number, most: number }} traffic
 */

const CACHED = /^\/v1\/(customers|charges)\?(?=.*\bpage_size=)(?!.*\bid=)|^\/v1\/links\/[^/]+$/;
const agent = new Agent({ keepAlive: true });

/** @type {Map<string, Promise<import('../../sandbox/index.js').Sandbox>>} */
const sandboxes = new Map();
/** @type {Map<string, Promise<Listener>>} */
const listeners = new Map();

/**
 * @template Value
 * @param {Map<string, Value>} map
 * @param {unknown} key
 * @param {() => Value} make
 */
function once(map, key, make) {
	const text = JSON.stringify(key);
	const value = map.get(text) ?? make();
	map.set(text, value);
	return value;
}

/** Few enough that each history has as many charges in a lookback, and a million of them go back 19 years. */
const CHARGE_GAP_MS = 600_000;

/** @param {Address['holdings']} counts */
const sandboxOf = (counts) =>
	once(sandboxes, counts, () => startSandbox({ counts, chargeGapMs: CHARGE_GAP_MS }));

/**
 * The path of a page that there is, for one of a list without end: the list begins anew behind its last page.
 *
 * @param {string} path
 * @param {number} pages
 */
const wrapped = (path, pages) =>
	path.replace(/([?&]page=)(\d+)/, (_, name, page) => `${name}${((page - 1) % pages) + 1}`);

/**
 * The rows of a page that comes again, with other IDs: a page that is the first one over again is none.
 *
 * @param {Buffer} body
 * @param {string} path as it was asked for
 * @param {number} pages
 */
function renumbered(body, path, pages) {
	const [, page] = /[?&]page=(\d+)/.exec(path) ?? [];
	const round = Math.floor((Number(page ?? 1) - 1) / pages);
	if (round === 0) return body;
	const start = `"id":"${String(round).padStart(4, '0')}`;
	return Buffer.from(body.toString().replace(/"id":"[\da-f]{4}/g, start));
}

/** @typedef {{ status: number, type: string | undefined, body: Buffer }} Answer */

/**
 * @param {string} url the sandbox's
 * @param {import('node:http').IncomingMessage} incoming
 * @returns {Promise<Answer>}
 */
async function forward(url, incoming) {
	const headers = { ...incoming.headers };
	delete headers.host;
	delete headers.connection;
	const { method } = incoming;
	return await new Promise((resolve, reject) => {
		const outgoing = httpRequest(url + incoming.url, { method, headers, agent }, (response) => {
			/** @type {Buffer[]} */
			const chunks = [];
			response.on('data', (chunk) => chunks.push(chunk));
			response.on('end', () =>
				resolve({
					status: response.statusCode ?? 0,
					type: response.headers['content-type'],
					body: Buffer.concat(chunks),
				}),
			);
		});
		outgoing.on('error', reject);
		incoming.pipe(outgoing);
	});
}

/**
 * @param {Address & { tls?: { key: string, cert: string } }} options
 * @returns {Promise<Listener>}
 */
async function listen({ holdings, delayMs, tls, endlessPages }) {
	const sandbox = await sandboxOf(holdings);
	/** @type {Map<string, Answer>} */
	const cache = new Map();
	const traffic = { requests: 0, inFlight: 0, most: 0 };
	/** @type {import('node:http').RequestListener} */
	const answerRequest = async (request, response) => {
		traffic.requests += 1;
		traffic.inFlight += 1;
		traffic.most = Math.max(traffic.most, traffic.inFlight);
		response.once('close', () => (traffic.inFlight -= 1));
		const path = endlessPages ? wrapped(request.url ?? '', endlessPages) : (request.url ?? '');
		const isCached = request.method === 'GET' && CACHED.test(path);
		const [known] = await Promise.all([
			(isCached ? cache.get(path) : undefined) ?? forward(sandbox.url, request),
			delayMs > 0 ? sleep(delayMs) : undefined,
		]);
		if (isCached && known.status === 200 && !cache.has(path)) {
			// A reader that follows `next` comes back here.
			const text = known.body.toString().replaceAll(sandbox.url, url);
			cache.set(path, { ...known, body: Buffer.from(text) });
		}
		const { status, type, body: stored } = cache.get(path) ?? known;
		const body = endlessPages ? renumbered(stored, request.url ?? '', endlessPages) : stored;
		response.writeHead(status, {
			...(type !== undefined && { 'content-type': type }),
			'content-length': body.length,
		});
		response.end(body);
	};
	const server = tls ? createTlsServer(tls, answerRequest) : createServer(answerRequest);
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
	return { url, traffic };
}

answerCalls({
	/** @param {Address} address */
	address: async (address) => (await once(listeners, address, () => listen(address))).url,

	/**
	 * What came in since the last time that it was asked.
	 *
	 * @param {Address} address
	 */
	traffic: async (address) => {
		const { traffic } = await once(listeners, address, () => listen(address));
		const seen = { requests: traffic.requests, most: traffic.most };
		Object.assign(traffic, { requests: 0, most: 0 });
		return seen;
	},

	/**
	 * @param {{ holdings: Address['holdings'], count: number }} what
	 * @returns {Promise<{ links: string[], charges: string[] }>} ids: of links, and of charges that can be refunded by cents
	 */
	ids: async ({ holdings, count }) => {
		const { store } = await sandboxOf(holdings);
		const links = Array.from({ length: count }, (_, index) => store.links.at(index)?.link.id ?? '');
		const charges = [];
		for (let index = 0; charges.length < count && index < store.charges.size; index++) {
			const charge = store.charges.at(index)?.charge;
			const isRefundable = charge?.status === 'authorised' && charge.currency === 'USD';
			if (isRefundable && Number(charge.total) - Number(charge.refund_total) > 1)
				charges.push(charge.id);
		}
		return { links, charges };
	},
});
