import type { IDataObject } from 'n8n-workflow';
import type { Charge, Listed } from './charge';
import { keyRemover } from '../redaction/secretTexts';
import type { Instant } from '../timestamps';
import { toItems, type ItemOptions } from './recordItem';

export const CHARGE_EVENTS = ['charge.created', 'charge.refunded', 'charge.statusChanged'] as const;

export type ChargeEventName = (typeof CHARGE_EVENTS)[number];

export type CreatedEventName = 'charge.created' | 'customer.created';

export type EventName = ChargeEventName | CreatedEventName;

/** Something that happened to a charge or a customer. */
export interface RecordEvent {
	readonly name: EventName;
	/** The same event has the same id wherever it is found, and no other event has it. */
	readonly id: string;
	readonly of: Listed;
	/** When it happened, as far as the record shows: events leave in this order. */
	readonly at: Instant;
}

export interface RefundState {
	readonly total: string;
	readonly at: Instant;
}

const recordEvent = (
	name: EventName,
	of: Listed,
	at: Instant,
	...state: string[]
): RecordEvent => ({ name, id: [name, of.id, ...state].join(':'), of, at });

export const createdEvent = (name: CreatedEventName, listed: Listed): RecordEvent =>
	recordEvent(name, listed, listed.created);

/** The refunds of a charge as one, as it shows them now. */
export const presentRefund = (charge: Charge): RefundState => ({
	total: charge.refundTotal ?? '',
	at: charge.refundedAt ?? charge.created,
});

export const refundedEvent = (charge: Charge, { total, at } = presentRefund(charge)): RecordEvent =>
	recordEvent('charge.refunded', charge, at, total);

export const statusEvent = (charge: Charge): RecordEvent =>
	recordEvent(
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

/** Oldest first; what one record went through at one time in the order of the names. */
export function inOrder(events: readonly RecordEvent[]): RecordEvent[] {
	return [...events].sort(
		(one, other) =>
			compareTexts(one.at, other.at) ||
			compareTexts(one.of.id, other.of.id) ||
			compareTexts(one.name, other.name),
	);
}

/** What leaves a node: `event` and `event_id`, then the record's fields without secrets. */
export function eventItem({ name, id, of }: RecordEvent, options: ItemOptions): IDataObject {
	const own = { event: name, event_id: keyRemover(options.apiKey)(id) };
	// The second time for a record that has fields of these names itself.
	return { ...own, ...toItems([of.record], options)[0], ...own };
}
