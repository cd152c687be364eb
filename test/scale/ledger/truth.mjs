/**
 * What the service holds at the end, as the events that a ledger of it must have, and the comparison of the two.
 */

/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */
/** @typedef {import('../load/storm.mjs').Storm} Storm */

/**
 * A row of the ledger; amounts are decimal text.
 *
 * @typedef {object} LedgerRow
 * @property {string} event_id
 * @property {string} event
 * @property {string} charge_id
 * @property {string} created of the charge, ISO 8601
 * @property {string} total
 * @property {string} currency
 * @property {string} status
 */

/** @typedef {Pick<LedgerRow, 'event_id' | 'event' | 'charge_id' | 'created' | 'total' | 'currency'>} ExpectedRow */

/** The service's status of a charge that was paid. */
const SHOWN_STATUS = 'authorised';

const decimalsOf = (/** @type {string} */ amount) => amount.split('.')[1]?.length ?? 0;
const minorOf = (/** @type {string} */ amount) => BigInt(amount.replace('.', ''));

/**
 * @param {Charge} charge
 * @returns {string[]} what had been refunded in all after each refund
 */
function refundTotals({ refunds, total }) {
	const decimals = decimalsOf(total);
	let sum = 0n;
	return refunds.map(({ amount }) => {
		sum += minorOf(amount);
		const digits = String(sum).padStart(decimals + 1, '0');
		return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
	});
}

/**
 * @typedef {object} Truth
 * @property {ExpectedRow[]} rows those that must be there
 * @property {Set<string>} earlier event_ids that may be there: refunds before the trigger began, of several of one charge
 *   it tells the last one
 * @property {Map<string, string>} lastStatuses of the charges that changed it
 * @property {(id: string, status: string) => boolean} hadStatus whether a charge ever had it
 */

/**
 * @param {Charge[]} charges all that the service holds
 * @param {Storm} storm
 * @returns {Truth}
 */
export function truthOf(charges, { since, arrived, statuses }) {
	const all = charges.flatMap((charge) => {
		const { id: charge_id, created, total, currency, refunds } = charge;
		const row = (/** @type {string} */ event, /** @type {string} */ rest) => ({
			event_id: `${event}:${charge_id}${rest}`,
			...{ event, charge_id, created, total, currency },
		});
		const sums = refundTotals(charge);
		return [
			{ row: row('charge.created', ''), isEarlier: false },
			...refunds.map((refund, index) => ({
				row: row('charge.refunded', `:${sums[index]}`),
				isEarlier: Date.parse(refund.created) < since,
			})),
		];
	});
	const earlier = all.filter(({ isEarlier }) => isEarlier).map(({ row }) => row.event_id);
	const now = new Map(charges.map(({ id, status }) => [id, status]));
	return {
		rows: all.filter(({ isEarlier }) => !isEarlier).map(({ row }) => row),
		earlier: new Set(earlier),
		lastStatuses: new Map([...statuses.keys()].map((id) => [id, now.get(id) ?? ''])),
		hadStatus: (id, status) =>
			now.get(id) === status ||
			(statuses.get(id) ?? []).includes(status) ||
			// Each one began so.
			(status === SHOWN_STATUS && (arrived.has(id) || statuses.has(id))),
	};
}

/**
 * @param {Truth} truth
 * @param {LedgerRow[]} ledger
 * @returns {{ missing: string[], repeated: string[], wrong: string[], unknown: string[] }} event_ids: that are not there,
 *   that are there more than once, whose row differs from the truth, and of what never happened
 */
export function compare({ rows, earlier, lastStatuses, hadStatus }, ledger) {
	/** @type {Map<string, LedgerRow[]>} */
	const byId = new Map();
	for (const row of ledger) byId.set(row.event_id, [...(byId.get(row.event_id) ?? []), row]);
	const missing = [];
	const wrong = [];
	for (const expected of rows) {
		const [row] = byId.get(expected.event_id) ?? [];
		if (row === undefined) missing.push(expected.event_id);
		else if (!isSame(expected, row)) wrong.push(expected.event_id);
	}
	for (const [id, status] of lastStatuses) {
		const eventId = `charge.statusChanged:${id}:${status}`;
		// A charge that was first seen with its last status never changed it, as far as anybody could see.
		const [created] = byId.get(`charge.created:${id}`) ?? [];
		if (!byId.has(eventId) && created?.status !== status) missing.push(eventId);
	}
	const repeated = [...byId].filter(([, found]) => found.length > 1).map(([eventId]) => eventId);
	const happened = new Set(rows.map(({ event_id }) => event_id));
	const unknown = ledger
		.filter(({ event, event_id, charge_id, status }) =>
			event === 'charge.statusChanged'
				? event_id !== `${event}:${charge_id}:${status}` || !hadStatus(charge_id, status)
				: !happened.has(event_id) && !earlier.has(event_id),
		)
		.map(({ event_id }) => event_id);
	return { missing, repeated, wrong, unknown };
}

/**
 * @param {ExpectedRow} expected
 * @param {LedgerRow} row
 */
function isSame(expected, row) {
	return (
		row.event === expected.event &&
		row.charge_id === expected.charge_id &&
		row.currency === expected.currency &&
		minorOf(row.total) === minorOf(expected.total) &&
		Date.parse(row.created) === Date.parse(expected.created)
	);
}

/**
 * A comparison that finds nothing proves nothing unless it would have: takes a row away, repeats one, changes one and
 * makes one up.
 *
 * @param {Truth} truth
 * @param {LedgerRow[]} ledger that is right, or nothing can be said
 * @throws {Error} when the comparison does not notice
 */
export function tryComparison(truth, ledger) {
	const [first, second, third] = truth.rows.map(({ event_id }) =>
		ledger.find((row) => row.event_id === event_id),
	);
	if (first === undefined || second === undefined || third === undefined) return;
	const madeUp = { ...first, event_id: 'charge.created:nobody', charge_id: 'nobody' };
	const changed = { ...third, total: '0.01' };
	const others = ledger.filter((row) => row !== first && row !== third);
	const found = compare(truth, [...others, second, changed, madeUp]);
	const isNoticed =
		found.missing.includes(first.event_id) &&
		found.repeated.includes(second.event_id) &&
		found.wrong.includes(third.event_id) &&
		found.unknown.includes(madeUp.event_id);
	if (!isNoticed) throw new Error(`The comparison is blind: ${JSON.stringify(found)}`);
}
