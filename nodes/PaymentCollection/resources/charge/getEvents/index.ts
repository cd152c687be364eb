import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../../contract/constants';
import { eventItem } from '../../../../shared/records/recordEvents';
import { readCharge, StatusFilter } from '../../../../shared/charges/charge';
import { clock, utcText } from '../../../../shared/clock';
import { ReportedError, InputError } from '../../../../shared/errors/reportedError';
import {
	eventFilters,
	eventsField,
	statusField,
	watchDaysField,
} from '../../../../shared/fields/chargeFields';
import { includeSensitiveDataField } from '../../../../shared/fields/kinds';
import {
	optionsField,
	type AnyField,
	type CheckContext,
	type Field,
} from '../../../../shared/fields/field';
import type { FieldValues } from '../../../../shared/fields/readFields';
import { readDate } from '../../../../shared/input/dates';
import { isNothing } from '../../../../shared/input/inputChecks';
import { MAX_ROWS, readRows } from '../../../../shared/lists/listRows';
import { plainText } from '../../../../shared/values';
import type { ToItems } from '../../../../shared/records/recordItem';
import { DAY_MS, presentAt, shift, toMs, type Instant } from '../../../../shared/timestamps';
import { pageSizeField } from '../../../run/listRecords';
import type { OperationDefinition, RunOperation } from '../../../run/item';
import { simplifiedOutput } from '../../../run/simplifiedOutput';
import { eventsSince, type Wanted } from './eventsSince';

/** @throws {InputError} for what is no date, and for one in the future */
function readPast(value: unknown, field: string, context: CheckContext): Instant {
	if (isNothing(value)) throw new InputError(`${field} is empty`);
	const instant = readDate(value, field, context);
	if (instant <= presentAt(clock.now())) return instant;
	throw new InputError(
		`${field} is ${utcText(toMs(instant))}: it must not be in the future, and now is ${utcText(clock.now())}`,
	);
}

const sinceField = {
	displayName: 'Since',
	name: 'since',
	type: 'dateTime',
	default: '',
	required: true,
	hint: 'Reads all charges, a page at a time, since the service does not say in which order it lists them',
	description:
		'From when on events are given, that moment included. Begin some time before the last event that you have: one that comes again has the same event_id.',
	check: readPast,
} satisfies Field<Instant>;

const pastEvents = eventsField({
	'charge.created': 'A charge was created since then',
	'charge.refunded':
		'A charge was refunded since then, wholly or in part: one for each of its refunds',
	'charge.statusChanged':
		'The status that a charge of the last days has now. With a Status filter, only that of charges in one of its statuses.',
});

const presentStatuses = statusField('What counts is the status that a charge has now.');

const watchedDays = watchDaysField(
	'How long before Since a charge may have been created for its refunds and its status to be given.',
);

const fields: readonly AnyField[] = [
	sinceField,
	pastEvents,
	eventFilters(presentStatuses),
	optionsField([includeSensitiveDataField, pageSizeField, watchedDays]),
];

/**
 * Reads all of the list, since its order is not documented: a charge of the watched days may stand on any page. Only
 * those are kept while the rest is read.
 *
 * @throws {ReportedError} when there are more charges, or events, than n8n can hold
 */
const run: RunOperation = async ({ endpoint, transport, values, warn, warnOnce }) => {
	const wanted = wantedOf(values());
	const convert = (rows: readonly IDataObject[]): IDataObject[] =>
		rows.map((row) => {
			const charge = readCharge(row);
			const isOlder = charge !== undefined && charge.created < wanted.watchedFrom;
			return isOlder ? { id: charge.id, created: charge.created } : row;
		});
	const query = { endpoint, filters: values().query, convert, warn: warnOnce };
	const { rows, warnings } = await readRows(transport, query, {
		limit: undefined,
		pageSize: values().orDefault(pageSizeField),
		tooMany: tooManyCharges,
	});
	const { events, warnings: untold } = eventsSince(rows, wanted);
	if (events.length > MAX_ROWS) {
		throw new ReportedError(
			`There are ${events.length} events: more than the ${MAX_ROWS} that n8n can take from one node at once`,
			'Choose a later Since, fewer Watch Days, or one of the Events in each of several nodes.',
		);
	}
	[...warnings, ...untold].forEach(warn);
	return events.map(({ name, id, of }) => ({
		...of.record,
		event: name,
		event_id: id,
	}));
};

const toItems: ToItems = (records, options) =>
	records.map(({ event, event_id: id, ...charge }) =>
		eventItem({ name: plainText(event), id: plainText(id) }, charge, options),
	);

function wantedOf(values: FieldValues): Wanted {
	const events = values.orDefault(pastEvents);
	const statuses = new StatusFilter(values.of(presentStatuses));
	const since = values.orDefault(sinceField);
	const isWatching = statuses.isSet || [...events].some((name) => name !== 'charge.created');
	const watchedFrom = shift(since, -values.orDefault(watchedDays) * DAY_MS);
	return { events, statuses, since, watchedFrom: isWatching ? watchedFrom : since };
}

const tooManyCharges = (charges: number): ReportedError =>
	new ReportedError(
		`There are ${charges} charges: more than the ${MAX_ROWS} that can be read for their events at once`,
		'Narrow the list with Filters: one node for each Currency, Type or Customer reads a part of it.',
	);

/** GET /v1/charges (docs/service.md, Charges), read as the trigger would tell it: see docs/trigger.md. */
export const getEvents = {
	name: 'Get Events',
	action: 'Get charge events',
	description: 'Retrieve what happened to charges since a date, as the trigger would have told it',
	endpoint: ENDPOINTS.chargeList,
	fields,
	run,
	output: simplifiedOutput('charge'),
	toItems,
} satisfies OperationDefinition;
