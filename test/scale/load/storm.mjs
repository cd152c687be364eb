import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('../../../sandbox/index.js').Sandbox} Sandbox */

const TICK_MS = 100;
/** Shares of the charges. */
const REFUNDS = 0.25;
const STATUS_CHANGES = 0.2;
const LATE = 0.05;
/** Of refunds and changes of status: those of charges that were there before the run. */
const OF_HISTORY = 0.1;
/** How late a charge appears in the list after its creation, at most. */
const MAX_LATE_MS = 60_000;
const WATCHED_MS = 6 * 86_400_000;

const STATUSES = ['captured', 'disputed', 'settled', 'under_review'];

/**
 * Lets charges come in at the service, be refunded and change their status, in bursts and pauses.
 *
 * @param {object} options
 * @param {Storm} options.storm what comes in is noted there
 * @param {Sandbox} options.sandbox
 * @param {Random} options.random
 * @param {number} options.charges that come in altogether
 * @param {number} options.seconds
 * @param {() => boolean} options.isAborted
 *
 * @typedef {object} Storm
 * @property {Set<string>} arrived ids
 * @property {Map<string, string[]>} statuses those that a charge had after the one that it began with, in order
 */
export async function runStorm({ storm, sandbox, random, charges, seconds, isAborted }) {
	const history = historyOf(sandbox);
	/** @type {string[]} ids of charges that came in here */
	const own = [];
	const started = Date.now();
	const work = [
		...timesOf(random, charges).map((at) => ({ at, act: arrive })),
		...timesOf(random, charges * REFUNDS).map((at) => ({ at, act: refund })),
		...timesOf(random, charges * STATUS_CHANGES).map((at) => ({ at, act: changeStatus })),
	].sort((one, other) => one.at - other.at);

	function arrive() {
		const created = random.happens(LATE)
			? new Date(Date.now() - random.between(0, MAX_LATE_MS)).toISOString()
			: undefined;
		// Amounts that can be refunded in parts.
		const total = random.whole(1_000, 99_999);
		const charge = sandbox.insertCharge({
			currency: 'USD',
			total: `${Math.trunc(total / 100)}.${String(total % 100).padStart(2, '0')}`,
			...(created !== undefined && { created }),
		});
		storm.arrived.add(charge.id);
		own.push(charge.id);
	}

	function anyCharge() {
		const isOld = own.length === 0 || random.happens(OF_HISTORY);
		const id = isOld ? random.oneOf(history) : random.oneOf(own);
		return id;
	}

	function refund() {
		const id = anyCharge();
		const charge = sandbox.store.charges.get(id)?.charge;
		if (charge === undefined) return;
		const left = Math.round((Number(charge.total) - Number(charge.refund_total)) * 100);
		// What nothing is left of is somebody's who asks too late.
		if (left < 1) return;
		const part = random.happens(0.3) ? left : random.whole(1, left);
		sandbox.refundCharge(id, (part / 100).toFixed(2));
	}

	function changeStatus() {
		const id = anyCharge();
		const status = random.oneOf(STATUSES);
		sandbox.setChargeStatus(id, status);
		storm.statuses.set(id, [...(storm.statuses.get(id) ?? []), status]);
	}

	for (const { at, act } of work) {
		while (Date.now() - started < at * seconds * 1_000) {
			if (isAborted()) return;
			await sleep(TICK_MS);
		}
		act();
	}
}

/** @param {Sandbox} sandbox */
function historyOf({ store }) {
	return Array.from({ length: store.charges.size }, (_, index) => store.charges.at(index))
		.flatMap((stored) => (stored === undefined ? [] : [stored.charge]))
		.filter(
			({ created, status, currency }) =>
				store.nowMs - Date.parse(created) < WATCHED_MS &&
				status === 'authorised' &&
				currency === 'USD',
		)
		.map(({ id }) => id);
}

/**
 * @param {Random} random
 * @param {number} count
 * @returns {number[]} moments from 0 to 1, a third of them in bursts
 */
function timesOf(random, count) {
	const times = [];
	while (times.length < count) {
		const at = random.between(0, 1);
		const size = random.happens(0.02) ? random.whole(10, 40) : 1;
		for (let left = size; left > 0 && times.length < count; left--) times.push(at);
	}
	return times;
}
