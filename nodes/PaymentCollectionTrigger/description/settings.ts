import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import { RECORD_FIELDS } from '../../../contract/records.generated';
import { WATCHED_EVENTS } from '../../shared/records/chargeEvents';
import type { EventName } from '../../shared/records/recordEvents';
import { readCharge, readListed, StatusFilter } from '../../shared/records/charge';
import {
	eventFilters,
	eventsField,
	statusField,
	watchDaysField,
} from '../../shared/fields/chargeFields';
import {
	filtersField,
	optionsField,
	propertiesOf,
	type AnyField,
	type Field,
} from '../../shared/fields/field';
import {
	includeSensitiveDataField,
	simplifyField,
	oneOf,
	wholeNumber,
} from '../../shared/fields/kinds';
import { customerFilters } from '../../shared/fields/customerFields';
import { FieldValues } from '../../shared/fields/readFields';
import { readDate } from '../../shared/input/dates';
import { DAY_MS, EARLIEST, MINUTE_MS } from '../../shared/timestamps';

/** Differences between polls of charges and of customers, apart from their fields. Elsewhere in the trigger, charge means either. */
export const POLLED_RESOURCES = {
	charge: {
		noun: 'charge',
		endpoint: ENDPOINTS.chargeList,
		created: 'charge.created',
		read: readCharge,
		simplified: RECORD_FIELDS.charge.simplified,
		toCatchUp: "run Charge: Get Events with these times as 'Since' and 'Until'",
	},
	customer: {
		noun: 'customer',
		endpoint: ENDPOINTS.customerList,
		created: 'customer.created',
		read: readListed,
		simplified: RECORD_FIELDS.customer.simplified,
		toCatchUp: 'run Customer: Get Many',
	},
} as const;

const resourceField = {
	displayName: 'Resource',
	name: 'resource',
	noDataExpression: true,
	...oneOf([
		{ name: 'Charge', value: 'charge', description: 'New charges, refunds and status changes' },
		{ name: 'Customer', value: 'customer', description: 'New customers' },
	]),
	default: 'charge',
	description: 'Which records the trigger watches',
} satisfies Field<keyof typeof POLLED_RESOURCES>;

const forCharges = { displayOptions: { show: { resource: ['charge'] } } };
const forCustomers = { displayOptions: { show: { resource: ['customer'] } } };

const polledEvents = { ...forCharges, ...eventsField('trigger') };

const polledStatuses = statusField(
	"A charge that gets one of them later, within 'Watch Days', starts the workflow then.",
);

const lookbackField = {
	displayName: 'Lookback (Minutes)',
	name: 'lookbackMinutes',
	label: 'Lookback',
	...wholeNumber(1, 7 * 24 * 60),
	default: 60,
	description:
		'How late a new record can appear in the service’s list and still start the workflow. Raise it if records appear long after they were created. A longer time makes n8n store more for this trigger.',
} satisfies Field<number>;

const maxEventsField = {
	displayName: 'Max Events per Poll',
	name: 'maxChargesPerPoll',
	// n8n crashes on more than about 125,000 items from one node. 5,000 take about 95 MB while it saves the execution.
	...wholeNumber(1, 50_000),
	default: 5_000,
	description:
		'Maximum number of events in one execution. Lower it if n8n runs low on memory. The remaining events follow in the next polls, oldest first.',
} satisfies Field<number>;

const startDateField = {
	displayName: 'Start Date',
	name: 'startDate',
	type: 'dateTime',
	default: '',
	displayOptions: { show: { startFrom: ['date'] } },
	description: 'Records created at or after this time start the workflow',
	check: readDate,
} satisfies Field;

const startFromField = {
	displayName: 'Start From',
	name: 'startFrom',
	...oneOf([
		{
			name: 'Beginning',
			value: 'beginning',
			description: 'All records, over as many polls as it takes',
		},
		{ name: 'Date', value: 'date', description: 'Records created on or after a date' },
		{ name: 'Now', value: 'now', description: 'Records created after you publish the workflow' },
	]),
	default: 'now',
	description:
		'Which records start the workflow when the trigger runs for the first time. Once the trigger has run, changing this has no effect: to start over, delete the trigger and add a new one.',
} satisfies Field<'beginning' | 'date' | 'now'>;

