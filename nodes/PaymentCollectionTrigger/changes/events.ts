import type { INodeExecutionData } from 'n8n-workflow';
import { toChargeItem } from '../../shared/records/recordItem';
import type { ItemOptions } from '../../shared/records/recordItem';
import { keyRemover } from '../../shared/redaction/keyRemover';
import type { ChargeRow } from '../list/chargeRow';
import type { Instant } from '../timestamps';

/** What the trigger tells about. */
export const EVENT_NAMES = ['charge.created', 'charge.refunded', 'charge.statusChanged'] as const;

export type EventName = (typeof EVENT_NAMES)[number];

export interface ChargeEvent {
	readonly name: EventName;
	readonly charge: ChargeRow;
	/** When it happened, as far as the charge tells: events leave in this order. */
	readonly at: Instant;
}

/** The same event has the same id in whichever poll it is found, and no other event has it. */
function eventId({ name, charge }: ChargeEvent): string {
	const { id, refundTotal, status } = charge;
	switch (name) {
		case 'charge.created':
			return `${name}:${id}`;
		case 'charge.refunded':
			return [name, id, refundTotal].join(':');
		case 'charge.statusChanged':
			return `${name}:${id}:${status}`;
	}
}

export const createdEvent = (charge: ChargeRow): ChargeEvent => ({
	name: 'charge.created',
	charge,
	at: charge.created,
});

export const refundedEvent = (charge: ChargeRow): ChargeEvent => ({
	name: 'charge.refunded',
	charge,
	at: charge.refundedAt ?? charge.created,
});

export const statusEvent = (charge: ChargeRow): ChargeEvent => ({
	name: 'charge.statusChanged',
	charge,
	at: charge.statusSince ?? charge.created,
});

/** Negative when `one` comes before `other`, 0 when they are the same. */
function compareTexts(one: string, other: string): number {
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

/** The item that leaves the node: `event` and `event_id`, then the charge's fields without secrets. */
export function toItem(event: ChargeEvent, options: ItemOptions): INodeExecutionData {
	const own = { event: event.name, event_id: keyRemover(options.apiKey)(eventId(event)) };
	// The second time for a charge that has fields of these names itself.
	return { json: { ...own, ...toChargeItem(event.charge.record, options), ...own } };
}
