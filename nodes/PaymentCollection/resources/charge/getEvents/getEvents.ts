import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_PAGE_SIZE } from '../../../../../contract/limits';
import { eventItem } from '../../../../shared/charges/chargeEvents';
import { readCharge } from '../../../../shared/charges/charge';
import { StatusFilter } from '../../../../shared/charges/statusFilter';
import { ReportedError } from '../../../../shared/errors/failures';
import type { FieldValues } from '../../../../shared/fields/readFields';
import { MAX_ROWS, readRows } from '../../../../shared/lists/listRows';
import { plainText } from '../../../../shared/plainText';
import type { ToItems } from '../../../../shared/records/recordItem';
import { DAY_MS, shift } from '../../../../shared/timestamps';
import type { RunOperation } from '../../../run/operation';
import { eventsSince, type Found, type Wanted } from './eventsSince';
import { pastEvents, presentStatuses, sinceField, watchedDays } from './fields';

/**
 * Reads all of the list, since its order is not documented: a charge of the watched days may stand on any page. Only
 * those are kept while the rest is read.
 *
 * @throws {ReportedError} when there are more charges, or events, than n8n can hold
 */
export const getEvents: RunOperation = async ({ endpoint, transport, values, warn }) => {
	const wanted = wantedOf(values());
	const convert = (rows: readonly IDataObject[]): IDataObject[] =>
		rows.map((row) => {
			const charge = readCharge(row);
			const isOlder = charge !== undefined && charge.created < wanted.watchedFrom;
			return isOlder ? { id: charge.id, created: charge.created } : row;
		});
	const query = { endpoint, filters: values().query, convert };
	const { rows, warnings } = await readRows(transport, query, {
		limit: undefined,
		pageSize: DEFAULT_PAGE_SIZE,
		tooMany: tooManyCharges,
	});
	const found = eventsSince(rows, wanted);
	if (found.events.length > MAX_ROWS) throw tooManyEvents(found.events.length);
	warnings.forEach(warn);
	warnOf(found, warn);
	return found.events.map(({ name, id, charge }) => ({
		...charge.record,
		event: name,
		event_id: id,
	}));
};

/** Charges' records, each with the event that it is given for. */
export const toEventItems: ToItems = (records, options) =>
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

const tooManyEvents = (events: number): ReportedError =>
	new ReportedError(
		`There are ${events} events: more than the ${MAX_ROWS} that n8n can take from one node at once`,
		'Choose a later Since, fewer Watch Days, or one of the Events in each of several nodes.',
	);

function warnOf(
	{ unreadable, unexplained, undated }: Found,
	warn: (message: string) => void,
): void {
	if (unreadable > 0) {
		warn(
			`Rows of the charge list without an id or a creation time that can be read: ${unreadable}. Nothing is given of them.`,
		);
	}
	if (unexplained > 0) {
		warn(
			`Charges whose refund records can’t be read or don’t add up to refund_total: ${unexplained}. Of each only what is refunded now is given, whenever that was.`,
		);
	}
	if (undated > 0) {
		warn(
			`Charges created before Since that have a status of the filter, while nothing says since when: ${undated}. To be given them, too, choose the event Charge Status Changed.`,
		);
	}
}
