import { API_KEY } from '../processes/start.mjs';
import { CONCURRENT } from './ways.mjs';

/**
 * @typedef {object} FunctionTime see engine/profile.ts
 * @property {string} name
 * @property {string} url
 * @property {number} line
 * @property {number} selfMs
 */

const HOLDINGS = { customers: 10_000, charges: 10_000 };
const TIMES = 20;
const SHOWN = 12;
const LEAST_MS = 0.5;

/** Whose a function is, by the package that its file is of; first match wins. */
const OWNERS = /** @type {const} */ ([
	['this package', /.*\/node_modules\/n8n-nodes-payment-collection\//],
	['n8n', /.*\/node_modules\/(n8n-[^/]+|@n8n\/[^/]+)\/(?!.*node_modules)/],
	['axios', /.*\/node_modules\/axios\//],
	['other packages', /\/node_modules\//],
	['Node', /^node:/],
	['the bench', /^file:|^\//],
]);

const ownerOf = (/** @type {FunctionTime} */ { name, url }) =>
	OWNERS.find(([, pattern]) => pattern.test(url))?.[0] ??
	(name.startsWith('(') ? name : "V8's own");

/**
 * Where the CPU goes when 10,000 rows are read at no latency.
 *
 * @param {import('../run.mjs').Bench} bench
 * @returns {Promise<string>} Markdown
 */
export async function profile({ startEngine, service, modules }) {
	const { markdown } = modules('bench/report/table');
	const baseUrl = await service.at({ holdings: HOLDINGS, delayMs: 0 });
	const texts = [];
	for (const list of ['customers', 'charges']) {
		const engine = startEngine();
		const job = {
			...CONCURRENT['Payment Collection, 8, Simplify'],
			...{ list, baseUrl, apiKey: API_KEY, times: TIMES },
		};
		/** @type {FunctionTime[]} */
		const functions = await engine.call('run', { work: 'profileList', job });
		await engine.stop();
		texts.push(`10,000 ${list}, ms of CPU in one reading`, toTables(functions, markdown));
	}
	return texts.join('\n\n');
}

/**
 * @param {FunctionTime[]} functions
 * @param {(heads: string[], rows: string[][]) => string} markdown
 */
function toTables(functions, markdown) {
	/** @type {Map<string, number>} */
	const sums = new Map();
	for (const each of functions) {
		const owner = ownerOf(each);
		sums.set(owner, (sums.get(owner) ?? 0) + each.selfMs);
	}
	const ms = (/** @type {number} */ value) => value.toFixed(1);
	const owners = [...sums].sort(([, one], [, other]) => other - one);
	const dearest = (/** @type {string} */ owner) =>
		functions
			.filter((each) => ownerOf(each) === owner && each.selfMs >= LEAST_MS)
			.slice(0, SHOWN)
			.map(({ name, url, line, selfMs }) => [
				name || '(anonymous)',
				`${url.split('/').slice(-2).join('/')}:${line}`,
				ms(selfMs),
			]);
	return [
		markdown(
			['Whose', 'ms'],
			owners.map(([owner, sum]) => [owner, ms(sum)]),
		),
		...['this package', 'n8n', 'axios'].map((owner) =>
			markdown([`Function of ${owner}`, 'File', 'ms'], dearest(owner)),
		),
	].join('\n\n');
}
