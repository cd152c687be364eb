import type { IDataObject } from 'n8n-workflow';
import { inOrder, refundedEvent, statusEvent } from '../../nodes/shared/charges/chargeEvents';
import { StatusFilter } from '../../nodes/shared/charges/statusFilter';
import { Watcher } from '../../nodes/PaymentCollectionTrigger/changes/watcher';
import type { Watch } from '../../nodes/PaymentCollectionTrigger/cursor/watch';
import { KeySet, keyOf } from '../../nodes/PaymentCollectionTrigger/cursor/keySet';
import {
	readAccounts,
	readStored,
	toStored,
} from '../../nodes/PaymentCollectionTrigger/cursor/stored';
import { isTransient } from '../../nodes/PaymentCollectionTrigger/host/faults';
import {
	keyOfUnreadable,
	readChargeRow,
} from '../../nodes/PaymentCollectionTrigger/list/chargeRow';
import type { ChargeRow } from '../../nodes/PaymentCollectionTrigger/list/chargeRow';
import { firstCursor } from '../../nodes/PaymentCollectionTrigger/reading/begin';
import { KnownCharges } from '../../nodes/PaymentCollectionTrigger/reading/knownCharges';
import { EARLIEST, LATEST, fromMs, parseInstant, shift, toMs } from '../../nodes/shared/timestamps';

const DAY = '2026-03-01T00:00:00Z';

function rowOf(fields: IDataObject = {}): ChargeRow {
	const record = { id: 'a', created: DAY, status: 'authorised', refund_total: '0.00', ...fields };
	const row = readChargeRow(record);
	if (row === undefined) throw new Error('The row can’t be read');
	return row;
}

describe('timestamps', () => {
	it.each([
		['2026-01-31T12:00:00Z', '2026-01-31T12:00:00'],
		['2026-01-31T12:00:00.000000Z', '2026-01-31T12:00:00'],
		['2026-01-31T12:00:00.120000Z', '2026-01-31T12:00:00.12'],
		['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456789'],
		['2026-01-31T12:00:00.5+04:00', '2026-01-31T08:00:00.5'],
		['2026-03-01T04:00:00+04', '2026-03-01T00:00:00'],
		['2026-01-31T23:30:00-0130', '2026-02-01T01:00:00'],
		['2026-01-31 12:00:00', '2026-01-31T12:00:00'],
		['2026-12-31T23:59:60Z', '2027-01-01T00:00:00'],
		['2026-01-31', '2026-01-31T00:00:00'],
		['9999-12-31', '9999-12-31T00:00:00'],
		['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59'],
		['0050-01-31T00:00:00Z', '0050-01-31T00:00:00'],
	])('reads %s exactly', (text, instant) => {
		expect(parseInstant(text)).toBe(instant);
	});

	it.each([
		'',
		'yesterday',
		'2026-13-01T00:00:00Z',
		'2026-00-01T00:00:00Z',
		'2026-01-01T25:00:00Z',
		'2026-01-01T00:61:00Z',
		`2026-01-01T00:00:00.${'0'.repeat(100_000)}1Z`,
		1_700_000_000,
		null,
		undefined,
	])('refuses %p', (text) => {
		expect(parseInstant(text)).toBeUndefined();
	});

	it('tells microseconds apart, and keeps them when time is added', () => {
		const early = parseInstant('2026-01-31T12:00:00.000001Z') ?? '';
		const late = parseInstant('2026-01-31T16:00:00.000002+04:00') ?? '';
		expect(early < late).toBe(true);
		expect(shift(early, -1)).toBe('2026-01-31T11:59:59.999001');
		expect(fromMs(toMs('2026-01-31T12:00:00.25'))).toBe('2026-01-31T12:00:00.25');
	});

	it('stay within four-digit years, so that they compare as text', () => {
		expect(shift(EARLIEST, -1)).toBe(EARLIEST);
		expect(shift(LATEST, 86_400_000)).toBe(LATEST);
	});
});

