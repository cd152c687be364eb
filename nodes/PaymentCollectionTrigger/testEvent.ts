import { ReportedError } from '../shared/failures';
import type { ChargeList } from './chargeList';
import type { ChargeRow } from './chargeRow';
import { createdEvent, refundedEvent, statusEvent } from './events';
import type { ChargeEvent, EventName } from './events';
import { judgeOrder } from './listOrder';
import type { Settings } from './settings';

const EXAMPLES: Readonly<Record<EventName, (newestFirst: readonly ChargeRow[]) => ChargeEvent[]>> =
	{
		'charge.created': (rows) => rows.map(createdEvent),
		'charge.refunded': (rows) =>
			rows.filter(({ refundTotal }) => refundTotal !== undefined).map(refundedEvent),
		'charge.statusChanged': (rows) => rows.map(statusEvent),
	};

/**
 * One event to build a workflow with: the newest charge that matches, from page 1, and from the last page where
 * the list begins with the oldest. Nothing is remembered.
 *
 * @throws {ReportedError} when there is none
 */
export async function findTestEvent(list: ChargeList, { events }: Settings): Promise<ChargeEvent> {
	const first = await list.page(1);
	const { order } = judgeOrder(
		first.rows.map(({ created }) => created),
		undefined,
	);
	if (order !== 'newestFirst' && !first.isEnd && first.count !== undefined) {
		await list.page(Math.ceil(first.count / list.size));
	}
	const newestFirst = [...list.rows.values()].sort((one, other) =>
		one.created < other.created ? 1 : -1,
	);
	for (const name of events) {
		const [example] = EXAMPLES[name](newestFirst);
		if (example !== undefined) return example;
	}
	throw new ReportedError(
		list.rows.size === 0
			? 'There is no charge yet that matches the filters'
			: 'None of the newest charges has been refunded yet',
		'Make a payment (or a refund) in the service, or change Filters, then fetch a test event again. The workflow can be activated without one.',
	);
}
