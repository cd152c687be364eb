import type { IDataObject } from 'n8n-workflow';
import type { PollSettings } from '../../nodes/PaymentCollectionTrigger/description/settings';
import { Watcher } from '../../nodes/PaymentCollectionTrigger/reading/watcher';
import { toStored, type TriggerState } from '../../nodes/PaymentCollectionTrigger/state/state';
import { readCharge, StatusFilter } from '../../nodes/shared/records/charge';
import { WATCHED_EVENTS, type WatchedEventName } from '../../nodes/shared/records/chargeEvents';

/**
 * The watched events of each VERSION of the stored state. An older state believes that nothing of a new event ever happened
 * to a charge, so it would emit old events. When you add an event, raise VERSION and add a line. Never change a line.
 */
const EVENTS_OF_VERSION: Readonly<Record<number, readonly WatchedEventName[]>> = {
	21: ['charge.refunded', 'charge.statusChanged'],
};

/** Records that show one state, and what is stored of it. A new mark would emit each charge again. Never change one. */
const MARKS: Readonly<Record<WatchedEventName, { records: IDataObject[]; mark: string }>> = {
	'charge.refunded': {
		records: [{ refund_total: '1.5' }, { refund_total: 1.5 }, { refund_total: '1.50' }],
		mark: '12BH',
	},
	'charge.statusChanged': {
		records: [{ status: 'Captured' }, { status: 'captured' }],
		mark: 'EY5w',
	},
};

const CREATED = '2026-01-31T12:00:00';

/** What is stored of charges that were all read in one poll. */
function factsOf(records: readonly IDataObject[]): string {
	const watch = { since: CREATED, facts: '', sweptSinceMs: 0 };
	const settings: Partial<PollSettings> = {
		events: new Set(),
		statuses: new StatusFilter(undefined),
	};
	const watcher = new Watcher(watch, settings as PollSettings);
	for (const [number, record] of records.entries()) {
		const charge = readCharge({ id: number, created: `${CREATED}Z`, currency: 'EUR', ...record });
		if (charge !== undefined) watcher.look({ ...charge, key: `charge---${number}` }, false);
	}
	watcher.writeState();
	return watch.facts;
}

it('an event that was added came with a new version of the stored state', () => {
	const { version } = toStored({ serial: 1, state: { scope: {} } as TriggerState });
	const versions = Object.keys(EVENTS_OF_VERSION).map(Number);
	const latest = Math.max(...versions);
	expect([...WATCHED_EVENTS]).toEqual(EVENTS_OF_VERSION[latest]);
	expect(latest).toBeLessThanOrEqual(version as number);
});

it.each(WATCHED_EVENTS)(
	'what is stored of a charge for %s can be read by later versions',
	(name) => {
		const { records, mark } = MARKS[name];
		const stored = factsOf(records).split(',');
		expect(stored).toHaveLength(records.length);
		for (const fact of stored) expect(fact.split(':')[1]).toBe(mark);
	},
);

it('the status of a charge is stored before its refund total', () => {
	const { records: statuses, mark: status } = MARKS['charge.statusChanged'];
	const { records: refunds, mark: refund } = MARKS['charge.refunded'];
	expect(factsOf([{ ...statuses[0], ...refunds[0] }])).toContain(`:${status}${refund}`);
});
