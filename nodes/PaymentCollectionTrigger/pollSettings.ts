import type { EventName } from '../shared/charges/chargeEvents';
import type { StatusFilter } from '../shared/charges/statusFilter';
import type { Instant } from '../shared/timestamps';

/** What the user chose, checked. Durations in milliseconds. */
export interface PollSettings {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	/** The filters that are sent, by the service's names. */
	readonly filters: Readonly<Record<string, string>>;
	readonly startFrom: StartFrom;
	/** How late a charge may show in the list and is still told. A round is due every half of it. */
	readonly lookbackMs: number;
	/** Events of one poll at most. */
	readonly maxCharges: number;
	readonly watchMs: number;
	/** Pages that a poll reads at most to look for refunds and changes of status, beside those it reads anyway. */
	readonly sweepPages: number;
}

/** What a trigger that never ran takes for new. */
export type StartFrom =
	| { readonly kind: 'now' }
	| { readonly kind: 'beginning' }
	| { readonly kind: 'date'; readonly date: Instant };

export const watchesStatuses = ({ events, statuses }: PollSettings): boolean =>
	events.has('charge.statusChanged') || statuses.isSet;

/** Whether charges have to be looked at after they were new. */
export const isWatching = (settings: PollSettings): boolean =>
	settings.events.has('charge.refunded') || watchesStatuses(settings);
