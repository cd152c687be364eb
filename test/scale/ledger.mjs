import { postgresCredential } from '../../scripts/n8n-server/demo.mjs';
import { everySeconds, importCopy, pollTimes } from '../e2e/support/examples/exampleCopy.mjs';

/** @typedef {import('./cluster.mjs').Cluster} Cluster */

/** Polls and reconciles more often than the example, since a run takes minutes. */
const PARAMETERS = {
	'Charge event': { pollTimes: pollTimes(everySeconds(10)) },
	'Every hour': { rule: { interval: [{ field: 'minutes', minutesInterval: 1 }] } },
};

/**
 * Has n8n keep the ledger of examples/accounting-ledger.json.
 *
 * @param {Cluster} cluster
 * @returns {Promise<string>} the workflow's id
 */
export async function publishLedger({ client, credential, postgres }) {
	// Nothing of it is taken back: n8n ends with the program.
	const run = { name: 'Accounting ledger', after: () => {} };
	const ledger = await importCopy(run, client, 'accounting-ledger.json', {
		credentials: [credential, await client.createCredential(postgresCredential(postgres))],
		parameters: PARAMETERS,
	});
	await ledger.succeed();
	await ledger.publish();
	return ledger.id;
}

/**
 * Compares what the ledger holds with what the service holds: each charge and each refund by its time and its exact
 * amount, and the status that each charge has now.
 *
 * @param {Cluster} cluster
 * @param {import('../../sandbox/index.js').Sandbox} sandbox
 * @returns {Promise<Record<'booked' | 'missing' | 'repeated', string[]>>} repeated: more often in the ledger than in the
 *   service, which may have it not at all
 */
export async function compareLedger({ sql }, { store }) {
	const charges = store.charges.all().map(({ charge }) => charge);
	const booked = charges.flatMap(({ id, created, currency, total, refunds }) => [
		bookingLine('charge', id, new Date(created), currency, total),
		...refunds.map((refund) =>
			bookingLine('refund', id, new Date(refund.created), currency, `-${refund.amount}`),
		),
	]);
	const bookings = await sql.query(
		'select kind, charge_id, booked_at, currency, amount::text as amount from payment_bookings',
	);
	const inLedger = bookings.rows.map(({ kind, charge_id, booked_at, currency, amount }) =>
		bookingLine(kind, charge_id, booked_at, currency, amount),
	);
	// The service has only the current status, the ledger also former ones.
	const statuses = await sql.query('select distinct charge_id, status from payment_ledger');
	const missingStatuses = surplus(
		charges.map(({ id, status }) => `status ${id} ${status}`),
		statuses.rows.map(({ charge_id, status }) => `status ${charge_id} ${status}`),
	);
	return {
		booked,
		missing: [...surplus(booked, inLedger), ...missingStatuses],
		repeated: surplus(inLedger, booked),
	};
}

const bookingLine = (
	/** @type {string} */ kind,
	/** @type {string} */ chargeId,
	/** @type {Date} */ at,
	/** @type {string} */ currency,
	/** @type {string} */ amount,
) => `${kind} ${chargeId} ${at.toISOString()} ${amount} ${currency}`;

/**
 * @param {string[]} lines
 * @param {string[]} others
 * @returns {string[]} each line as many times as there are more of it than among the others
 */
function surplus(lines, others) {
	/** @type {Map<string, number>} */
	const left = new Map();
	for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
	return lines.filter((line) => {
		const count = left.get(line) ?? 0;
		left.set(line, count - 1);
		return count <= 0;
	});
}
