import type { CreatedEventName, EventName } from '../../../nodes/shared/records/recordEvents';
import type { Fault } from './service/answers';
import { PLAIN_TRAITS, type Traits } from './service/traits';
import { HOUR_MS, START_MS } from './time';

export const FROM_DATE_MS = START_MS - 2 * HOUR_MS;

/** A list of customers is modeled as one of charges that never change. */
export const createdEventOf = ({ events }: Settings): CreatedEventName =>
	events.includes('customer.created') ? 'customer.created' : 'charge.created';

/** The trigger's filters. */
export interface Filters {
	readonly currency?: 'EUR' | 'USD';
	readonly customerId?: string;
	readonly type?: 'link' | 'charge';
	/** Applied by the trigger, not by the service. */
	readonly statuses?: readonly string[];
}

/** The user's settings of the trigger. */
export interface Settings {
	readonly events: readonly EventName[];
	readonly filters: Filters;
	/** `date` is FROM_DATE_MS. */
	readonly startFrom: 'now' | 'beginning' | 'date';
	readonly lookbackMinutes: number;
	readonly maxCharges: number;
	readonly watchDays: number;
	readonly sweepPages: number;
}

/** A change in the service. `pick` counts from the newest charge. */
export type Change =
	/** New charges show, created over the last `lateS` seconds. */
	| {
			readonly do: 'arrive';
			readonly count: number;
			readonly lateS?: number;
			readonly status?: string;
	  }
	| { readonly do: 'future'; readonly aheadS: number }
	/** A new charge can't be read until `mend`. */
	| { readonly do: 'unreadable'; readonly defect: Defect }
	| { readonly do: 'mend' }
	/** Pages with this charge fail until `cure`. */
	| { readonly do: 'poison'; readonly pick: number }
	| { readonly do: 'cure' }
	/** The list's count is this number from now on, until the next `polls` polls have ended. */
	| { readonly do: 'miscount'; readonly count: number; readonly polls: number }
	/** A charge has all changes of LATER, such as a refund. */
	| { readonly do: 'refund'; readonly pick: number }
	/** A charge gets its next status, or several do at once, as when a day is settled. */
	| { readonly do: 'status'; readonly pick: number; readonly count?: number }
	/** Another field of a charge changes. */
	| { readonly do: 'touch'; readonly pick: number };

export type Defect =
	| 'createdNull'
	| 'createdText'
	| 'noId'
	| 'noRecord'
	/** The charge can be read, but not its changes. */
	| 'noStatus'
	| 'noRefundTotal';

/**
 * `crash`: n8n dies before the state is saved; the items are lost as well if each tick has its own context.
 * `overlap`: two polls run at once. The others need ticks with their own contexts: `discarded`: n8n discards a result that
 * `poll()` returned. `pair`: two ticks, one after the other, contain the same state.
 */
export type Fate = 'kept' | 'crash' | 'discarded' | 'overlap' | 'pair';

export type Step =
	| Change
	| {
			readonly do: 'poll';
			readonly waitS: number;
			readonly faults?: readonly Fault[];
			/** Changes after the n-th response. */
			readonly during?: ReadonlyArray<readonly [request: number, change: Change]>;
			readonly fate?: Fate;
	  }
	/** n8n stops and starts. */
	| { readonly do: 'restart'; readonly faults?: readonly Fault[] }
	/** The user publishes the workflow again without changes. */
	| { readonly do: 'publish'; readonly faults?: readonly Fault[] }
	/** The node's name alternates between two. */
	| { readonly do: 'rename' }
	| { readonly do: 'filters'; readonly filters: Filters }
	/** The same account has a new key or base URL. */
	| { readonly do: 'renew'; readonly what: 'key' | 'baseUrl' }
	/** Another workflow gets the state by an import, or a new node of the same name does. */
	| { readonly do: 'handOver'; readonly to: 'workflow' | 'node' }
	/** Nothing polls for this time. */
	| { readonly do: 'pause'; readonly waitS: number }
	/** The credential becomes that of another account with `count` charges. */
	| { readonly do: 'account'; readonly count: number }
	/** The stored state is damaged, and n8n starts. */
	| { readonly do: 'damage'; readonly how: Damage; readonly seed: number }
	/** A second registration with a former save starts or stops polling. */
	| { readonly do: 'second' }
	/** n8n's clock is this far ahead of the service's, from now on or for one poll. */
	| { readonly do: 'clock' | 'jump'; readonly errorS: number }
	/** Responses take this long from now on. */
	| { readonly do: 'latency'; readonly ms: number };

export type Damage = 'field' | 'emptied';

/**
 * All ticks of a `registered` trigger have the context of its activation. n8n's scheduler gives each tick its own, and saves
 * the static data of those with items. `durable` ticks have durable cursors besides.
 */
export type Ticks = 'registered' | 'scheduled' | 'durable';

/** The life of a trigger as plain data, which can be kept as JSON. */
export interface Schedule {
	readonly traits: Traits;
	readonly settings: Settings;
	readonly ticks: Ticks;
	readonly hostErrorS: number;
	/** Number of charges that the trigger can remember; 0 for the usual number. */
	readonly keys: number;
	/** Charges from before the trigger begins. */
	readonly history: {
		readonly count: number;
		readonly gapS: number;
		/** One more charge is dated this far ahead. */
		readonly aheadS?: number;
		/** One in three has a later status, and one in four was refunded. */
		readonly isChanged?: boolean;
		/** Pages with every n-th charge fail until `cure`. */
		readonly poisoned?: number | undefined;
		/** The list's count at the first poll. */
		readonly miscount?: number | undefined;
	};
	/** Failures of the first poll, and changes after its n-th response. */
	readonly faults: readonly Fault[];
	readonly during?: ReadonlyArray<readonly [request: number, change: Change]>;
	/** Checks each poll for the costs of law 6. */
	readonly isCheap: boolean;
	/** Keeps the service slow to the end. */
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
	ticks: 'registered',
	hostErrorS: 0,
	keys: 0,
	history: { count: 0, gapS: 0 },
	faults: [],
	isCheap: false,
	isSlow: false,
	steps: [],
};

/** A schedule without the parts that are as usual. In kept.json, each has a name. */
export type KeptSchedule = Partial<Omit<Schedule, 'traits' | 'settings'>> & {
	readonly name?: string;
	readonly traits?: Partial<Traits>;
	readonly settings?: Partial<Settings>;
};

export const complete = ({ traits, settings, ...rest }: KeptSchedule): Schedule => ({
	...PLAIN,
	...rest,
	traits: { ...PLAIN.traits, ...traits },
	settings: { ...PLAIN.settings, ...settings },
});
