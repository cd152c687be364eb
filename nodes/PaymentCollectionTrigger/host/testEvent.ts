import {
	compareTexts,
	createdEvent,
	refundedEvent,
	statusEvent,
	type ChargeEvent,
	type EventName,
} from '../../shared/charges/chargeEvents';
import { ReportedError } from '../../shared/errors/failures';
import { ChargeList } from '../list/chargeList';
import type { ChargeRow } from '../list/chargePages';
import type { PollInput } from '../reading/beginning';

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
export async function findTestEvent({
	fetchPage,
	deadlineMs,
	settings,
}: Pick<PollInput, 'fetchPage' | 'deadlineMs' | 'settings'>): Promise<ChargeEvent> {
	const list = new ChargeList(fetchPage, { order: 'unsorted', lastPage: 1 }, deadlineMs);
	await list.read(1);
	const { lastPage } = list.facts;
	const rows: ChargeRow[] = [];
	for (const number of new Set([1, 2, lastPage - 1, lastPage])) {
		const page = await list.read(number);
		if (page === 'failed' && list.error !== undefined) throw list.error;
		if (page !== 'failed' && page !== 'none')
			rows.push(...page.rows.filter((row) => row !== undefined));
	}
	const newestFirst = rows
		.filter((row) => settings.statuses.matches(row))
		.sort((one, other) => compareTexts(other.created, one.created));
	for (const name of settings.events) {
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
