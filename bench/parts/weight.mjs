import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { ROOT } from '../../scripts/lib/project.mjs';
import { API_KEY } from '../processes/start.mjs';
import { interleaved } from './rounds.mjs';
import { CONCURRENT } from './ways.mjs';

/** @typedef {import('../run.mjs').Part} Part */

const ROWS = 100_000;
const BATCHES = 100;
const PAGES_OF_BATCH = 100;
const KILOBYTE = 1_000;

/**
 * In a process of its own, which ends afterwards.
 *
 * @param {import('../run.mjs').Bench['startEngine']} startEngine
 * @param {string} work
 * @param {object} job
 */
async function runAlone(startEngine, work, job) {
	const engine = startEngine();
	try {
		return await engine.call('run', { work, job });
	} finally {
		await engine.stop();
	}
}

/**
 * What n8n's loader needs for the package when it starts, beside one node of its own.
 *
 * @type {Part}
 */
export async function* load({ startEngine, rounds }) {
	const loading = (/** @type {string} */ which) => () =>
		runAlone(startEngine, 'loadNodes', { which });
	const variants = { 'HTTP Request': loading('httpRequest'), 'this package': loading('ours') };
	yield { name: 'Loading', measured: await interleaved(variants, { rounds, warmUp: 0 }) };
}

/**
 * How much memory reading takes: all at once, and page by page in a loop.
 *
 * @type {Part}
 */
export async function* memory({ startEngine, service, rounds }) {
	const list = { list: 'customers', apiKey: API_KEY };
	const holdings = { customers: ROWS, charges: 100 };
	const baseUrl = await service.at({ holdings, delayMs: 0 });
	const variants = Object.fromEntries(
		['plain function, 8', 'Payment Collection, 8', 'Payment Collection, 8, Simplify'].map((way) => [
			way,
			() => runAlone(startEngine, 'memoryOf', { ...list, baseUrl, ...CONCURRENT[way] }),
		]),
	);
	yield {
		name: 'Memory of 100,000 contacts',
		// Each run is the first of its process.
		measured: await interleaved(variants, { rounds, items: ROWS, warmUp: 0 }),
	};

	const endlessUrl = await service.at({ holdings, delayMs: 0, endlessPages: PAGES_OF_BATCH });
	const { items, heapKb } = await runAlone(startEngine, 'heapAfterBatches', {
		...list,
		...CONCURRENT['Payment Collection, 8'],
		baseUrl: endlessUrl,
		batches: BATCHES,
		pagesOfBatch: PAGES_OF_BATCH,
	});
	if (items !== BATCHES * PAGES_OF_BATCH * 100) throw new Error(`The batches gave ${items} rows`);
	yield {
		name: '1,000,000 contacts by Page',
		measured: [10, BATCHES].map((batch) => ({
			variant: `after ${batch} batches`,
			samples: [{ heapKb: heapKb[batch - 1] }],
		})),
	};
}

/**
 * What is published.
 *
 * @type {Part}
 */
export async function* size() {
	const { stdout } = await execa('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT });
	const [{ size: packed, unpackedSize }] = JSON.parse(stdout);
	const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	const sample = { packedKb: packed / KILOBYTE, unpackedKb: unpackedSize / KILOBYTE };
	yield { name: 'Package', measured: [{ variant: version, samples: [sample] }] };
}
