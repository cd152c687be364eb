import { ReportedError } from '../../shared/errors/failures';
import type { ChargeList } from '../list/chargeList';
import { pageFromNewEnd } from '../list/coordinates';
import type { Cursor } from '../cursor/cursor';
import type { ChargeRow } from '../list/chargeRow';
import { createdEvent, refundedEvent, statusEvent } from '../../shared/charges/chargeEvents';
import type { ChargeEvent, EventName } from '../../shared/charges/chargeEvents';
import type { StatusFilter } from '../../shared/charges/statusFilter';

/** Requests that a test event may cost beside the first. */
const MORE_PAGES = 3;

const EXAMPLES: Readonly<Record<EventName, (row: ChargeRow) => ChargeEvent | undefined>> = {
	'charge.created': createdEvent,
	'charge.refunded': (row) => (row.refundTotal === undefined ? undefined : refundedEvent(row)),
	'charge.statusChanged': statusEvent,
};

/**
 * One event to build a workflow with: the newest charge that matches, of the first page and of those at the new end.
 * Nothing is remembered.
 *
 * @throws {ReportedError} when there is none
 * @throws {ServiceFailure} when the list can't be read
 */
export async function findTestEvent(
	list: ChargeList,
	cursor: Cursor,
	{ events, statuses }: { events: ReadonlySet<EventName>; statuses: StatusFilter },
): Promise<ChargeEvent> {
	const rows: ChargeRow[] = [];
	let hasMatch = false;
	for (let offset = -1; offset < MORE_PAGES; offset++) {
		const number = offset < 0 ? 1 : pageFromNewEnd(offset, cursor.list);
		const page = number === undefined ? undefined : await list.read(number);
		if (list.error !== undefined) throw list.error;
		for (const row of page?.rows ?? []) rows.push(row);
		const newestFirst = rows
			.filter((row) => statuses.matches(row))
			.sort((one, other) => (one.created < other.created ? 1 : -1));
		hasMatch = newestFirst.length > 0;
		// Not before the new end was read.
		if (offset < 0) continue;
		for (const name of events) {
			const example = newestFirst.map(EXAMPLES[name]).find((event) => event !== undefined);
			if (example !== undefined) return example;
		}
	}
	throw new ReportedError(
		hasMatch
			? 'None of the newest charges has been refunded yet'
			: 'There is no charge yet that matches the filters',
		'Make a payment (or a refund) in the service, or change Filters, then fetch a test event again. The workflow can be activated without one.',
	);
}
