import type { IDataObject } from 'n8n-workflow';
import {
	createdEvent,
	inOrder,
	refundedEvent,
	statusEvent,
	type ChargeEvent,
	type EventName,
} from '../../../../shared/charges/chargeEvents';
import { readCharge, type Charge } from '../../../../shared/charges/charge';
import type { StatusFilter } from '../../../../shared/charges/statusFilter';
import type { Instant } from '../../../../shared/timestamps';
import { refundsOf } from './refundStates';

/** What is asked for. */
export interface Wanted {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	readonly since: Instant;
	/** Charges created before it are not looked at. */
	readonly watchedFrom: Instant;
}

export interface Found {
	/** The oldest first, each once. */
	readonly events: ChargeEvent[];
	/** Rows without an id or a time of creation. */
	readonly unreadable: number;
	/** Charges whose refund records don't tell how their refund total came about. */
	readonly unexplained: number;
	/** Charges of which nobody can say whether they got a status of the filter since then, or had it before. */
	readonly undated: number;
}

/**
 * What the trigger would have told since then, from the charges as they are now. Where they don't show when something
 * happened, it is told: an event that is told twice has the same id, one that is not told is lost.
 */
export function eventsSince(rows: readonly IDataObject[], wanted: Wanted): Found {
	const { events, since } = wanted;
	const charges = rows.map(readCharge);
	const readable = charges.filter((charge) => charge !== undefined);
	const told = new Map<string, ChargeEvent>();
	const tell = (event: ChargeEvent): void => {
		if (events.has(event.name) && !told.has(event.id)) told.set(event.id, event);
	};
	let unexplained = 0;
	let undated = 0;
	for (const charge of readable) {
		if (charge.created < wanted.watchedFrom || !wanted.statuses.matches(charge)) continue;
		const isNew = charge.created >= since;
		const gotStatus = gotStatusSince(charge, wanted);
		if (isNew || (gotStatus === true && countsAsCreated(wanted))) tell(createdEvent(charge));
		else if (gotStatus === undefined && countsAsCreated(wanted)) undated += 1;

		const { states, isExplained } = refundsOf(charge);
		for (const state of states) {
			const isLast = state === states.at(-1);
			const isTold = state.at >= since || (isLast && (!isExplained || gotStatus === true));
			if (isTold) tell(refundedEvent(charge, state));
		}
		if (!isExplained) unexplained += 1;

		if (charge.status !== undefined) tell(statusEvent(charge));
	}
	return {
		events: inOrder([...told.values()]),
		unreadable: charges.length - readable.length,
		unexplained: events.has('charge.refunded') ? unexplained : 0,
		undated,
	};
}

/**
 * With a Status filter, the trigger tells a charge as created, and its refunds, when it gets one of the statuses.
 *
 * @returns undefined when nothing says since when the charge has its status
 */
function gotStatusSince({ statusSince }: Charge, { statuses, since }: Wanted): boolean | undefined {
	if (!statuses.isSet) return false;
	return statusSince === undefined ? undefined : statusSince >= since;
}

/** Where changes of status are told as such, getting one of the filter is no creation. */
const countsAsCreated = ({ events }: Wanted): boolean =>
	events.has('charge.created') && !events.has('charge.statusChanged');
