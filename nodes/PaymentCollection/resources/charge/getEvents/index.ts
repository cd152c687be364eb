import { ENDPOINTS } from '../../../../../contract/constants';
import { isWatched } from '../../../../shared/records/chargeEvents';
import { eventItem } from '../../../../shared/records/recordEvents';
import { StatusFilter } from '../../../../shared/records/charge';
import { clock, utcText } from '../../../../shared/clock';
import { ReportedError, InputError } from '../../../../shared/errors/reportedError';
import {
	eventFilters,
	eventsField,
	MAX_WATCH_DAYS,
	statusField,
	watchDaysField,
} from '../../../../shared/fields/chargeFields';
import { includeSensitiveDataField } from '../../../../shared/fields/kinds';
import { optionsField, type AnyField, type Field } from '../../../../shared/fields/field';
import type { FieldValues } from '../../../../shared/fields/readFields';
import { readDate } from '../../../../shared/input/dates';
import type { CheckContext } from '../../../../shared/input/inputChecks';
import { MAX_ROWS, readRows } from '../../../../shared/lists/listRows';
import { DAY_MS, latestPresentAt, shift, toMs, type Instant } from '../../../../shared/timestamps';
import { nothingFound, pageSizeField } from '../../../run/listRecords';
import type { OperationDefinition, RunOperation } from '../../../operation';
import { simplifiedOutput } from '../../simplifiedOutput';
import { eventsIn, Selection, type Wanted } from './eventsIn';

/** @throws {InputError} if it is no date, or in the future */
function readPast(value: unknown, label: string, context: CheckContext): Instant {
	const instant = readDate(value, label, context);
	if (instant <= latestPresentAt(clock.now())) return instant;
	throw new InputError(
		`${label} is ${utcText(toMs(instant))}: it must not be in the future, and it is now ${utcText(clock.now())}`,
	);
}

const sinceField = {
	displayName: 'Since',
	name: 'since',
	type: 'dateTime',
	default: '',
	required: true,
	hint: 'Reads the whole list of charges, because its order isn’t documented',
	description:
		"Start of the period, inclusive, such as {{ $now.startOf('month') }}. To miss nothing, choose a time before the last event that you have.",
	check: readPast,
} satisfies Field<Instant>;

const untilField = {
	displayName: 'Until',
	name: 'until',
	type: 'dateTime',
	default: '',
	description:
		"End of the period, exclusive, so it can be the 'Since' of the next run. It must be after 'Since'. Empty: now.",
	check: (value, label, context) =>
		// An expression that finds nothing returns no text.
		value === '' ? undefined : readDate(value, label, context),
} satisfies Field<Instant | undefined>;

const pastEvents = eventsField('getEvents');

const presentStatuses = statusField('Charges are filtered by their current status.');

const watchedDays = watchDaysField(
	"Refunds and statuses are returned for charges created up to this many days before 'Since'.",
);

const fields: readonly AnyField[] = [
	sinceField,
	untilField,
	pastEvents,
	eventFilters(presentStatuses),
	optionsField([includeSensitiveDataField, pageSizeField, watchedDays]),
];

/**
 * Reads the whole list, because its order is not documented, and keeps only charges of the watched days.
 *
 * @throws {ReportedError} if there are more of them, or of their events, than n8n can handle
 */
const run: RunOperation = async (item) => {
	const { endpoint, transport, values, warn, warnOnce } = item;
	const wanted = wantedOf(values());
	const selection = new Selection(wanted);
	const pageSize = values().orDefault(pageSizeField);
	const query = { endpoint, filters: values().query, pageSize, warn: warnOnce };
	const { rows, warnings } = await readRows(transport, query, {
		limit: Infinity,
		isKept: selection.takes,
		tooMany: () => tooMany('charges', `created since ${utcText(toMs(wanted.watchedFrom))}`),
	});
	const { events, warnings: eventWarnings } = eventsIn(rows, wanted);
	if (events.length > MAX_ROWS) throw tooMany('events', 'in the period');
	[...warnings, ...eventWarnings].forEach(warn);
	if (selection.hasSkipped) warnOnce(olderHint(values().orDefault(watchedDays)));
	if (events.length === 0) return nothingFound(item);
	const options = item.itemOptions();
	return events.map((event) => eventItem(event, options));
};

function wantedOf(values: FieldValues): Wanted {
	const events = values.orDefault(pastEvents);
	const statuses = new StatusFilter(values.of(presentStatuses));
	const since = values.orDefault(sinceField);
	const until = values.of(untilField);
	if (until !== undefined && until <= since) {
		throw new InputError(
			`'Until' is ${utcText(toMs(until))}: it must be after 'Since', which is ${utcText(toMs(since))}`,
		);
	}
	const watchedFrom = shift(since, -values.orDefault(watchedDays) * DAY_MS);
	const isWatching = statuses.isSet || [...events].some(isWatched);
	return { events, statuses, since, until, watchedFrom: isWatching ? watchedFrom : since };
}

const tooMany = (what: 'charges' | 'events', which: string): ReportedError =>
	new ReportedError(
		`There are more than ${MAX_ROWS.toLocaleString('en-US')} ${what} ${which}: n8n can’t handle that many from one node at once`,
		"Choose a later 'Since', an earlier 'Until' or fewer 'Options → Watch Days', or use several nodes: one for each of the 'Events', or for each 'Currency', 'Type' or 'Customer' in 'Filters'.",
	);

const olderHint = (days: number): string => {
	const facts = `Refunds and statuses of charges created more than ${days} days before 'Since' are not included.`;
	const advice = ` To include them, raise 'Options → Watch Days' (${MAX_WATCH_DAYS} at most).`;
	return days < MAX_WATCH_DAYS ? facts + advice : facts;
};

/** GET /v1/charges (docs/service.md, Charges), read as the trigger would emit it: see docs/trigger.md. */
export const getEvents = {
	name: 'Get Events',
	action: 'Get charge events',
	description: 'Retrieve the charge events of a period, as the trigger returns them',
	endpoint: ENDPOINTS.chargeList,
	fields,
	run,
	output: simplifiedOutput('charge', 'chargeEvent'),
} satisfies OperationDefinition;
