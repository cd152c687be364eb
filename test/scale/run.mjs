/**
 * `npm run test:scale`: n8n in queue mode under a stream of charges and of webhooks that ask for writes, while parts of
 * it are killed. At the end the ledger and the writes are compared with what the service holds.
 */

import { base, Faker } from '@faker-js/faker';
import { Command } from 'commander';
import pWaitFor from 'p-wait-for';

import { build } from '../../scripts/build.mjs';
import { ensureRedis } from '../../scripts/installed/redis.mjs';
import { main, wholeNumber } from '../../scripts/lib/program.mjs';
import { startSandbox } from '../../scripts/lib/sandbox.mjs';
import { ensureN8n } from '../../scripts/n8n-server/install.mjs';
import { letChargesComeIn } from './charges.mjs';
import { startCluster } from './cluster.mjs';
import { haveThingsGoWrong } from './faults.mjs';
import { compareWrites, deliver, deliverWrites, publishWrites } from './keyedWrites.mjs';
import { compareLedger, publishLedger } from './ledger.mjs';

/** Charges that are there at the beginning. */
const HISTORY = 1_000;
/** After the last charge, whatever n8n lost: two runs that reconcile, a minute apart, and time for them. */
const WHOLE_WITHIN_MS = 180_000;
const LOOK_AGAIN_MS = 1_000;
const SHOWN = 10;

const command = new Command('npm run test:scale --')
	.description(
		'Runs n8n in queue mode (main, two workers, Redis, PostgreSQL) under load, kills parts of it, and looks whether anything is lost or done twice.',
	)
	.option('--minutes <number>', 'how long charges come in', wholeNumber(24 * 60), 5)
	.option(
		'--seed <number>',
		'of what comes in, and of what fails when',
		wholeNumber(2 ** 32 - 2),
		1,
	);

const started = Date.now();
const tell = (/** @type {string} */ text) => {
	const seconds = Math.floor((Date.now() - started) / 1_000);
	console.log(`${String(seconds).padStart(4)} s  ${text}`);
};

/** @param {{ minutes: number, seed: number }} options */
async function run({ minutes, seed }) {
	await ensureN8n();
	await ensureRedis();
	await build();

	tell('Starting the service, Redis, PostgreSQL, n8n and its workers');
	const sandbox = await startSandbox({ seed, counts: { charges: HISTORY } });
	const cluster = await startCluster(sandbox);
	const ledger = await publishLedger(cluster);
	await publishWrites(cluster);

	tell(`Charges come in for ${minutes} min (seed ${seed})`);
	const seconds = minutes * 60;
	// One for each, so that what one draws does not depend on when the others draw.
	const draw = (/** @type {number} */ index) => new Faker({ locale: base, seed: seed + index });
	const shared = { cluster, sandbox, seconds };
	const [writes] = await Promise.all([
		deliverWrites({ ...shared, faker: draw(0) }),
		letChargesComeIn({ ...shared, faker: draw(1) }),
		haveThingsGoWrong({ ...shared, faker: draw(2), ledger, tell }),
	]);
	tell('Nothing fails any more: each key is delivered once more');
	await pWaitFor(() => cluster.client.isReady(), {
		interval: LOOK_AGAIN_MS,
		timeout: WHOLE_WITHIN_MS,
	});
	await Promise.all(writes.map((write) => deliver(cluster, write)));
	tell('Waiting until the ledger is whole');
	const isWhole = async () => (await compareLedger(cluster, sandbox)).missing.length === 0;
	await pWaitFor(isWhole, {
		interval: LOOK_AGAIN_MS,
		timeout: { milliseconds: WHOLE_WITHIN_MS, fallback: () => {} },
	});

	const { rows } = await cluster.sql.query(
		'select status, count(*) from execution_entity group by status order by status',
	);
	tell(
		`Executions that n8n keeps: ${rows.map(({ status, count }) => `${count} ${status}`).join(', ')}`,
	);
	const ofLedger = await compareLedger(cluster, sandbox);
	const ofKeys = compareWrites(sandbox, writes);
	const areRight = [
		report(`The ledger of ${ofLedger.booked.length} charges and refunds`, ofLedger),
		report(`${writes.length} keyed writes, ${ofKeys.carriedOut.length} carried out`, ofKeys),
	];
	// If n8n had answered nothing at all, nothing would be missing either.
	const isTried = ofKeys.carriedOut.length > writes.length / 2;
	return isTried && !areRight.includes(false) ? 0 : 1;
}

/**
 * @param {string} what was compared
 * @param {Record<'missing' | 'repeated', string[]>} found
 * @returns {boolean} whether it is right
 */
function report(what, { missing, repeated }) {
	for (const line of missing.slice(0, SHOWN)) console.log(`missing: ${line}`);
	for (const line of repeated.slice(0, SHOWN)) console.log(`repeated: ${line}`);
	console.log(`${what}: missing ${missing.length}, repeated ${repeated.length}`);
	return missing.length + repeated.length === 0;
}

await main(() => run(command.parse().opts()));
