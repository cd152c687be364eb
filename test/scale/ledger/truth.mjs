/**
 * What the service holds at the end, as a ledger of it must have it, and the comparison of the two.
 */

/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */
/** @typedef {import('../load/storm.mjs').Storm} Storm */

/**
 * An event as the ledger holds it; amounts are decimal text, times ISO 8601.
 *
 * @typedef {object} EventRow
 * @property {string} event_id
 * @property {string} event
 * @property {string} charge_id
 * @property {string} created of the charge
 * @property {string} total
 * @property {string} currency
 * @property {string} status
 *
 * @typedef {object} Booking money that came or went, as the ledger's view shows it
 * @property {string} kind
 * @property {string} charge_id
 * @property {string} booked_at
 * @property {string} amount
 *
 * @typedef {{ events: EventRow[], bookings: Booking[] }} Ledger
 *
 * @typedef {Omit<EventRow, 'status'>} ExpectedEvent
 */

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
 * @property {ExpectedEvent[]} events those that must be there: each charge, and what is refunded of it in the end
 * @property {Set<string>} passing event_ids that may be there: what was refunded in between. The trigger tells it if it
 *   looked in that moment; what it did not see stands in the refunds of a later event, and so among the bookings
 * @property {Booking[]} bookings each charge and each single refund
 * @property {Map<string, string>} lastStatuses of the charges that changed it
 * @property {(id: string, status: string) => boolean} hadStatus whether a charge ever had it
 */

/**
 * @param {Charge[]} charges all that the service holds
 * @param {Storm} storm
 * @returns {Truth}
 */
export function truthOf(charges, { arrived, statuses }) {
	const events = [];
	const bookings = [];
	const passing = new Set();
	for (const charge of charges) {
		const { id: charge_id, created, total, currency, refunds } = charge;
		const known = { charge_id, created, total, currency };
		events.push({ event_id: `charge.created:${charge_id}`, event: 'charge.created', ...known });
		bookings.push({ kind: 'charge', charge_id, booked_at: created, amount: total });
		for (const refund of refunds)
			bookings.push({
				...{ kind: 'refund', charge_id, booked_at: refund.created, amount: `-${refund.amount}` },
			});
		const ids = refundTotals(charge).map((sum) => `charge.refunded:${charge_id}:${sum}`);
		const last = ids.pop();
		if (last !== undefined) events.push({ event_id: last, event: 'charge.refunded', ...known });
		for (const id of ids) passing.add(id);
	}
	const now = new Map(charges.map(({ id, status }) => [id, status]));
	return {
		events,
		passing,
		bookings,
		lastStatuses: new Map([...statuses.keys()].map((id) => [id, now.get(id) ?? ''])),
		hadStatus: (id, status) =>
			now.get(id) === status ||
			(statuses.get(id) ?? []).includes(status) ||
			// Each one began so.
			(status === SHOWN_STATUS && (arrived.has(id) || statuses.has(id))),
	};
}

const bookingKey = (/** @type {Booking} */ { kind, charge_id, booked_at, amount }) =>
	[kind, charge_id, new Date(booked_at).toISOString(), minorOf(amount)].join(' ');

/**
 * @typedef {object} Comparison
 * @property {string[]} missing event_ids and bookings that are not there
 * @property {string[]} repeated those that are there more often than they should be
 * @property {string[]} wrong event_ids whose row differs from the truth
 * @property {string[]} unknown event_ids and bookings of what never happened
 */

/**
 * @param {Truth} truth
 * @param {Ledger} ledger
 * @returns {Comparison}
 */
export function compare({ events, passing, bookings, lastStatuses, hadStatus }, ledger) {
	/** @type {Comparison} */
	const found = { missing: [], repeated: [], wrong: [], unknown: [] };
	const rowsById = groupBy(ledger.events, ({ event_id }) => event_id);
	for (const expected of events) {
		const [row] = rowsById.get(expected.event_id) ?? [];
		if (row === undefined) found.missing.push(expected.event_id);
		else if (!isSame(expected, row)) found.wrong.push(expected.event_id);
	}
	const rowsByCharge = groupBy(ledger.events, ({ charge_id }) => charge_id);
	for (const [id, status] of lastStatuses) {
		// Whatever event shows it.
		const isThere = rowsByCharge.get(id)?.some((row) => row.status === status);
		if (!isThere) found.missing.push(`charge.statusChanged:${id}:${status}`);
	}
	for (const [id, rows] of rowsById) if (rows.length > 1) found.repeated.push(id);
	const happened = new Set(events.map(({ event_id }) => event_id));
	for (const { event, event_id, charge_id, status } of ledger.events) {
		const isKnown =
			event === 'charge.statusChanged'
				? event_id === `${event}:${charge_id}:${status}` && hadStatus(charge_id, status)
				: happened.has(event_id) || passing.has(event_id);
		if (!isKnown) found.unknown.push(event_id);
	}

	const expectedBookings = groupBy(bookings, bookingKey);
	const presentBookings = groupBy(ledger.bookings, bookingKey);
	for (const [key, wanted] of expectedBookings) {
		const count = presentBookings.get(key)?.length ?? 0;
		if (count < wanted.length) found.missing.push(key);
		if (count > wanted.length) found.repeated.push(key);
	}
	for (const key of presentBookings.keys()) if (!expectedBookings.has(key)) found.unknown.push(key);
	return found;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(each: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
function groupBy(list, keyOf) {
	/** @type {Map<string, T[]>} */
	const groups = new Map();
	for (const each of list) {
		const group = groups.get(keyOf(each));
		if (group === undefined) groups.set(keyOf(each), [each]);
		else group.push(each);
	}
	return groups;
}

/**
 * @param {ExpectedEvent} expected
 * @param {EventRow} row
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
 * A comparison that finds nothing proves nothing unless it would have: takes an event and a booking away, repeats some,
 * changes one and makes one up.
 *
 * @param {Truth} truth
 * @param {Ledger} ledger that is right, or nothing can be said
 * @throws {Error} when the comparison does not notice
 */
export function tryComparison(truth, { events, bookings }) {
	const [first, second, third] = truth.events.map(({ event_id }) =>
		events.find((row) => row.event_id === event_id),
	);
	const [booking, otherBooking] = bookings;
	if (!first || !second || !third || !booking || !otherBooking) return;
	const madeUp = { ...first, event_id: 'charge.created:nobody', charge_id: 'nobody' };
	const changed = { ...third, total: '0.01' };
	const others = events.filter((row) => row !== first && row !== third);
	const found = compare(truth, {
		events: [...others, second, changed, madeUp],
		bookings: [...bookings.slice(1), otherBooking],
	});
	const isNoticed =
		found.missing.includes(first.event_id) &&
		found.missing.includes(bookingKey(booking)) &&
		found.repeated.includes(second.event_id) &&
		found.repeated.includes(bookingKey(otherBooking)) &&
		found.wrong.includes(third.event_id) &&
		found.unknown.includes(madeUp.event_id);
	if (!isNoticed) throw new Error(`The comparison is blind: ${JSON.stringify(found)}`);
}
