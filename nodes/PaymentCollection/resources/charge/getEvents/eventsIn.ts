import type { IDataObject } from 'n8n-workflow';
import {
	CHARGE_EVENTS,
	WATCHED_EVENTS,
	type ChargeState,
	type WatchedEventName,
} from '../../../../shared/records/chargeEvents';
import {
	createdEvent,
	inOrder,
	stateEvent,
	type EventName,
	type RecordEvent,
} from '../../../../shared/records/recordEvents';
import { readCharge, type Charge, type StatusFilter } from '../../../../shared/records/charge';
import { refundStates } from '../../../../shared/records/refunds';
import { latest, type Instant } from '../../../../shared/timestamps';

export interface Wanted {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	/** Start of the period, inclusive. */
	readonly since: Instant;
	/** End of the period, exclusive. */
	readonly until: Instant | undefined;
	/** Charges created before are skipped. */
	readonly watchedFrom: Instant;
}

/** Chooses charges while their list is read. */
export class Selection {
	/** Skipped charges older than the watched days may have had a wanted event in the period. */
	hasSkipped = false;

	constructor(private readonly wanted: Wanted) {}

	readonly takes = (row: IDataObject): boolean => {
		const { statuses, until, watchedFrom } = this.wanted;
		const charge = readCharge(row);
		// Kept for the warning.
		if (charge === undefined) return true;
		if (!statuses.matches(charge) || !isBefore(charge.created, until)) return false;
		const isOlder = charge.created < watchedFrom;
		this.hasSkipped ||= isOlder && this.mayHaveChanged(charge);
		return !isOlder;
	};

	private mayHaveChanged(charge: Charge): boolean {
		const { events, since } = this.wanted;
		return WATCHED_EVENTS.filter((name) => events.has(name)).some((name) =>
			statesIn(name, charge, this.wanted).some(
				({ at = since, amount }) => amount === null || at >= since,
			),
		);
	}
}

const isBefore = (at: Instant, until: Instant | undefined): boolean =>
	until === undefined || at < until;

const isInPeriod = (at: Instant, { since, until }: Wanted): boolean =>
	at >= since && isBefore(at, until);

/**
 * Finds the events of the period in the charges as they are now. If a charge does not show when something happened, the event
 * is returned: a repeated event has the same ID, but a missing one is lost.
 *
 * @param rows chosen by a {@link Selection}
 * @returns events, the oldest first and each once, with warnings of what can't be returned
 */
export function eventsIn(rows: readonly IDataObject[], wanted: Wanted) {
	const { events, statuses } = wanted;
	const charges = rows.map(readCharge);
	const readable = charges.filter((charge) => charge !== undefined);
	const found = new Map<string, RecordEvent>();
	const add = (event: RecordEvent): void => {
		if (events.has(event.name) && !found.has(event.id)) found.set(event.id, event);
	};
	let unexplained = 0;
	let undated = 0;
	// A charge counts as created when it got a status of the filter, unless changes of status are returned themselves.
	const countsWithStatus = statuses.isSet && !events.has('charge.statusChanged');
	for (const charge of readable) {
		const { created, statusSince } = charge;
		const createdAt = countsWithStatus ? latest(created, statusSince ?? created) : created;
		if (isInPeriod(createdAt, wanted)) add(createdEvent('charge.created', charge));
		else if (countsWithStatus && statusSince === undefined) undated += 1;

		if (refundStates(charge) === undefined) unexplained += 1;
		for (const name of WATCHED_EVENTS) {
			for (const state of statesIn(name, charge, wanted)) add(stateEvent(name, charge, state));
		}
	}
	const unreadable = charges.length - readable.length;
	const warnings = [
		unreadable > 0 &&
			`Charges without a readable ID or creation time: ${unreadable}. No events are returned for them.`,
		unexplained > 0 &&
			events.has('charge.refunded') &&
			`Charges whose refund records can’t be read or don’t add up to refund_total: ${unexplained}. For each of them, only the current refund total is returned, no matter when it was refunded.`,
		undated > 0 &&
			events.has('charge.created') &&
			`Charges created before 'Since' that match the 'Status' filter, but don’t show since when: ${undated}. To include them, add the event 'Charge Status Changed'.`,
	];
	return {
		events: inOrder([...found.values()]),
		warnings: warnings.filter((text) => text !== false),
	};
}

function statesIn(name: WatchedEventName, charge: Charge, wanted: Wanted): ChargeState[] {
	if (name === 'charge.refunded') return refundsIn(charge, wanted);
	const state = CHARGE_EVENTS[name].watched.stateOf(charge);
	// One from before Since is returned: the charge may not show when it began.
	return state && isBefore(state.at ?? charge.created, wanted.until) ? [state] : [];
}

/**
 * The states of the refunded amount in the period. With a Status filter, the last one begins when the charge got one of the
 * statuses. If the refund records don't add up to `refund_total`, only that total is returned, whenever it was reached.
 */
function refundsIn(charge: Charge, wanted: Wanted): ChargeState[] {
	const states = refundStates(charge);
	if (states === undefined) {
		const present = CHARGE_EVENTS['charge.refunded'].watched.stateOf(charge);
		return present ? [{ ...present, amount: null }] : [];
	}
	const gotStatus = wanted.statuses.isSet ? charge.statusSince : undefined;
	return states.filter((state) => {
		const { at = charge.created } = state;
		return isInPeriod(state === states.at(-1) ? latest(at, gotStatus ?? at) : at, wanted);
	});
}
