import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('@faker-js/faker').Faker} Faker */
/** @typedef {import('../../sandbox/index.js').Sandbox} Sandbox */

const TICK_MS = 100;
/** How late a charge appears in the list after its creation, at most. */
const MAX_LATE_MS = 60_000;
/** Get Events finds what became of charges that are up to 30 days older than the last time that nothing was missing. */
const MAX_AGE_MS = 20 * 86_400_000;
const REFUND = '5.00';
const MAX_REFUNDS = 2;
const STATUSES = ['captured', 'disputed', 'settled', 'under_review'];

/**
 * Lets charges come in at the service, be refunded and change their status: about 8 a second, some of them in bursts,
 * some late.
 *
 * @param {{ sandbox: Sandbox, faker: Faker, seconds: number }} options
 */
export async function letChargesComeIn({ sandbox, faker, seconds }) {
	const ids = refundableIn(sandbox);
	const anyId = () => faker.helpers.arrayElement(ids);

	function arrive() {
		const lateMs = faker.datatype.boolean(0.05) ? faker.number.int(MAX_LATE_MS) : 0;
		const { id } = sandbox.insertCharge({
			currency: 'USD',
			total: `${faker.number.int({ min: 10, max: 999 })}.95`,
			created: new Date(Date.now() - lateMs).toISOString(),
		});
		ids.push(id);
	}
	function refund() {
		const id = anyId();
		const refunds = sandbox.store.charges.get(id)?.charge.refunds ?? [];
		if (refunds.length < MAX_REFUNDS) sandbox.refundCharge(id, REFUND);
	}

	const started = Date.now();
	for (let at = 0; at < seconds * 1_000; at += TICK_MS) {
		await sleep(Math.max(0, started + at - Date.now()));
		const isBurst = faker.datatype.boolean(0.01);
		const arriving = faker.number.int(isBurst ? { min: 10, max: 40 } : { min: 0, max: 1 });
		for (let left = arriving; left > 0; left--) arrive();
		if (faker.datatype.boolean(0.2)) refund();
		if (faker.datatype.boolean(0.15))
			sandbox.setChargeStatus(anyId(), faker.helpers.arrayElement(STATUSES));
	}
}

/**
 * @param {Sandbox} sandbox
 * @returns {string[]} ids of those charges that are there at the beginning which can be refunded like the new ones
 */
function refundableIn({ store }) {
	return store.charges
		.all()
		.map(({ charge }) => charge)
		.filter(
			({ created, currency, total, status, refunds }) =>
				Date.now() - Date.parse(created) < MAX_AGE_MS &&
				currency === 'USD' &&
				status === 'authorised' &&
				Number(total) >= MAX_REFUNDS * Number(REFUND) &&
				refunds.length === 0,
		)
		.map(({ id }) => id);
}
