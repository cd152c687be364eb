import type { IDataObject } from 'n8n-workflow';
import type { Predicates } from '../../../../sandbox/lists';
import { timestamp } from '../../../../sandbox/timestamps';
import type { WatchedEventName } from '../../../../nodes/shared/records/chargeEvents';
import type { CreatedEventName } from '../../../../nodes/shared/records/recordEvents';
import type { Defect, Filters } from '../schedule';
import { SECOND_MS } from '../time';
import type { Timestamps, Traits } from './traits';

/** Statuses in the only order in which a charge has them. */
export const STATUSES = ['pending', 'authorised', 'captured', 'settled', 'disputed'] as const;

/** A charge as the service knows it. */
export interface Charge {
	readonly id: string;
	/** Counts charges in the order of insertion. */
	readonly number: number;
	readonly createdMs: number;
	/** When the list first showed it: in ms, and by the service's sequence number. */
	readonly shownAt: number;
	readonly shownSequence: number;
	changedAt: number;
	readonly amount: number;
	readonly currency: string;
	readonly customerId: string;
	readonly type: string;
	/** All statuses so far, the current one last. */
	readonly statuses: Array<{
		readonly name: string;
		readonly sequence: number;
		readonly atMs: number;
	}>;
	/** Refunds so far. Each makes all changes of {@link LATER}. */
	readonly refunds: Array<{ readonly atMs: number; readonly sequence: number }>;
	isListed: boolean;
	defect: Defect | null;
	/** When it became readable. */
	readableAt: number;
	/** When its pages began to fail. */
	poisonedAt: number | null;
}

export const statusOf = ({ statuses }: Charge): string => statuses.at(-1)?.name ?? '';

/** Filters of the list that the trigger or its search uses. */
export interface ListFilters {
	readonly currency?: string;
	readonly customer_id?: string;
	readonly type?: string;
	readonly status?: string;
	readonly id?: string;
}

export const LIST_FILTERS: Predicates<Charge, ListFilters> = {
	currency: ({ currency }, wanted) => currency === wanted,
	customer_id: ({ customerId }, wanted) => customerId === wanted,
	type: ({ type }, wanted) => type === wanted,
	status: (charge, wanted) => statusOf(charge) === wanted,
	id: ({ id }, wanted) => id === wanted,
};

/** True if the service lists it with these filters. The trigger itself applies Status. */
export const isInList = (charge: Charge, { currency, customerId, type }: Filters): boolean =>
	(currency ?? charge.currency) === charge.currency &&
	(customerId ?? charge.customerId) === charge.customerId &&
	(type ?? charge.type) === charge.type;

/** True if the trigger emits its events with these filters. */
export const isWanted = (charge: Charge, filters: Filters): boolean =>
	isInList(charge, filters) && (filters.statuses?.includes(statusOf(charge)) ?? true);

/** A pseudo-random number that is always the same for a seed. */
export function mix(seed: number): number {
	let value = (seed + 0x9e3779b9) | 0;
	value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
	return (value ^ (value >>> 16)) >>> 0;
}

function written(ms: number, format: Timestamps): string {
	if (format === 'noZone') return new Date(ms).toISOString().slice(0, -1);
	return timestamp(ms, format, String(mix(ms) % 1000).padStart(3, '0'));
}

/** When it was created, as its row shows it. */
export const writtenMs = ({ createdMs }: Charge, { timestamps }: Traits): number =>
	timestamps === 'no-fraction' ? Math.floor(createdMs / SECOND_MS) * SECOND_MS : createdMs;

interface Later {
	/** The field of a row that shows the change. */
	readonly field: string;
	/** The field's value after this many changes. */
	readonly state: (times: number) => string;
	/** Other fields of a row, with the dates of the changes. */
	readonly others?: (dates: readonly string[]) => IDataObject;
}

export type LaterEventName = Exclude<WatchedEventName, 'charge.statusChanged'>;

/** Changes of a charge besides its statuses, by the event that reports them. */
export const LATER: Readonly<Record<LaterEventName, Later>> = {
	'charge.refunded': {
		field: 'refund_total',
		state: (times) => (1.5 * times).toFixed(2),
		others: (dates) => ({ refunds: dates.map((created) => ({ created, amount: '1.50' })) }),
	},
};

export const LATER_EVENTS = Object.keys(LATER) as LaterEventName[];

export const isLater = (name: string): name is LaterEventName => name in LATER;

/** The rows' fields of {@link LATER}. */
const laterFields = (dates: readonly string[]): IDataObject =>
	Object.assign(
		{},
		...Object.values(LATER).map(({ field, state, others }) => ({
			[field]: state(dates.length),
			...others?.(dates),
		})),
	) as IDataObject;

/** The id in the events of a charge. */
export const eventIdOf = (charge: Charge, { hasNumericIds }: Traits): string =>
	hasNumericIds ? String(900_000 + charge.number) : charge.id;

const ofCharge = (charge: Charge, text: (ms: number) => string): IDataObject => ({
	currency: charge.currency,
	status: statusOf(charge),
	total: (charge.amount / 100).toFixed(2),
	...laterFields(charge.refunds.map(({ atMs }) => text(atMs))),
	events: { type: statusOf(charge), created: text(charge.statuses.at(-1)?.atMs ?? 0) },
});

/** The row that the service shows for a charge, or for a customer. */
export function toRow(
	charge: Charge,
	traits: Traits,
	created: CreatedEventName,
): IDataObject | string {
	const { defect } = charge;
	if (defect === 'noRecord') return 'row';
	const text = (ms: number) => written(ms, traits.timestamps);
	const row: IDataObject = {
		id: traits.hasNumericIds ? 900_000 + charge.number : charge.id,
		created: text(charge.createdMs),
		...(created === 'customer.created' ? { first_name: 'Ana' } : ofCharge(charge, text)),
	};
	if (defect === 'createdNull') row['created'] = null;
	if (defect === 'createdText') row['created'] = 'yesterday';
	if (defect === 'noId') delete row['id'];
	if (defect === 'noStatus') row['status'] = null;
	if (defect === 'noRefundTotal') row['refund_total'] = 'some';
	return row;
}
