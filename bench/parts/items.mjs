import { API_KEY } from '../processes/start.mjs';
import { interleaved } from './rounds.mjs';

const HOLDINGS = { customers: 100, charges: 10_000, links: 400 };

const RAW_8 = { way: 'raw', concurrency: 8 };
const OURS = { way: 'ours' };
const HTTP_REQUEST = { way: 'httpRequest' };

const GET = {
	'raw axios, 8': RAW_8,
	'Payment Collection': OURS,
	'HTTP Request': HTTP_REQUEST,
	'declarative node': { way: 'declarative' },
};
const CREATE = { 'raw axios, 8': RAW_8, 'Payment Collection': OURS, 'HTTP Request': HTTP_REQUEST };
const REFUND = {
	'raw axios, 1': { way: 'raw', concurrency: 1 },
	'Payment Collection': OURS,
	'HTTP Request': HTTP_REQUEST,
};

/** @typedef {{ links: string[], charges: string[] }} Ids */

const WORKS = [
	...[40, 400].map((count) => ({
		operation: 'get',
		title: `Get ${count} links`,
		names: (/** @type {Ids} */ { links }) => links.slice(0, count),
		ways: GET,
	})),
	{
		operation: 'create',
		title: 'Create 400 links',
		names: () => Array.from({ length: 400 }, (_, index) => `Ticket ${index}`),
		ways: CREATE,
	},
	{
		// Each of ours looks at the charge first, and is sent after the one before it has ended.
		operation: 'refund',
		title: 'Refund 100 charges',
		names: (/** @type {Ids} */ { charges }) => charges.slice(0, 100),
		ways: REFUND,
	},
];

/**
 * What is done for each of many input items.
 *
 * @type {import('../run.mjs').Part}
 */
export async function* items({ startEngine, service, rounds }) {
	const engine = startEngine();
	const ids = await service.ids(HOLDINGS, HOLDINGS.links);
	for (const delayMs of [0, 20]) {
		const baseUrl = await service.at({ holdings: HOLDINGS, delayMs });
		for (const { operation, title, names, ways } of WORKS) {
			const chosen = names(ids);
			const variants = Object.fromEntries(
				Object.entries(ways).map(([variant, way]) => {
					const job = { operation, baseUrl, apiKey: API_KEY, names: chosen, ...way };
					return [variant, () => engine.call('measure', { work: 'runItems', job })];
				}),
			);
			const measured = await interleaved(variants, { rounds, items: chosen.length });
			yield { name: `${title}, ${delayMs} ms`, measured };
		}
	}
	await engine.stop();
}
