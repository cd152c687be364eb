import { createdEvent, refundedEvent, statusEvent } from '../../shared/charges/chargeEvents';
import type { ChargeEvent, EventName } from '../../shared/charges/chargeEvents';
import { ReportedError } from '../../shared/errors/failures';
import { ChargeList } from '../list/chargeList';
import type { ChargeRow, FetchPage } from '../list/chargePages';
import type { PollSettings } from '../pollSettings';

/** Requests that a test event may cost beside the first, at each end of the list. */
const MORE_PAGES = 2;

const EXAMPLES: Readonly<Record<EventName, (row: ChargeRow) => ChargeEvent | undefined>> = {
	'charge.created': createdEvent,
	'charge.refunded': (row) => (row.refundTotal === undefined ? undefined : refundedEvent(row)),
	'charge.statusChanged': statusEvent,
};

/**
 * One event to build a workflow with: the newest charge that matches, of the pages at both ends of the list. Nothing is
 * remembered.
 *
 * @throws {ReportedError} when there is none
 * @throws {ServiceFailure} when the list can't be read
 */
export async function findTestEvent(
	fetchPage: FetchPage,
	deadlineMs: number,
	{ events, statuses }: Pick<PollSettings, 'events' | 'statuses'>,
): Promise<ChargeEvent> {
	const list = new ChargeList(
		fetchPage,
		{ newEnd: 'first', isByDate: true, lastPage: 1 },
		deadlineMs,
	);
	const rows: ChargeRow[] = [];
	for (const number of await pagesToRead(list)) {
		const page = await list.read(number);
		if (page === 'failed' && list.error !== undefined) throw list.error;
		if (page === 'failed' || page === 'none') continue;
		rows.push(...page.rows.filter((row) => row !== undefined));
	}
	const newestFirst = rows
		.filter((row) => statuses.matches(row))
		.sort((one, other) => (one.created < other.created ? 1 : -1));
	for (const name of events) {
		const example = newestFirst.map(EXAMPLES[name]).find((event) => event !== undefined);
		if (example !== undefined) return example;
	}
	throw new ReportedError(
		newestFirst.length > 0
			? 'None of the newest charges has been refunded yet'
			: 'There is no charge yet that matches the filters',
		'Make a payment (or a refund) in the service, or change Filters, then fetch a test event again. The workflow can be activated without one.',
	);
}

/** Page 1, and those beside each end. */
async function pagesToRead(list: ChargeList): Promise<Set<number>> {
	await list.read(1);
	const { count, facts } = list;
	const last = Math.max(1, Math.ceil((count ?? 1) / (facts.pageSize ?? 1)));
	const pages = new Set([1]);
	for (let offset = 0; offset < MORE_PAGES; offset++) {
		pages.add(Math.min(last, 2 + offset));
		pages.add(Math.max(1, last - offset));
	}
	return pages;
}
