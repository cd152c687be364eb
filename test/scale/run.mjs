/**
 * `npm run test:scale`: n8n in queue mode with PostgreSQL, Redis, one main and two workers, under a stream of charges
 * and of webhooks that ask for writes, while parts of it are killed and restarted. At the end the ledger and the writes
 * are compared with what the service holds. `npm run test:scale -- --help` lists the options.
 */

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Command } from 'commander';

import { build } from '../../scripts/build.mjs';
import { wholeNumber } from '../../scripts/lib/arguments.mjs';
import { main, UserError } from '../../scripts/lib/program.mjs';
import { ensureRedis } from '../../scripts/installed/redis.mjs';
import { startSandbox } from '../../scripts/lib/sandbox.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { ensureN8n } from '../../scripts/n8n-server/install.mjs';
import { ensurePostgres } from '../../scripts/postgres/install.mjs';
import { startCluster } from './servers/cluster.mjs';
import { createCredentials } from './servers/credentials.mjs';
import { measurePairs } from './pairs.mjs';
import { runUnderFaults } from './underFaults.mjs';

const WORKERS = 2;
const LEAST_MINUTES = 4;
/** Charges that are there at the beginning. */
const HISTORY = 1_000;

const command = new Command('npm run test:scale --')
	.description(
		'Runs n8n in queue mode under load and faults, and looks whether anything is lost or done twice.',
	)
	.option(
		'--minutes <number>',
		`how long charges come in, ${LEAST_MINUTES} at least`,
		wholeNumber(24 * 60),
		5,
	)
	.option('--charges <number>', 'that come in', wholeNumber(100_000), 2_000)
	.option('--keys <number>', 'Idempotency Keys that webhooks ask with', wholeNumber(10_000), 200)
	.option('--seed <number>', 'of what comes, and what fails when', wholeNumber(2 ** 32 - 1), 1)
	.option('--roll-back', "rolls the trigger's state back by hand in the middle")
	.option('--pairs <number>', 'measures only how two workers meet at a key', wholeNumber(100_000))
	.option('--keep <folder>', "a folder for n8n's data and logs, to look into afterwards");

/** @typedef {import('./underFaults.mjs').Load & { pairs?: number, keep?: string }} Options */

/** @param {Options} options */
async function run({ pairs, keep, ...load }) {
	if (load.minutes < LEAST_MINUTES)
		throw new UserError(
			`--minutes is ${load.minutes}: what fails takes ${LEAST_MINUTES} at least.`,
		);
	const started = Date.now();
	const tell = (/** @type {string} */ text) => {
		const seconds = Math.floor((Date.now() - started) / 1_000);
		console.log(`${String(seconds).padStart(4)} s  ${text}`);
	};
	await ensureN8n();
	await ensurePostgres();
	await ensureRedis();
	await build();
	const folder = join(keep === undefined ? temporaryFolder('n8n-scale') : resolve(keep), 'n8n');
	await mkdir(folder, { recursive: true });

	tell('Starting the service, Redis, PostgreSQL, n8n and its workers');
	const sandbox = await startSandbox({ seed: load.seed, counts: { charges: HISTORY } });
	const cluster = await startCluster({ folder, workers: WORKERS });
	const credentials = await createCredentials(cluster, sandbox);
	const scene = { cluster, sandbox, credentials, tell };
	const isRight =
		pairs === undefined
			? await runUnderFaults(scene, load)
			: await measurePairs(scene, pairs).then(() => true);
	await cluster.stop();
	return isRight ? 0 : 1;
}

await main(() => run(command.parse().opts()));