const sweepPagesField = {
	displayName: 'Pages to Recheck per Poll',
	name: 'sweepPages',
	...wholeNumber(1, 100),
	default: 5,
	description:
		"How many pages of older charges (up to 100 charges per page) each poll reads again to find refunds and status changes. Raise it to find them sooner; each page costs a request. Not used if 'Events' is only 'Charge Created' and there is no 'Status' filter.",
} satisfies Field<number>;

const watchedDays = watchDaysField(
	'Refunds and status changes are found for charges up to this many days old. If you raise it later, charges that are no longer watched are not picked up again.',
);

/** The trigger's fields in the editor, below the poll times that n8n adds. */
const triggerFields: readonly AnyField[] = [
	resourceField,
	polledEvents,
	{ ...eventFilters(polledStatuses), ...forCharges },
	{ ...filtersField(Object.values(customerFilters)), ...forCustomers },
	simplifyField,
	{
		...optionsField([
			includeSensitiveDataField,
			lookbackField,
			maxEventsField,
			sweepPagesField,
			startDateField,
			startFromField,
			watchedDays,
		]),
		...forCharges,
	},
	{
		...optionsField([lookbackField, maxEventsField, startDateField, startFromField]),
		...forCustomers,
	},
];

/** A hidden field: n8n's node panel makes an action of it, next to those of Events. */
const customerEvent: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'hidden',
	...forCustomers,
	noDataExpression: true,
	options: [
		{
			name: 'Customer Created',
			value: 'customer.created',
			action: 'On customer created',
			description: 'A new customer appears in the service’s list',
		},
	],
	default: 'customer.created',
};

export const triggerProperties = [...propertiesOf(triggerFields), customerEvent];

/** The text below a node's name on the canvas, as an expression that the editor evaluates. */
export const triggerSubtitle = `={{ $parameter["resource"] === "customer" ? "Customer Created" : $parameter["events"].map((event) => (${JSON.stringify(
	Object.fromEntries(polledEvents.options.map(({ name, value }) => [value, name])),
)})[event]).join(", ") }}`;

/** The user's settings, checked. Durations in milliseconds. */
export type PollSettings = Readonly<ReturnType<typeof readSettings>>;

/** The events for which charges are read again. With a Status filter, also changes of status. */
export const watchedBy = ({ events, statuses }: PollSettings) =>
	WATCHED_EVENTS.filter(
		(name) => events.has(name) || (name === 'charge.statusChanged' && statuses.isSet),
	);

/** @throws {InputError} naming the field, for literals and expressions alike */
export function readSettings(context: IPollFunctions) {
	const values = new FieldValues(
		triggerFields,
		(name, fallback) => context.getNodeParameter(name, fallback),
		context.getNode(),
		context.getTimezone(),
	);
	const startsFrom = values.orDefault(startFromField);
	const start = startsFrom === 'date' ? values.orDefault(startDateField) : EARLIEST;
	const resource = POLLED_RESOURCES[values.orDefault(resourceField)];
	const events = values.of<ReadonlySet<EventName>>(polledEvents);
	return {
		resource,
		/** Customers have only this one. */
		events: events ?? new Set<EventName>([resource.created]),
		/** The filters that are sent, by the service's names. */
		filters: values.query,
		statuses: new StatusFilter(values.of(polledStatuses)),
		/** Those that Simplify keeps; undefined for whole charges. */
		fields: values.orDefault(simplifyField) ? resource.simplified : undefined,
		includeSensitiveData: values.orDefault(includeSensitiveDataField),
		/** The first poll emits records created since then; undefined to emit only those that come in after it. */
		startFrom: startsFrom === 'now' ? undefined : start,
		/** How late a record can appear in the list and still be emitted. A round is due every half of it. */
		lookbackMs: values.orDefault(lookbackField) * MINUTE_MS,
		watchMs: values.orDefault(watchedDays) * DAY_MS,
		/** The most pages that a poll reads to find refunds and changes of status, besides those it reads anyway; more in the first sweep. */
		sweepPages: values.orDefault(sweepPagesField),
		maxEvents: values.orDefault(maxEventsField),
	};
}
