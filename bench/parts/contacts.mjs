import { API_KEY } from '../processes/start.mjs';
import { interleaved } from './rounds.mjs';

/** @typedef {import('../report/measured.js').Comparison} Comparison */

const CONTACTS = 10_000;
const HOLDINGS = { customers: CONTACTS, charges: CONTACTS };

const FAST = {
	'raw, 8': { way: 'raw', concurrency: 8 },
	'plain function, 8': { way: 'plain' },
	'ours, 8': { way: 'ours', concurrency: 8, parameters: { simplify: false } },
	'ours, 8, Simplify': { way: 'ours', concurrency: 8 },
};
const SLOW = {
	'HTTP Request + Split Out': { way: 'httpRequest' },
	'declarative pagination': { way: 'declarative' },
};
const OTHER_WIDTHS = {
	'raw, 1': { way: 'raw', concurrency: 1 },
	'ours, 1': { way: 'ours', concurrency: 1, parameters: { simplify: false } },
	'raw, 16': { way: 'raw', concurrency: 16 },
	'ours, 16': { way: 'ours', concurrency: 16, parameters: { simplify: false } },
};

const CASES = [
	{ name: '10,000 contacts, 0 ms', delayMs: 0, ways: { ...FAST, ...OTHER_WIDTHS, ...SLOW } },
	{ name: '10,000 contacts, 0 ms, TLS', delayMs: 0, isTls: true, ways: { ...FAST, ...SLOW } },
	{ name: '10,000 contacts, 20 ms', delayMs: 20, ways: { ...FAST, ...OTHER_WIDTHS, ...SLOW } },
	{ name: '10,000 contacts, 20 ms, TLS', delayMs: 20, isTls: true, ways: { ...FAST, ...SLOW } },
	{ name: '10,000 contacts, 100 ms', delayMs: 100, ways: { ...FAST, ...SLOW } },
];

/**
 * Reading 10,000 contacts, in pages of 100, in every way that is compared.
 *
 * @param {import('../run.mjs').Bench} bench
 * @returns {AsyncGenerator<Comparison>}
 */
export async function* contacts({ startEngine, service, rounds }) {
	const engine = startEngine();
	for (const { name, delayMs, isTls, ways } of CASES) {
		const baseUrl = await service({ holdings: HOLDINGS, delayMs, isTls });
		const variants = Object.fromEntries(
			Object.entries(ways).map(([variant, way]) => [
				variant,
				() => {
					const job = { list: 'customers', baseUrl, apiKey: API_KEY, ...way };
					return engine.call('measure', { work: 'readList', job });
				},
			]),
		);
		const measured = await interleaved(variants, { rounds, items: CONTACTS });
		yield { part: 'contacts', name, baseline: 'raw, 8', measured };
	}
	await engine.stop();
}
