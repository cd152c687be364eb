import type { IDataObject } from 'n8n-workflow';
import type { Charge, Listed } from './charge';
import {
	CHARGE_EVENTS,
	isWatched,
	type ChargeEventName,
	type ChargeState,
	type WatchedEventName,
} from './chargeEvents';
import { keyRemover } from '../redaction/secretTexts';
import type { Instant } from '../timestamps';
import { compareTexts, plainText } from '../values';
import { newlyRefunded, type SeenRefunds } from './refunds';
import { toItems, type ItemOptions } from './recordItem';

export type CreatedEventName = 'charge.created' | 'customer.created';

export type EventName = ChargeEventName | CreatedEventName;

export interface RecordEvent {
	readonly name: EventName;
	/** The same in both nodes, and unique to this event. */
	readonly id: string;
	readonly listed: Listed;
	/** When it happened, as far as the record shows. */
	readonly at: Instant;
	/** Added to `refund_total` by this event; null if the charge doesn't show it. Only events of refunds have it. */
	readonly refundedAmount?: string | null;
}

export const createdEvent = (name: CreatedEventName, listed: Listed): RecordEvent => ({
	name,
	id: `${name}:${listed.id}`,
	listed,
	at: listed.created,
});

/** @param seen refunds that were emitted before; by default, all earlier ones */
export function stateEvent(
	name: WatchedEventName,
	charge: Charge,
	{ text, at = charge.created, amount }: ChargeState,
	seen: SeenRefunds = { has: () => true, count: 0 },
): RecordEvent {
	const event = { name, id: `${name}:${charge.id}:${text}`, listed: charge, at };
	if (name !== 'charge.refunded') return event;
	return { ...event, refundedAmount: amount === undefined ? newlyRefunded(charge, seen) : amount };
}

/** Returns, for each name, the event of the newest charge that has had it, or a sample if none has; without charges, nothing. */
export function testEvents(names: Iterable<EventName>, newestFirst: readonly Charge[]) {
	const [newest] = newestFirst;
	return newest ? [...names].map((name) => testEvent(name, newest, newestFirst)) : [];
}

function testEvent(name: EventName, newest: Charge, newestFirst: readonly Charge[]): RecordEvent {
	if (!isWatched(name)) return createdEvent(name, newest);
	for (const charge of newestFirst) {
		const state = CHARGE_EVENTS[name].watched.stateOf(charge);
		if (state !== undefined) return stateEvent(name, charge, state);
	}
	// A sample of a refund shows the charge as refunded in full.
	const amount = plainText(newest.record['total']);
	const changed = name === 'charge.refunded' ? { refund_total: amount } : {};
	const charge = { ...newest, record: { ...newest.record, ...changed } };
	return stateEvent(name, charge, { text: 'sample', at: undefined, amount });
}

/** The oldest first; a record's events of one moment by their names. */
export function inOrder(events: readonly RecordEvent[]): RecordEvent[] {
	return [...events].sort(
		(one, other) =>
			compareTexts(one.at, other.at) ||
			compareTexts(one.listed.id, other.listed.id) ||
			compareTexts(one.name, other.name),
	);
}

/** The output: `event`, the record's fields without secrets, then `event_id`. */
export function eventItem(
	{ name, id, listed, refundedAmount }: RecordEvent,
	options: ItemOptions,
): IDataObject {
	const refunded = refundedAmount === undefined ? {} : { refunded_amount: refundedAmount };
	const own = { event: name, ...refunded };
	// Once more at the end, in case the record has fields of these names.
	const item: IDataObject = { ...own, ...toItems([listed.record], options)[0], ...own };
	delete item['event_id'];
	return { ...item, event_id: keyRemover(options.apiKey)(id) };
}