describe('a row of the charge list', () => {
	it.each([
		[{ id: undefined }],
		[{ id: '' }],
		[{ id: 5 }],
		[{ id: 'x'.repeat(500) }],
		[{ created: 'soon' }],
		[{ created: null }],
	])('can’t be read with %p', (fields) => {
		expect(readChargeRow({ id: 'a', created: DAY, ...fields })).toBeUndefined();
	});

	it('that is no record can’t be read either, and has no id to remember', () => {
		for (const row of [null, 'text', 5, []]) {
			expect(readChargeRow(row)).toBeUndefined();
			expect(keyOfUnreadable(row)).toBeUndefined();
		}
		expect(keyOfUnreadable({ id: 'a' })).toBe(rowOf().key);
	});

	it('is dated by its newest refund record, as far as records can be read', () => {
		const refunds = [{ created: '2026-03-02T00:00:00Z' }, { created: '2026-03-05T00:00:00Z' }];
		const refunded = { refund_total: '1.00' };
		expect(rowOf({ ...refunded, refunds }).refundedAt).toBe('2026-03-05T00:00:00');
		expect(rowOf({ ...refunded, refunds: ['x', { created: 'x' }] }).refundedAt).toBeUndefined();
		expect(rowOf({ ...refunded, refunds: 'none' }).refundedAt).toBeUndefined();
		expect(rowOf({ refund_total: 'x' }).refundTotal).toBeUndefined();
	});

	it('knows since when it has its status only from an event of that name', () => {
		const events = { type: 'authorised', created: DAY };
		expect(rowOf({ events }).statusSince).toBe('2026-03-01T00:00:00');
		expect(rowOf({ events: { ...events, type: 'created' } }).statusSince).toBeUndefined();
		expect(rowOf({ events: [] }).statusSince).toBeUndefined();
		expect(rowOf({ status: 7 }).status).toBeUndefined();
	});
});

it('events without a date of their own are dated by their charge, and sorted by name at one time', () => {
	const row = rowOf({ refund_total: '2.50' });
	const other = refundedEvent(rowOf({ id: '0' }));
	const events = inOrder([statusEvent(row), refundedEvent(row), other]);
	expect(events.map(({ name, charge }) => [charge.id, name])).toEqual([
		['0', 'charge.refunded'],
		['a', 'charge.refunded'],
		['a', 'charge.statusChanged'],
	]);
	expect(events.every(({ at }) => at === row.created)).toBe(true);
});

describe('known charges', () => {
	const minute = (number: number) => fromMs(number * 60_000);

	it('are forgotten by the latest time that was seen of them', () => {
		const keys = new KeySet({}, 1);
		keys.add(keyOf('a'), minute(1));
		keys.add(keyOf('a'), minute(9));
		keys.add(keyOf('b'), minute(2));
		keys.forgetBefore(minute(5));
		expect([keys.has(keyOf('a')), keys.has(keyOf('b'))]).toEqual([true, false]);
	});

	it('are the same when they were written and read', () => {
		const keys = new KeySet({}, 1);
		for (let index = 0; index < 50; index++) keys.add(keyOf(`${index}`), minute(index % 7));
		const again = new KeySet(keys.toBuckets(), 1);
		for (let index = 0; index < 50; index++) expect(again.has(keyOf(`${index}`))).toBe(true);
		expect(again.toBuckets()).toEqual(keys.toBuckets());
	});

	it('give way from the oldest on when there is no room for all', () => {
		const keys = new KeySet({}, 60);
		for (let index = 0; index < 100; index++) keys.add(keyOf(`${index}`), minute(index));
		expect(keys.shrink({ most: 10_000, enough: 1_000 })).toBeUndefined();
		const from = keys.shrink({ most: 2_000, enough: 1_000 });
		expect(from).toBe(minute(62));
		expect([keys.has(keyOf('61')), keys.has(keyOf('62'))]).toEqual([false, true]);
	});
});

