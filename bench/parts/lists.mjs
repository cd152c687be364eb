import { API_KEY } from '../processes/start.mjs';
import { interleaved } from './rounds.mjs';
import { BASELINE, CONCURRENT, ONE_BY_ONE, OTHER_WIDTHS, OUTPUTS } from './ways.mjs';

/**
 * @typedef {import('../run.mjs').Part} Part
 *
 * @typedef {object} ListCase
 * @property {string} name
 * @property {'customers' | 'charges'} list
 * @property {number} rows
 * @property {number} delayMs
 * @property {boolean} [isTls]
 * @property {Record<string, object>} ways
 */

const TEN_THOUSAND = { list: /** @type {const} */ ('customers'), rows: 10_000 };
/**
 * Where nothing is waited for, one run is up to a third longer than the next by the machine's moods alone: five rounds
 * gave a ratio of 1.0 one time and of 1.2 the other.
 */
const TIMES_AS_OFTEN = 5;
const EVERY_WAY = { ...CONCURRENT, ...ONE_BY_ONE };

/**
 * A part that reads whole lists in pages of 100.
 *
 * @param {ListCase[]} cases
 * @returns {Part}
 */
const lists = (cases) =>
	async function* ({ startEngine, service, rounds }) {
		const engine = startEngine();
		for (const { name, list, rows, delayMs, isTls, ways } of cases) {
			const holdings = { customers: 10_000, charges: 10_000, [list]: rows };
			const baseUrl = await service.at({ holdings, delayMs, isTls });
			const variants = Object.fromEntries(
				Object.entries(ways).map(([variant, way]) => {
					const job = { list, baseUrl, apiKey: API_KEY, ...way };
					return [variant, () => engine.call('measure', { work: 'readList', job })];
				}),
			);
			const measured = await interleaved(variants, {
				rounds: delayMs === 0 ? rounds * TIMES_AS_OFTEN : rounds,
				items: rows,
			});
			yield { name, baseline: BASELINE, measured };
		}
		await engine.stop();
	};

/** 10,000 contacts at every latency. */
export const contacts = lists([
	{
		...TEN_THOUSAND,
		name: '10,000 contacts, 0 ms',
		delayMs: 0,
		ways: { ...EVERY_WAY, ...OTHER_WIDTHS },
	},
	{
		...TEN_THOUSAND,
		name: '10,000 contacts, 20 ms',
		delayMs: 20,
		ways: { ...EVERY_WAY, ...OTHER_WIDTHS },
	},
	{
		...TEN_THOUSAND,
		name: '10,000 contacts, 100 ms',
		delayMs: 100,
		// What goes page by page takes 10 s here: one such way says it all.
		ways: { ...CONCURRENT, 'HTTP Request + Split Out': ONE_BY_ONE['HTTP Request + Split Out'] },
	},
]);

/** The same over TLS, where each connection that n8n opens costs a handshake. */
export const tls = lists(
	[0, 20, 100].map((delayMs) => ({
		...TEN_THOUSAND,
		name: `10,000 contacts, ${delayMs} ms, TLS`,
		delayMs,
		isTls: true,
		ways: delayMs === 100 ? CONCURRENT : EVERY_WAY,
	})),
);

/** As many contacts as n8n takes from one node; 10,000 beside them, in the same process. */
export const many = lists([
	{ ...TEN_THOUSAND, name: '10,000 contacts beside 100,000', delayMs: 0, ways: CONCURRENT },
	{
		...TEN_THOUSAND,
		name: '100,000 contacts, 0 ms',
		rows: 100_000,
		delayMs: 0,
		ways: CONCURRENT,
	},
]);

/** Charges, from which card data is removed. */
export const charges = lists([
	{
		name: '10,000 charges, 0 ms',
		list: 'charges',
		rows: 10_000,
		delayMs: 0,
		ways: { ...CONCURRENT, ...OUTPUTS },
	},
]);
