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
import { newlyRefunded } from './refunds';
import { toItems, type ItemOptions } from './recordItem';

export type CreatedEventName = 'charge.created' | 'customer.created';

export type EventName = ChargeEventName | CreatedEventName;

export interface RecordEvent {
	readonly name: EventName;
	/** The same in both nodes, and unique to this event. */
	readonly id: string;
	readonly of: Listed;
	/** When it happened, as far as the record shows. */
	readonly at: Instant;
	/** Added to `refund_total` by this event; null if the charge doesn't show it. Only events of refunds have it. */
	readonly refundedAmount?: string | null;
}

export const createdEvent = (name: CreatedEventName, of: Listed): RecordEvent => ({
	name,
	id: `${name}:${of.id}`,
	of,
	at: of.created,
});

/** @param isKnown whether the node has seen the charge in a state of this text before */
export function stateEvent(
	name: WatchedEventName,
	of: Charge,
	{ text, at = of.created, amount }: ChargeState,
	isKnown: (text: string) => boolean = () => false,
): RecordEvent {
	const event = { name, id: `${name}:${of.id}:${text}`, of, at };
	if (name !== 'charge.refunded') return event;
	return { ...event, refundedAmount: amount === undefined ? newlyRefunded(of, isKnown) : amount };
}

/** Undefined if it has not happened yet. */
function presentEvent(name: EventName, of: Charge): RecordEvent | undefined {
	if (!isWatched(name)) return createdEvent(name, of);
	const state = CHARGE_EVENTS[name].watched.stateOf(of);
	return state && stateEvent(name, of, state);
}

/** The newest event of each kind, or a sample for a kind that none of the charges has had yet. */
export function testEvents(kinds: Iterable<EventName>, newestFirst: readonly Charge[]) {
	const [newest] = newestFirst;
	if (newest === undefined) return [];
	return [...kinds].map(
		(name) =>
			newestFirst.flatMap((charge) => presentEvent(name, charge) ?? [])[0] ??
			sampleEvent(name, newest),
	);
}

/** Shows the charge as refunded in full if the event is a refund. Its ID says that it is a sample. */
function sampleEvent(name: EventName, of: Charge): RecordEvent {
	const sample = { name, id: `${name}:${of.id}:sample`, of, at: of.created };
	if (name !== 'charge.refunded') return sample;
	const refunded = plainText(of.record['total']);
	const record = { ...of.record, refund_total: refunded };
	return { ...sample, of: { ...of, record }, refundedAmount: refunded };
}

/** The oldest first; a record's events of one moment by their names. */
export function inOrder(events: readonly RecordEvent[]): RecordEvent[] {
	return [...events].sort(
		(one, other) =>
			compareTexts(one.at, other.at) ||
			compareTexts(one.of.id, other.of.id) ||
			compareTexts(one.name, other.name),
	);
}

/** The output: `event`, the record's fields without secrets, then `event_id`. */
export function eventItem(
	{ name, id, of, refundedAmount }: RecordEvent,
	options: ItemOptions,
): IDataObject {
	const refunded = refundedAmount === undefined ? {} : { refunded_amount: refundedAmount };
	const own = { event: name, ...refunded };
	// Once more at the end, in case the record has fields of these names.
	const item: IDataObject = { ...own, ...toItems([of.record], options)[0], ...own };
	delete item['event_id'];
	return { ...item, event_id: keyRemover(options.apiKey)(id) };
}
