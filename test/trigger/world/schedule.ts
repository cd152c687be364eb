import type { CreatedEventName, EventName } from '../../../nodes/shared/records/recordEvents';
import type { Fault } from './service/answers';
import { PLAIN_TRAITS, type Traits } from './service/traits';
import { HOUR_MS, START_MS } from './time';

export const FROM_DATE_MS = START_MS - 2 * HOUR_MS;

/** With the latter the list is one of customers: it is modelled as one of charges that never change. */
export const createdEventOf = ({ events }: Settings): CreatedEventName =>
	events.includes('customer.created') ? 'customer.created' : 'charge.created';

/** The trigger's filters; what is absent filters nothing. */
export interface Filters {
	readonly currency?: 'EUR' | 'USD';
	readonly customerId?: string;
	readonly type?: 'link' | 'charge';
	/** The Status filter, which the trigger itself applies. */
	readonly statuses?: readonly string[];
}

/** What the user has chosen. */
export interface Settings {
	readonly events: readonly EventName[];
	readonly filters: Filters;
	/** A date is FROM_DATE_MS. */
	readonly startFrom: 'now' | 'beginning' | 'date';
	readonly lookbackMinutes: number;
	readonly maxCharges: number;
	readonly watchDays: number;
	readonly sweepPages: number;
}

/** Something that happens in the service. `pick` counts from the charge that came in last. */
export type Change =
	/** Charges come in, created over the last seconds. */
	| {
			readonly do: 'arrive';
			readonly count: number;
			readonly lateS?: number;
			readonly status?: string;
	  }
	| { readonly do: 'future'; readonly aheadS: number }
	/** One comes in that nobody can read until `mend`. */
	| { readonly do: 'unreadable'; readonly defect: Defect }
	| { readonly do: 'mend' }
	/** Each page that holds it fails until `cure`. */
	| { readonly do: 'poison'; readonly pick: number }
	| { readonly do: 'cure' }
	/** The list's count is this number until so many polls have begun. */
	| { readonly do: 'miscount'; readonly count: number; readonly polls: number }
	/** It is refunded, and all else happens that is in LATER. */
	| { readonly do: 'refund'; readonly pick: number }
	/** It moves on to its next status. */
	| { readonly do: 'status'; readonly pick: number }
	/** So many move on at once, as when a day is settled. */
	| { readonly do: 'settle'; readonly pick: number; readonly count: number }
	/** Some other field changes. */
	| { readonly do: 'touch'; readonly pick: number };

export type Defect =
	| 'createdNull'
	| 'createdText'
	| 'noId'
	| 'noRecord'
	/** Of these, only what happens to the charge can't be read. */
	| 'noStatus'
	| 'noRefundTotal';

/**
 * `crash`: n8n dies after the execution has begun and before it has saved (durable: before it has committed both).
 * `discarded`: n8n throws a durable result away after `poll()` has returned it. `overlap`: two polls run at once.
 * `pair`: two durable ticks hold the same cursor, one after the other.
 */
export type Fate = 'kept' | 'crash' | 'discarded' | 'overlap' | 'pair';

export type Step =
	| Change
	| {
			readonly do: 'poll';
			readonly waitS: number;
			readonly faults?: readonly Fault[];
			/** What happens after the n-th answer. */
			readonly during?: ReadonlyArray<readonly [request: number, change: Change]>;
			readonly fate?: Fate;
	  }
	/** n8n ends and starts. */
	| { readonly do: 'restart'; readonly faults?: readonly Fault[] }
	/** The user publishes the workflow again as it is. */
	| { readonly do: 'publish'; readonly faults?: readonly Fault[] }
	/** The node gets another name, of two. */
	| { readonly do: 'rename' }
	| { readonly do: 'filters'; readonly filters: Filters }
	/** The same account with a new key or under a new address. */
	| { readonly do: 'renew'; readonly what: 'key' | 'baseUrl' }
	/** The state comes to another workflow by an import, or to a new node of the same name. */
	| { readonly do: 'handOver'; readonly to: 'workflow' | 'node' }
	/** For so long nothing polls. */
	| { readonly do: 'pause'; readonly waitS: number }
	/** The credential is that of another account from now on, with so many charges of its own. */
	| { readonly do: 'account'; readonly count: number }
	/** What is stored is damaged, and n8n starts. */
	| { readonly do: 'damage'; readonly how: Damage; readonly seed: number }
	/** A second registration over a former save polls along, or leaves. */
	| { readonly do: 'second' }
	/** n8n's clock is ahead of the service's by so much from now on, or for one poll. */
	| { readonly do: 'clock' | 'jump'; readonly errorS: number }
	/** Answers take so long from now on. */
	| { readonly do: 'latency'; readonly ms: number };

export type Damage = 'value' | 'field' | 'version' | 'emptied';

/** A life of a trigger: plain data, so that one can be kept as JSON. */
export interface Schedule {
	readonly traits: Traits;
	readonly settings: Settings;
	readonly isDurable: boolean;
	/** n8n's scheduler runs the ticks, without durable cursors. */
	readonly isScheduled: boolean;
	readonly hostErrorS: number;
	/** So many keys of charges are remembered; 0 for as many as usual. */
	readonly keys: number;
	/** Charges that are there before the trigger begins. */
	readonly history: {
		readonly count: number;
		readonly gapS: number;
		/** One more is dated so far ahead. */
		readonly aheadS?: number;
		/** One in three has got another status, and one in four was refunded. */
		readonly isChanged?: boolean;
		/** Each page that holds one in so many fails until `cure`. */
		readonly poisoned?: number | undefined;
		/** At the first poll, the list's count is this number. */
		readonly miscount?: number | undefined;
	};
	/** What goes wrong at the first poll, and what happens after its n-th answer. */
	readonly faults: readonly Fault[];
	readonly during?: ReadonlyArray<readonly [request: number, change: Change]>;
	/** Whether each poll is to be as cheap as law 6 says. */
	readonly isCheap: boolean;
	/** Whether the service stays as slow as it is to the end. */
	readonly isSlow: boolean;
	readonly steps: readonly Step[];
}

export const PLAIN_SETTINGS: Settings = {
	events: ['charge.created'],
	filters: {},
	startFrom: 'now',
	lookbackMinutes: 60,
	maxCharges: 5_000,
	watchDays: 30,
	sweepPages: 5,
};

const PLAIN: Schedule = {
	traits: PLAIN_TRAITS,
	settings: PLAIN_SETTINGS,
	isDurable: false,
	isScheduled: false,
	hostErrorS: 0,
	keys: 0,
	history: { count: 0, gapS: 0 },
	faults: [],
	isCheap: false,
	isSlow: false,
	steps: [],
};

/** A schedule as it is kept: what is as usual is left out. */
export type KeptSchedule = Partial<Omit<Schedule, 'traits' | 'settings'>> & {
	readonly traits?: Partial<Traits>;
	readonly settings?: Partial<Settings>;
};

export const complete = ({ traits, settings, ...rest }: KeptSchedule): Schedule => ({
	...PLAIN,
	...rest,
	traits: { ...PLAIN.traits, ...traits },
	settings: { ...PLAIN.settings, ...settings },
});
