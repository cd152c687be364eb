import { withoutSpareZeros } from '../money';
import type { Instant } from '../timestamps';
import { inLowerCase, readRefunded, type Charge } from './charge';

/** The state of a charge in one respect, such as its status. */
export interface ChargeState {
	/** The status or the refund total: the end of the event's ID. */
	readonly text: string;
	/** Since when, if the charge shows it. */
	readonly at: Instant | undefined;
	/** The amount refunded by its event; null if the charge doesn't show it. */
	readonly amount?: string | null | undefined;
}

/** A property of a charge that the nodes read again and again within Watch Days. */
interface Watched {
	/** The present state. Undefined while nothing has happened yet, or if it can't be read. */
	readonly stateOf: (charge: Charge) => ChargeState | undefined;
	readonly isUnreadable: (charge: Charge) => boolean;
	/** The trigger stores a hash of it as a mark of the state. Never change it: every stored charge would be emitted again. */
	readonly markSource: (text: string) => readonly [kind: string, text: string];
}

interface ChargeEvent {
	readonly title: string;
	/** When the trigger emits it, and when Get Events returns it. */
	readonly description: { readonly trigger: string; readonly getEvents: string };
	/** Undefined for the event of a charge that is new. */
	readonly watched: Watched | undefined;
}

export const DEFAULT_WATCH_DAYS = 30;

/** All events of a charge that the nodes offer. CONTRIBUTING.md (Add an event) names the texts that do not follow from it. */
export const CHARGE_EVENTS = {
	'charge.created': {
		title: 'Charge Created',
		description: {
			trigger: 'A new charge appears in the service’s list, paid or not',
			getEvents: 'A charge was created in the period, paid or not',
		},
		watched: undefined,
	},
	'charge.refunded': {
		title: 'Charge Refunded',
		description: {
			trigger: "A charge within 'Watch Days' was refunded, in full or in part",
			getEvents: "One event for each refund in the period, of charges within 'Watch Days'",
		},
		watched: {
			stateOf: ({ refundTotal: text, refundedAt: at }) =>
				text === undefined ? undefined : { text, at },
			isUnreadable: ({ record }) => readRefunded(record).total === undefined,
			markSource: (total) => ['refund', withoutSpareZeros(total)],
		},
	},
	'charge.statusChanged': {
		title: 'Charge Status Changed',
		description: {
			trigger: "A charge within 'Watch Days' has a status that it did not have before",
			getEvents: "The current status of each charge within 'Watch Days'",
		},
		watched: {
			stateOf: ({ status: text, statusSince: at }) =>
				text === undefined ? undefined : { text, at },
			isUnreadable: ({ status }) => status === undefined,
			markSource: (status) => ['status', inLowerCase(status)],
		},
	},
} as const satisfies Readonly<Record<`charge.${string}`, ChargeEvent>>;

type Events = typeof CHARGE_EVENTS;

export type ChargeEventName = keyof Events;

/** An event that can follow long after the charge was new. */
export type WatchedEventName = {
	[Name in ChargeEventName]: Events[Name]['watched'] extends Watched ? Name : never;
}[ChargeEventName];

/** Sorted as in the editor. */
export const CHARGE_EVENT_NAMES = Object.keys(CHARGE_EVENTS) as ChargeEventName[];

export const WATCHED_EVENTS = CHARGE_EVENT_NAMES.filter(
	(name): name is WatchedEventName => CHARGE_EVENTS[name].watched !== undefined,
);

export const isWatched = (name: string): name is WatchedEventName =>
	WATCHED_EVENTS.some((watched) => watched === name);
