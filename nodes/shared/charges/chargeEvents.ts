import type { IDataObject } from 'n8n-workflow';
import { toItems, type ItemOptions } from '../records/recordItem';
import { keyRemover } from '../redaction/secretTexts';
import type { Instant } from '../timestamps';
import type { Charge } from './charge';

export const EVENT_NAMES = ['charge.created', 'charge.refunded', 'charge.statusChanged'] as const;

export type EventName = (typeof EVENT_NAMES)[number];

export interface ChargeEvent {
	readonly name: EventName;
	/** The same event has the same id wherever it is found, and no other event has it. */
	readonly id: string;
	readonly charge: Charge;
	/** When it happened, as far as the charge tells: events leave in this order. */
	readonly at: Instant;
}

export interface RefundState {
	readonly total: string;
	readonly at: Instant;
}

const chargeEvent = (
	name: EventName,
	charge: Charge,
	at: Instant,
	...state: string[]
): ChargeEvent => ({ name, id: [name, charge.id, ...state].join(':'), charge, at });

export const createdEvent = (charge: Charge): ChargeEvent =>
	chargeEvent('charge.created', charge, charge.created);

/** The refunds of a charge as one, as it shows them now. */
export const presentRefund = (charge: Charge): RefundState => ({
	total: charge.refundTotal ?? '',
	at: charge.refundedAt ?? charge.created,
});

export const refundedEvent = (charge: Charge, { total, at } = presentRefund(charge)): ChargeEvent =>
	chargeEvent('charge.refunded', charge, at, total);

export const statusEvent = (charge: Charge): ChargeEvent =>
	chargeEvent(
		'charge.statusChanged',
		charge,
		charge.statusSince ?? charge.created,
		charge.status ?? '',
	);

/** Negative when `one` comes before `other`, 0 when they are the same. */
export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

/** Oldest first; what one charge went through at one time in the order of the names. */
export function inOrder(events: readonly ChargeEvent[]): ChargeEvent[] {
	return [...events].sort(
		(one, other) =>
			compareTexts(one.at, other.at) ||
			compareTexts(one.charge.id, other.charge.id) ||
			compareTexts(one.name, other.name),
	);
}

/** What leaves a node: `event` and `event_id`, then the charge's fields without secrets. */
export function eventItem(
	{ name, id }: { name: string; id: string },
	record: IDataObject,
	options: ItemOptions,
): IDataObject {
	const own = { event: name, event_id: keyRemover(options.apiKey)(id) };
	// The second time for a charge that has fields of these names itself.
	return { ...own, ...toItems([record], options)[0], ...own };
}
