import {
	compareTexts,
	createdEvent,
	refundedEvent,
	statusEvent,
	type RecordEvent,
	type EventName,
} from '../../shared/records/recordEvents';
import { ReportedError } from '../../shared/errors/reportedError';
import type { PollSettings } from '../description/settings';
import type { Row, FetchPage } from '../list/pages';

const EXAMPLES: Readonly<Record<EventName, (row: Row) => RecordEvent | undefined>> = {
	'charge.created': (row) => createdEvent('charge.created', row),
	'charge.refunded': (row) => (row.refundTotal === undefined ? undefined : refundedEvent(row)),
	'charge.statusChanged': statusEvent,
	'customer.created': (row) => createdEvent('customer.created', row),
};

/**
 * One event to build a workflow with: the newest record that matches, of the pages at both ends of the list. Nothing is
 * remembered.
 *
 * @throws {ReportedError} when there is none
 * @throws {ServiceFailure} when the list can't be read
 */
export async function findTestEvent(
	fetchPage: FetchPage,
	{ resource, events, filters, statuses }: PollSettings,
): Promise<RecordEvent> {
	const first = await fetchPage(1);
	// Where the oldest come first, the newest are on the last pages.
	const last = Math.ceil((first.count ?? 0) / Math.max(1, first.rows.length));
	const others = [last - 1, last].filter((number) => number > 1);
	const pages = [first, ...(await Promise.all(others.map(fetchPage)))];
	const newestFirst = pages
		.flatMap(({ rows }) => rows.filter((row) => row !== undefined))
		.filter((row) => statuses.matches(row))
		.sort((one, other) => compareTexts(other.created, one.created));
	for (const name of events) {
		const example = newestFirst.map(EXAMPLES[name]).find((event) => event !== undefined);
		if (example !== undefined) return example;
	}
	const isFiltered = statuses.isSet || Object.keys(filters).length > 0;
	const what = isFiltered ? `matching ${resource.noun}` : resource.noun;
	throw new ReportedError(
		newestFirst.length > 0
			? 'None of the newest charges has been refunded yet'
			: `No ${what} was found for a test event${isFiltered ? '' : ' yet'}`,
		`${isFiltered ? "Change 'Filters', or try" : 'Try'} again once there is one. You can publish the workflow without a test event.`,
	);
}