describe('a stored state', () => {
	const filters = { fingerprint: 'f', isOtherwiseWhole: true, isCountable: true };
	const accounts = [
		{ account: 'b', seenUpTo: '2026-03-10T00:00:00', windowStart: '2026-03-09T23:00:00' },
	];
	const state = { serial: 7, accounts, cursor: firstCursor('a', filters, 0) };
	const stored = toStored(state);

	it('is read as it was written', () => {
		expect(readStored(stored)).toEqual(state);
	});

	it('of another version shows all the same up to when its accounts were seen', () => {
		expect(readAccounts({ ...stored, version: 3, text: '?' })).toEqual(accounts);
		expect(readAccounts({ ...stored, accounts: '[]' })).toBeUndefined();
	});

	it.each([
		undefined,
		null,
		'text',
		[],
		{},
		{ ...stored, version: 3 },
		{ ...stored, serial: 8 },
		{ ...stored, text: `${JSON.stringify(stored['text'])} ` },
		{ ...stored, checksum: '' },
		{ ...stored, accounts: '[]' },
	])('that is damaged or of another version is none: %#', (nonsense) => {
		expect(readStored(nonsense)).toBeUndefined();
	});
});

it('a stored state with all that may be remembered stays below 256 kB', () => {
	const at = (index: number, seconds: number) => fromMs(Date.parse(DAY) + index * seconds * 1_000);
	const text = 'x'.repeat(22);
	const filters = { fingerprint: text, currency: 'EUR', isOtherwiseWhole: true, isCountable: true };
	const cursor = firstCursor(text, filters, 0);
	const since = '2026-03-01T00:00:00.000001';
	const backlog = { upTo: since, currency: 'EUR' };
	cursor.unread = Array.from({ length: 200 }, (_, index) => {
		const from = 1_000_000 + 2 * index;
		return { from, to: from + 1, since, knownSince: since, backlog, failures: 12 };
	});
	const known = new KnownCharges(cursor);
	const watch: Watch = {
		from: DAY,
		since,
		isComplete: true,
		usualStatus: 'authorised',
		statusSets: Array.from({ length: 130 }, (_, index) => [`status ${index}`]),
		facts: {},
		pagesDone: 0,
		repeats: 0,
		failures: 0,
		nextFrom: DAY,
	};
	const watcher = new Watcher(watch, {
		events: new Set(['charge.refunded'] as const),
		statuses: new StatusFilter(undefined),
		wasComplete: true,
		hadLeftOut: false,
		seenIn: undefined,
		wereStatusesNew: false,
		room: 1e6,
		latestDate: LATEST,
	});
	// One in each bucket of time, which is the dearest way.
	for (let index = 0; index < 4_230; index++) {
		const key = keyOf(`${index}`);
		known.addTaken(key, at(index, 1));
		const created = `${at(index, 3_600)}Z`;
		watcher.lookAgain(rowOf({ id: `${index}`, created, refund_total: '1' }));
	}
	known.save();
	watcher.save();
	const seenUpTo = '2026-03-10T00:00:00.123456';
	const windowStart = seenUpTo;
	const accounts = Array.from({ length: 20 }, () => ({
		account: text,
		seenUpTo,
		windowStart,
	}));
	const stored = toStored({ serial: 1e13, accounts, cursor: { ...cursor, watch } });
	expect(JSON.stringify({ 'node:Trigger': { cursor: stored } }).length).toBeLessThan(256_000);
});

