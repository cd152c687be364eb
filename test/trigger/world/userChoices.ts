import type { INodeParameters } from 'n8n-workflow';
import type { ModelCharge } from './service/charge';
import { DAY_MS, MINUTE_MS, START_MS } from './time';

export type EventName = 'charge.created' | 'charge.refunded' | 'charge.statusChanged';

/** Filters whose rows never change their side; null stands for none. */
export interface Filters {
	readonly currency: string | null;
	readonly customerId: string | null;
	readonly type: string | null;
	readonly search: string | null;
}

/** How much is read and told. */
export interface Tuning {
	readonly lookbackMinutes: number;
	readonly maxCharges: number;
	readonly sweepPages: number;
}

/** What is told, and of which charges. */
export interface Choice {
	readonly events: readonly EventName[];
	/** The Status filter; null stands for none. */
	readonly statuses: readonly string[] | null;
	readonly watchDays: number;
}

/** What the user has chosen. */
export interface TriggerSettings extends Tuning, Choice {
	readonly filters: Filters;
	/** A date is that of START_MS. */
	readonly startFrom: 'now' | 'beginning' | 'date';
}

export const NO_FILTERS: Filters = { currency: null, customerId: null, type: null, search: null };

/** The node's parameters for a choice. */
export function toParameters(settings: TriggerSettings): INodeParameters {
	const { filters, statuses, startFrom } = settings;
	const set = Object.entries(filters).filter(
		(entry): entry is [string, string] => entry[1] !== null,
	);
	return {
		events: [...settings.events],
		filters: {
			...Object.fromEntries(set),
			...(statuses === null ? {} : { status: statuses.join(', ') }),
		},
		simplify: false,
		options: {
			startFrom,
			...(startFrom === 'date' ? { startDate: new Date(START_MS).toISOString() } : {}),
			lookbackMinutes: settings.lookbackMinutes,
			maxChargesPerPoll: settings.maxCharges,
			watchDays: settings.watchDays,
			sweepPages: settings.sweepPages,
		},
	};
}

/** Whether the service lists a charge under these filters. */
export const isWanted = (charge: ModelCharge, filters: Filters): boolean =>
	(filters.currency === null || filters.currency === charge.currency) &&
	(filters.customerId === null || filters.customerId === charge.customerId) &&
	(filters.type === null || filters.type === charge.type) &&
	(filters.search === null || charge.id.includes(filters.search));

/** Whether a row shows by itself that the service listed it under these filters. */
export const showsItself = (filters: Filters): boolean =>
	filters.customerId === null && filters.type === null && filters.search === null;

export const hasStatus = (charge: ModelCharge, { statuses }: TriggerSettings): boolean =>
	statuses === null || statuses.includes(charge.status);

/** Whether statuses are watched. */
export const asksForStatuses = ({ events, statuses }: Choice): boolean =>
	events.includes('charge.statusChanged') || statuses !== null;

/** Whether charges are looked at after they were new. */
export const isWatching = (choice: Choice): boolean =>
	asksForStatuses(choice) || choice.events.includes('charge.refunded');

/** Whether a list holds every charge that the next one does. */
export const holdsAll = (filters: Filters, next: Filters): boolean =>
	showsItself(filters) && (filters.currency === null || filters.currency === next.currency);

export const lookbackMs = ({ lookbackMinutes }: Tuning): number => lookbackMinutes * MINUTE_MS;

export const watchMs = ({ watchDays }: TriggerSettings): number => watchDays * DAY_MS;
