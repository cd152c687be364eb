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
}

export const createdEvent = (name: CreatedEventName, of: Listed): RecordEvent => ({
	name,
	id: `${name}:${of.id}`,
	of,
	at: of.created,
});

export const stateEvent = (
	name: WatchedEventName,
	of: Charge,
	{ text, at = of.created }: ChargeState,
): RecordEvent => ({ name, id: `${name}:${of.id}:${text}`, of, at });

/** Undefined if it has not happened yet. */
export function presentEvent(name: EventName, of: Charge): RecordEvent | undefined {
	if (!isWatched(name)) return createdEvent(name, of);
	const state = CHARGE_EVENTS[name].watched.stateOf(of);
	return state && stateEvent(name, of, state);
}

export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
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

/** The output: `event` and `event_id`, then the record's fields without secrets. */
export function eventItem({ name, id, of }: RecordEvent, options: ItemOptions): IDataObject {
	const own = { event: name, event_id: keyRemover(options.apiKey)(id) };
	// Once more at the end, in case the record has fields of these names.
	return { ...own, ...toItems([of.record], options)[0], ...own };
}
