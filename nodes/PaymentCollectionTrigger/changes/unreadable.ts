import type { EventName } from '../../shared/charges/chargeEvents';
import { hasReadableTotal } from '../../shared/charges/refundTotal';
import type { Watch } from '../cursor/watch';
import type { ChargeRow } from '../list/chargeRow';

/** Charges that a poll has looked at, of which it can't decide something that is asked for. */
export interface Unreadable {
	readonly refunds: number;
	readonly statuses: number;
}

/** What can't be read is told once it can be: until then somebody has to know of it. */
export function countUnreadable(
	rows: Iterable<ChargeRow>,
	{ from, statusesSince }: Watch,
	events: ReadonlySet<EventName>,
): Unreadable {
	let [refunds, statuses] = [0, 0];
	for (const { created, record, refundTotal, status } of rows) {
		if (created < from) continue;
		if (events.has('charge.refunded') && refundTotal === undefined && !hasReadableTotal(record))
			refunds += 1;
		if (statusesSince !== undefined && status === undefined) statuses += 1;
	}
	return { refunds, statuses };
}
