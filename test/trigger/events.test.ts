import type { IDataObject } from 'n8n-workflow';
import type { PollSettings } from '../../nodes/PaymentCollectionTrigger/description/settings';
import { Watcher } from '../../nodes/PaymentCollectionTrigger/reading/watcher';
import { toStored, type TriggerState } from '../../nodes/PaymentCollectionTrigger/state/state';
import { readCharge, StatusFilter } from '../../nodes/shared/records/charge';
import {
	CHARGE_EVENT_NAMES,
	WATCHED_EVENTS,
	type ChargeEventName,
	type WatchedEventName,
} from '../../nodes/shared/records/chargeEvents';
import { eventIds, runGetEvents } from '../action/events/events';
import { triggerOn } from '../support/operations';
import { sandbox, useSandbox } from '../support/sandbox';

/**
 * The watched events of each VERSION of the stored state. An older state believes that nothing of a new event ever happened
 * to a charge, so it would emit old events. When you add an event, raise VERSION and add a line. Each VERSION has one. Never
 * change a line.
 */
const EVENTS_OF_VERSION: Readonly<Record<number, readonly WatchedEventName[]>> = {
	21: ['charge.refunded', 'charge.statusChanged'],
	22: ['charge.refunded', 'charge.statusChanged'],
	23: ['charge.refunded', 'charge.statusChanged'],
};

interface Example {
	/** A charge with the event before {@link CREATED}, in all forms that count as the same. */
	readonly records: readonly IDataObject[];
	/** End of its event_id. */
	readonly state: string;
	/** The event's mark in n8n's database. Never change one: a new mark would emit the charge again. */
	readonly mark: string;
}

const EXAMPLES: Readonly<Record<WatchedEventName, Example>> = {
	'charge.refunded': {
		records: [{ refund_total: '1.5' }, { refund_total: 1.5 }, { refund_total: '1.50' }],
		state: '1.50',
		mark: '.12BH',
	},
	'charge.statusChanged': {
		records: [{ status: 'Captured' }, { status: 'captured' }],
		state: 'Captured',
		mark: 'EY5w',
	},
};

const CREATED = '2026-01-31T12:00:00';

