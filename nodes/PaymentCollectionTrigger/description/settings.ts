import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import type { EventName } from '../../shared/records/recordEvents';
import { StatusFilter } from '../../shared/charges/charge';
import {
	EVENT_TITLES,
	eventFilters,
	eventsField,
	statusField,
	watchDaysField,
	WITHIN_WATCH_DAYS,
} from '../../shared/fields/chargeFields';
import {
	filtersField,
	optionsField,
	propertiesOf,
	type AnyField,
	type Field,
	refuseWholeExpressions,
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
import { DAY_MS, EARLIEST } from '../../shared/timestamps';
import { RESOURCES } from './resources';

const MINUTE_MS = 60_000;
const MINUTES_A_WEEK = 7 * 24 * 60;

const resourceField = {
	displayName: 'Resource',
	name: 'resource',
	noDataExpression: true,
	...oneOf([
		{ name: 'Charge', value: 'charge', description: 'New payments, refunds, changes of status' },
		{ name: 'Customer', value: 'customer', description: 'New customers' },
	]),
	default: 'charge',
	description: 'What the trigger listens to',
} satisfies Field<keyof typeof RESOURCES>;

const forCharges = { displayOptions: { show: { resource: ['charge'] } } };
const forCustomers = { displayOptions: { show: { resource: ['customer'] } } };

const polledEvents = {
	...forCharges,
	...eventsField({
		'charge.created': 'A charge is in the list that was not there before',
		'charge.refunded': `The refunded total of a charge created ${WITHIN_WATCH_DAYS} has grown`,
		'charge.statusChanged': `A charge created ${WITHIN_WATCH_DAYS} has got a status that it did not have before. With a Status filter, only changes to one of its statuses are told.`,
	}),
};

const polledStatuses = statusField('A charge that gets it later, within Watch Days, is told then.');

const lookbackField = {
	displayName: 'Lookback (Minutes)',
	name: 'lookbackMinutes',
	label: 'Lookback',
	...wholeNumber(1, MINUTES_A_WEEK),
	default: 60,
	description:
		'How late a charge or customer may appear in the list and is still told. Raise it when payments reach the list long after they were made; longer costs a larger stored state.',
} satisfies Field<number>;

const maxChargesField = {
	displayName: 'Max Events per Poll',
	name: 'maxChargesPerPoll',
	// n8n can't take more than about 125,000 items from one node.
	...wholeNumber(1, 50_000),
	// About 95 MB while n8n saves the execution.
	default: 5_000,
	description:
		'Events that one execution gets at most. Lower it when memory is short. What is left follows with the next polls, oldest first.',
} satisfies Field<number>;

const startDateField = {
	displayName: 'Start Date',
	name: 'startDate',
	type: 'dateTime',
	default: '',
	displayOptions: { show: { startFrom: ['date'] } },
	description: 'What was created from then on is emitted',
	check: readDate,
} satisfies Field;

const startFromField = {
	displayName: 'Start From',
	name: 'startFrom',
	...oneOf([
		{
			name: 'Beginning',
			value: 'beginning',
			description: 'Everything there is, over as many polls as it takes',
		},
		{ name: 'Date', value: 'date', description: 'What was created from a date on' },
		{ name: 'Now', value: 'now', description: 'What comes in after activation' },
	]),
	default: 'now',
	description:
		'What the very first poll tells. Once the trigger has run, changing this has no effect: to begin anew, add the trigger again.',
} satisfies Field<'beginning' | 'date' | 'now'>;

const sweepPagesField = {
	displayName: 'Sweep Pages',
	name: 'sweepPages',
	...wholeNumber(1, 100),
	default: 5,
	description:
		'How much of the older charges each poll reads again, in pages of up to 100, to find refunds and changes of status. Raise it to hear of them sooner; each page costs a request. Not used for Charge Created alone, without a Status filter.',
} satisfies Field<number>;

const watchedDays = watchDaysField(
	'How old a charge may be for its refunds and changes of status to be found. Raised later, it holds for charges that are still watched, and newer ones.',
);

const { businessName, email, firstName, lastName, search } = customerFilters;

/** Everything that the editor shows of the trigger, below the poll times that n8n adds. */
const triggerFields: readonly AnyField[] = [
	resourceField,
	polledEvents,
	{ ...eventFilters(polledStatuses), ...forCharges },
	{ ...filtersField([businessName, email, firstName, lastName, search]), ...forCustomers },
	simplifyField,
	{
		...optionsField([
			includeSensitiveDataField,
			lookbackField,
			maxChargesField,
			startDateField,
			startFromField,
			sweepPagesField,
			watchedDays,
		]),
		...forCharges,
	},
	{
		...optionsField([lookbackField, maxChargesField, startDateField, startFromField]),
		...forCustomers,
	},
];

/** Never shown: n8n's node panel makes an action of it, beside those of Events. */
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
			description: 'A customer is in the list that was not there before',
		},
	],
	default: 'customer.created',
};

export const triggerProperties = [...propertiesOf(triggerFields), customerEvent];

/** What a node on the canvas says below its name: an expression, which the editor evaluates. */
export const triggerSubtitle = `={{ $parameter["resource"] === "customer" ? "Customer Created" : $parameter["events"].map((event) => (${JSON.stringify(
	EVENT_TITLES,
)})[event]).join(", ") }}`;

/** What the user chose, checked. Durations in milliseconds. */
export type PollSettings = Readonly<ReturnType<typeof readSettings>>;

export const watchesStatuses = ({ events, statuses }: PollSettings): boolean =>
	events.has('charge.statusChanged') || statuses.isSet;

/** Whether charges have to be looked at after they were new. */
export const isWatching = (settings: PollSettings): boolean =>
	settings.events.has('charge.refunded') || watchesStatuses(settings);

/** @throws {InputError} naming the field, for literals and expressions alike */
export function readSettings(context: IPollFunctions) {
	const { parameters } = context.getNode();
	refuseWholeExpressions(parameters, triggerFields);
	const values = new FieldValues(
		triggerFields,
		(name, fallback) => context.getNodeParameter(name, fallback),
		{ timeZone: context.getTimezone() },
		parameters,
	);
	const startFrom = values.orDefault(startFromField);
	const start = startFrom === 'date' ? values.orDefault(startDateField) : EARLIEST;
	const resource = RESOURCES[values.orDefault(resourceField)];
	const events = values.of<ReadonlySet<EventName>>(polledEvents);
	return {
		resource,
		/** Of customers there is but the one. */
		events: events ?? new Set<EventName>([resource.created]),
		/** The filters that are sent, by the service's names. */
		filters: values.query,
		statuses: new StatusFilter(values.of(polledStatuses)),
		/** Those that the filter lets through; absent for all. */
		statusNames: values.of(polledStatuses),
		/** Those that Simplify keeps; absent for whole charges. */
		fields: values.orDefault(simplifyField) ? resource.simplified : undefined,
		includeSensitiveData: values.orDefault(includeSensitiveDataField),
		/** What was created since then is told by a trigger that never ran; absent where it begins with what comes in. */
		startFrom: startFrom === 'now' ? undefined : start,
		/** How late a record may show in the list and is still told. A round is due every half of it. */
		lookbackMs: values.orDefault(lookbackField) * MINUTE_MS,
		watchMs: values.orDefault(watchedDays) * DAY_MS,
		/** Pages that a poll reads at most to look for refunds and changes of status, beside those it reads anyway. */
		sweepPages: values.orDefault(sweepPagesField),
		maxCharges: values.orDefault(maxChargesField),
	};
}
