import { CHARGE_TYPES, DOCUMENTED_CHARGE_STATUS } from '../../../contract/constants';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import {
	CHARGE_EVENTS,
	CHARGE_EVENT_NAMES,
	DEFAULT_WATCH_DAYS,
	type ChargeEventName,
} from '../records/chargeEvents';
import { InputError } from '../errors/reportedError';
import { checkFilter, checkOneOf, checkUuid } from '../input/inputChecks';
import { trimmed } from '../values';
import { filtersField, inQuery, type Collection, type Field } from './field';
import { currencyKind, customerLocator, oneOf, filterText, textThat, wholeNumber } from './kinds';

const CHARGE_TYPE_NAMES: Readonly<Record<(typeof CHARGE_TYPES)[number], string>> = {
	charge: 'Charge',
	checkout: 'Checkout',
	creditpayment: 'Credit Payment',
	invoice: 'Invoice',
	link: 'Link',
};

/** Filters of the charge list that both nodes offer (docs/service.md, Charges). */
export const chargeFilters = {
	currency: {
		...inQuery<ChargeFilters>('currency'),
		...currencyKind,
	},
	customerId: customerLocator(
		'Only charges of this customer.',
		checkUuid,
		inQuery<ChargeFilters>('customer_id').sent,
	),
	search: {
		...inQuery<ChargeFilters>('search'),
		...filterText,
		placeholder: 'e.g. Ruiz',
		description:
			'Only charges that contain this text. The service doesn’t document which fields it searches.',
	},
	status: {
		...inQuery<ChargeFilters>('status'),
		...filterText,
		placeholder: `e.g. ${DOCUMENTED_CHARGE_STATUS}`,
		description: 'Only charges with this status',
	},
	type: {
		...inQuery<ChargeFilters>('type'),
		...oneOf(CHARGE_TYPES.map((value) => ({ name: CHARGE_TYPE_NAMES[value], value }))),
		default: 'charge',
		description: 'Only charges of this type, such as Link or Invoice',
	},
} as const satisfies Readonly<Record<string, Field<string>>>;

export const eventsField = (node: 'trigger' | 'getEvents') =>
	({
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: CHARGE_EVENT_NAMES.map((value) => {
			const { title, description } = CHARGE_EVENTS[value];
			return { name: title, value, description: description[node] };
		}),
		default: ['charge.created'],
		description:
			'Which events to get. Each item is the charge with the event’s name and an event_id, which is always the same for the same event.',
		check: checkEvents,
	}) satisfies Field<ReadonlySet<ChargeEventName>>;

/** Takes several statuses, since the nodes filter, not the service. @param later a sentence about charges that get the status later */
export const statusField = (later: string) =>
	({
		displayName: 'Status',
		name: 'status',
		...textThat(checkStatuses),
		default: '',
		placeholder: 'e.g. authorised, captured',
		description: `Only charges with this status, or with one of several separated by commas. ${later}`,
	}) as const satisfies Field<readonly string[]>;

export const MAX_WATCH_DAYS = 365;

/** @param description a sentence that says when the days begin */
export const watchDaysField = (description: string) =>
	({
		displayName: 'Watch Days',
		name: 'watchDays',
		...wholeNumber(1, MAX_WATCH_DAYS),
		default: DEFAULT_WATCH_DAYS,
		description: `${description} Set it to the number of days after a payment in which you still issue refunds. Not used if 'Events' is only 'Charge Created' and there is no 'Status' filter.`,
	}) as const satisfies Field<number>;

export const eventFilters = (status: Field): Collection =>
	filtersField(Object.values({ ...chargeFilters, status }));

function checkEvents(value: unknown, label: string): ReadonlySet<ChargeEventName> {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	const chosen = names.filter((name) => name !== '' && name !== undefined);
	if (chosen.length === 0) throw new InputError(`${label} is empty: choose at least one`);
	return new Set(chosen.map((name) => checkOneOf(name, label, CHARGE_EVENT_NAMES)));
}

function checkStatuses(value: unknown, label: string): readonly string[] {
	const statuses = checkFilter(value, label).split(',').map(trimmed);
	if (!statuses.includes('')) return statuses;
	throw new InputError(
		`${label} has an empty entry: enter one status, or several separated by commas`,
	);
}