describe('the watch for refunds and changes of status', () => {
	const watchOf = (fields: Partial<Watch> = {}): Watch => ({
		from: '2026-02-01T00:00:00',
		since: '2026-03-10T00:00:00',
		isComplete: true,
		statusesSince: '2026-03-10T00:00:00',
		usualStatus: 'authorised',
		statusSets: [],
		facts: {},
		pagesDone: 0,
		repeats: 0,
		failures: 0,
		nextFrom: '2026-02-01T00:00:00',
		...fields,
	});
	const all = {
		events: new Set(['charge.created', 'charge.refunded', 'charge.statusChanged'] as const),
		statuses: new StatusFilter(undefined),
	};
	const latestDate = '2026-04-01T00:00:00';
	const watcherOf = (watch: Watch, room = 100_000) =>
		new Watcher(watch, {
			...all,
			wasComplete: watch.isComplete,
			hadLeftOut: false,
			seenIn: undefined,
			wereStatusesNew: false,
			room,
			latestDate,
		});

	it('tells 5.0 and 5.00 refunded as one, and 5.01 as another', () => {
		const watcher = watcherOf(watchOf());
		for (const total of ['5', '5.0', '5.00', '5.01', '50']) {
			watcher.lookAgain(rowOf({ refund_total: total }));
		}
		expect(watcher.events.map(({ charge }) => charge.refundTotal)).toEqual(['5', '5.01', '50']);
	});

	it('begins empty where there is no charge, and does not tell what was there', () => {
		const { usualStatus, ...empty } = watchOf({ isComplete: false });
		expect(usualStatus).toBe('authorised');
		const watcher = watcherOf(empty);
		watcher.lookAgain(rowOf());
		watcher.lookAgain(rowOf({ created: '2026-01-01T00:00:00Z', status: 'voided' }));
		const dated = { type: 'settled', created: '2026-03-02T00:00:00Z' };
		watcher.lookAgain(rowOf({ id: 'b', status: 'settled', events: dated }));
		expect(watcher.events).toEqual([]);
		watcher.lookAgain(
			rowOf({ status: 'voided', events: { type: 'voided', created: '2026-03-11' } }),
		);
		expect(watcher.events).toHaveLength(1);
	});

	it('tells what happened to charges that came in since it began, dated or not, before it has looked at all', () => {
		const watch = watchOf({ isComplete: false });
		const later = { id: 'b', created: '2026-03-20T00:00:00Z' };
		const farAhead = { id: 'c', created: '9999-12-31T00:00:00Z' };
		// By a fast clock, the watch began after it.
		const first = watcherOf(watch);
		first.lookAtNew(rowOf());
		first.save();
		const watcher = watcherOf(watch);
		const refund = { refund_total: '1.00', status: 'voided' };
		for (const fields of [{}, later, farAhead]) watcher.lookAgain(rowOf({ ...fields, ...refund }));
		expect(watcher.events.map(({ name, charge: { id } }) => [name, id])).toEqual([
			['charge.statusChanged', 'a'],
			['charge.refunded', 'a'],
			['charge.statusChanged', 'b'],
			['charge.refunded', 'b'],
		]);
	});

	it('remembers at most so much, and says when it watches fewer days for it', () => {
		const watch = watchOf();
		const watcher = watcherOf(watch);
		for (let index = 0; index < 18_100; index++) {
			const created = fromMs(Date.parse(DAY) + index * 60_000);
			watcher.lookAgain(rowOf({ id: `${index}`, created: `${created}Z`, refund_total: '1' }));
		}
		expect(watcher.save()).toBe(true);
		expect(watch.from > '2026-02-01T00:00:00').toBe(true);
	});

	it('keeps a table of so many sets of statuses, and forgets none of a charge for it', () => {
		const watch = watchOf();
		const watcher = watcherOf(watch);
		for (let index = 0; index < 400; index++) {
			const fields = { id: `${index % 10}`, status: `status ${index}` };
			if (index < 10) watcher.lookAtNew(rowOf(fields));
			watcher.lookAgain(rowOf(fields));
			watcher.lookAgain(rowOf(fields));
		}
		expect(watcher.events).toHaveLength(390);
		expect(JSON.stringify(watch.statusSets).length).toBeLessThan(2_001);
	});

	it('tells what found no room when it sees it again', () => {
		const watch = watchOf();
		const first = watcherOf(watch, 0);
		first.lookAgain(rowOf({ refund_total: '1.00', status: 'voided' }));
		first.save();
		expect(first.events).toEqual([]);
		const second = watcherOf(watch, 2);
		second.lookAgain(rowOf({ refund_total: '1.00', status: 'voided' }));
		expect(second.events.map(({ name }) => name)).toEqual([
			'charge.statusChanged',
			'charge.refunded',
		]);
	});
});

it('what is no failure of the service is no passing one', () => {
	expect(isTransient('text')).toBe(false);
});
