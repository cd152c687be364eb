import type { Fault } from '../service/answers';
import type { Defect } from '../service/charge';
import type { Order, ServiceTraits } from '../service/traits';
import type { Choice, Filters, TriggerSettings, Tuning } from '../userChoices';

/** Something that happens in the service. Everything in a schedule is plain data, so that it can be kept as JSON. */
export type Change =
	/** Charges come in, created over the last milliseconds. */
	| {
			readonly kind: 'arrive';
			readonly count: number;
			readonly spreadMs: number;
			readonly status: string;
	  }
	/** Charges of one timestamp. */
	| { readonly kind: 'mass'; readonly count: number }
	| { readonly kind: 'late'; readonly agoMs: number }
	| { readonly kind: 'future'; readonly aheadMs: number }
	| { readonly kind: 'endOfTime' }
	| { readonly kind: 'unreadable'; readonly defect: Defect }
	| { readonly kind: 'spoil'; readonly pick: number; readonly defect: Defect }
	| { readonly kind: 'mend' }
	| { readonly kind: 'remove'; readonly pick: number }
	| { readonly kind: 'hide'; readonly pick: number }
	| { readonly kind: 'show' }
	/** `created` says something else. */
	| { readonly kind: 'move'; readonly pick: number; readonly byMs: number }
	/** Some other field changes. */
	| { readonly kind: 'touch'; readonly pick: number }
	| { readonly kind: 'refund'; readonly pick: number; readonly cents: number }
	/** The last refund is taken back. */
	| { readonly kind: 'void'; readonly pick: number }
	| { readonly kind: 'status'; readonly pick: number; readonly status: string }
	| { readonly kind: 'poison'; readonly pick: number }
	| { readonly kind: 'cure' }
	| { readonly kind: 'reorder'; readonly order: Order }
	/** The list keeps its order from now on. */
	| { readonly kind: 'settle' };

/** After the n-th answer of a poll. */
export type Meanwhile = readonly [request: number, change: Change];

export type Step =
	| { readonly kind: 'change'; readonly changes: readonly Change[] }
	| {
			readonly kind: 'poll';
			readonly waitMs: number;
			readonly faults: readonly Fault[];
			readonly meanwhile: readonly Meanwhile[];
			readonly fate: PollFate;
			/** Of the publish after it, where it is `unpublished`. */
			readonly faultsAfter?: readonly Fault[];
	  }
	/** n8n ends and starts. */
	| { readonly kind: 'restart'; readonly faults?: readonly Fault[] }
	/** The user publishes the workflow again as it is. */
	| { readonly kind: 'publish'; readonly faults?: readonly Fault[] }
	/** The node gets another name, of two, and the workflow is published. */
	| { readonly kind: 'rename' }
	| { readonly kind: 'filters'; readonly filters: Filters }
	/** The options that say how much is read and told, and the workflow is published. */
	| { readonly kind: 'tune'; readonly options: Tuning }
	/** What is told, and of which charges, and the workflow is published. */
	| { readonly kind: 'choose'; readonly choice: Partial<Choice> }
	/** The account gets another key, of two. */
	| { readonly kind: 'renew' }
	/** The same, and the node gets another name, before the workflow is published. */
	| { readonly kind: 'renameAndRenew' }
	/** The other account’s key, while requests fail, and this one’s again. */
	| { readonly kind: 'visit'; readonly faults: readonly Fault[] }
	/** Another account's key, of two. */
	| { readonly kind: 'account' }
	/** The saved state is put back to an older one, and n8n starts. */
	| { readonly kind: 'rollback'; readonly saves: number }
	/** The saved state is damaged, and n8n starts, or the workflow is published. */
	| { readonly kind: 'damage'; readonly how: Damage; readonly restarts: boolean }
	/** A second registration with an older save is there, or goes. */
	| { readonly kind: 'second'; readonly saves: number }
	| { readonly kind: 'hostClock'; readonly errorMs: number };

/**
 * `lost`: the result is thrown away (durable), or n8n dies before it has saved. `overlap`: two polls run at once.
 * `pair`: two ticks are due in the same second (durable, else as `overlap`).
 * `unpublished`: the user unpublishes the workflow meanwhile, so that the result is thrown away, and publishes it again.
 */
export type PollFate = 'kept' | 'lost' | 'overlap' | 'pair' | 'unpublished';

export type Damage = 'nines' | 'nulls' | 'cut' | 'text' | 'swapped';

/** A life of a trigger. */
export interface Schedule {
	readonly traits: ServiceTraits;
	readonly trigger: TriggerSettings;
	readonly isDurable: boolean;
	readonly hostErrorMs: number;
	readonly history: { readonly count: number; readonly gapMs: number };
	/** What goes wrong at the first poll. */
	readonly firstFaults: readonly Fault[];
	readonly steps: readonly Step[];
	/** So many charges of different seconds are remembered at most; absent for as many as the trigger usually does. */
	readonly keysKept?: number;
}