/** The stored facts of charges that were all read in one poll. */
function factsOf(records: readonly IDataObject[]): string {
	const watch = { changesAfter: CREATED, facts: '', sweptSinceMs: 0 };
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

describe('the stored state', () => {
	it('gets a new version with each event that is added', () => {
		const { version } = toStored({ serial: 1, state: { scope: {} } as TriggerState });
		const latest = Math.max(...Object.keys(EVENTS_OF_VERSION).map(Number));
		expect([...WATCHED_EVENTS]).toEqual(EVENTS_OF_VERSION[latest]);
		expect(latest).toBe(version);
	});

	it.each(WATCHED_EVENTS)('keeps the same letters for a state of %s', (name) => {
		const { records, mark } = EXAMPLES[name];
		const facts = factsOf(records).split(',');
		expect(facts.map((fact) => fact.split(':')[1])).toEqual(records.map(() => mark));
	});

	it('has the mark of a status before any other', () => {
		const { 'charge.statusChanged': status, ...others } = EXAMPLES;
		const later = Object.values(others);
		const records = [status, ...later].map(({ records: [first] }) => first);
		const marks = [status, ...later].map(({ mark }) => mark).join('');
		expect(factsOf([Object.assign({}, ...records) as IDataObject])).toContain(`:${marks}`);
	});
});

it('a refund shows its amount, whatever statuses the charge had before', () => {
	const settings: Partial<PollSettings> = {
		events: new Set(['charge.refunded']),
		statuses: new StatusFilter(undefined),
		maxEvents: 10,
	};
	const usual = EXAMPLES['charge.statusChanged'].mark;
	const watch = {
		changesAfter: CREATED,
		facts: '',
		sweptSinceMs: 0,
		usual,
		isComplete: true as const,
	};
	const refunds = [{ amount: '1.50', created: '2026-01-31T15:00:00Z' }];
	const states = [
		{ status: 'pending' },
		{ status: 'captured' },
		{ status: 'captured', refund_total: '1.50', refunds },
		{
			status: 'refunded',
			refund_total: '4.00',
			refunds: [...refunds, { amount: '2.50', created: '2026-01-31T16:00:00Z' }],
		},
	];
	const emitted = states.flatMap((state, poll) => {
		const watcher = new Watcher(watch, settings as PollSettings);
		const charge = readCharge({ id: 1, created: `${CREATED}Z`, currency: 'EUR', ...state });
		if (charge !== undefined) watcher.look({ ...charge, key: 'charge---1' }, poll === 0);
		const events = watcher.takeEvents(10);
		watcher.writeState();
		return events.map(({ refundedAmount }) => refundedAmount);
	});
	expect(emitted).toEqual(['1.50', '2.50']);
});

it('a status that changed during the first reading is emitted once, however often it is read', () => {
	const since = '2026-01-31T13:00:00';
	const settings: Partial<PollSettings> = {
		events: new Set(['charge.created', 'charge.statusChanged']),
		statuses: new StatusFilter(['captured']),
		maxEvents: 10,
	};
	const watch = { changesAfter: since, facts: '', sweptSinceMs: 0, usual: 'NCyh' };
	const watcher = new Watcher(watch, settings as PollSettings);
	const events = { type: 'captured', created: '2026-01-31T14:00:00Z' };
	const charge = readCharge({ id: 1, created: `${CREATED}Z`, status: 'captured', events });
	const row = charge && { ...charge, key: 'charge---1' };
	for (let reading = 1; reading <= 3 && row !== undefined; reading++) watcher.look(row, false);
	expect(watcher.takeEvents(10).map(({ name }) => name)).toEqual(['charge.statusChanged']);
});

useSandbox({ counts: { customers: 0, links: 0, invoices: 0, checkoutSessions: 0, charges: 0 } });

const alone = CHARGE_EVENT_NAMES.map((name) => [name]);
it.each<[ChargeEventName[]]>([...alone, [...CHARGE_EVENT_NAMES]].map((events) => [events]))(
	'a chosen event is emitted, returned by Get Events and shown as a test event: %s',
	async (events) => {
		const parameters = { events };
		const poller = triggerOn(sandbox, { parameters });
		const since = new Date(Date.now() - 60_000).toISOString();
		const { id } = sandbox.insertCharge({ currency: 'EUR', status: 'authorised' });
		await poller.activate();
		await poller.tick();
		const { id: newId } = sandbox.insertCharge({ currency: 'EUR', status: 'authorised' });
		for (const { records } of Object.values(EXAMPLES))
			sandbox.store.changeCharge(id, (charge) => ({ ...charge, ...records[0] }));

		const expected = events.map((name) =>
			name === 'charge.created' ? `${name}:${newId}` : `${name}:${id}:${EXAMPLES[name].state}`,
		);
		const emitted = eventIds((await poller.tick()).json);
		expect(emitted.sort()).toEqual(expected.sort());
		expect((await poller.tick()).items).toBeNull();
		const returned = eventIds(
			(await runGetEvents(sandbox, { parameters: { ...parameters, since } })).json,
		);
		expect(returned).toEqual(expect.arrayContaining(expected));
		const names = returned.map((one) => one.split(':')[0]);
		expect([...new Set(names)].sort()).toEqual([...events].sort());
		const samples = events.map((event) => ({ event }));
		expect((await poller.fetchTestEvent()).json).toMatchObject(samples);
	},
);

it('the refunded amounts of a charge add up to its refund total, however many refunds there are between two polls', async () => {
	const parameters = { events: ['charge.refunded'] };
	const poller = triggerOn(sandbox, { parameters });
	await poller.activate();
	await poller.tick();
	const { id } = sandbox.insertCharge({ currency: 'EUR', total: '20.00' });
	const refund = async (...amounts: string[]): Promise<unknown> => {
		const created = new Date().toISOString();
		sandbox.store.changeCharge(id, (charge) => {
			const refunds = [...charge.refunds, ...amounts.map((amount) => ({ created, amount }))];
			const sum = refunds.reduce((total, { amount }) => total + Number(amount), 0);
			return { ...charge, refunds, refund_total: sum.toFixed(2) };
		});
		return (await poller.tick()).json.map((item) => item['refunded_amount']);
	};
	expect(await refund('5.00')).toEqual(['5.00']);
	expect(await refund('2.50', '0.25')).toEqual(['2.75']);
	expect(await refund('12.25')).toEqual(['12.25']);
	const { json } = await runGetEvents(sandbox, {
		parameters: { ...parameters, since: new Date(Date.now() - 60_000).toISOString() },
	});
	expect(json.map((item) => item['refunded_amount'])).toEqual(['5.00', '2.50', '0.25', '12.25']);
	// The first refund failed: the charge no longer shows which total was emitted last.
	sandbox.store.changeCharge(id, (charge) => {
		const [failed, ...others] = charge.refunds;
		const refunds = [{ ...failed, status: 'failed' }, ...others] as typeof charge.refunds;
		return { ...charge, refunds, refund_total: '15.00' };
	});
	expect((await poller.tick()).json).toMatchObject([
		{ refund_total: '15.00', refunded_amount: null },
	]);
});
