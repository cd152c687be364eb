import type { IDataObject } from 'n8n-workflow';
import { parseCursor } from '../../nodes/PaymentCollectionTrigger/cursor';
import { readChargeRow } from '../../nodes/PaymentCollectionTrigger/chargeRow';
import {
	inOrder,
	refundedEvent,
	statusEvent,
	toItem,
} from '../../nodes/PaymentCollectionTrigger/events';
import { isTransient } from '../../nodes/PaymentCollectionTrigger/faults';
import { KeySet, keyOf } from '../../nodes/PaymentCollectionTrigger/keySet';
import { underFilters } from '../../nodes/PaymentCollectionTrigger/startFrom';
import { fromMs, parseInstant, toMs } from '../../nodes/PaymentCollectionTrigger/timestamps';
import { Watcher, firstWatch } from '../../nodes/PaymentCollectionTrigger/watch';
import { failureTexts, toNodeError } from '../../nodes/shared/failures';
import { filtersToQuery } from '../../nodes/shared/filters';

const DAY = '2026-03-01T00:00:00Z';
const rowOf = (fields: IDataObject = {}) =>
	readChargeRow({ id: 'a', created: DAY, status: 'authorised', refund_total: '0.00', ...fields });

describe('a row of the charge list', () => {
	it.each([[{ id: undefined }], [{ id: '' }], [{ created: 'soon' }]])(
		'is an error, not passed over, with %p',
		(fields) => {
			expect(() => rowOf(fields)).toThrow('not what the service documents');
		},
	);

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
		expect(rowOf({ status: 7 }).status).toBe('');
	});
});

describe('events', () => {
	it('without a date of their own are dated by their charge, and sorted by name at one time', () => {
		const row = rowOf({ refund_total: '2.50' });
		const events = inOrder([
			statusEvent(row),
			refundedEvent(row),
			refundedEvent(rowOf({ id: '0' })),
		]);
		expect(events.map(({ name, charge }) => [charge.id, name])).toEqual([
			['0', 'charge.refunded'],
			['a', 'charge.refunded'],
			['a', 'charge.statusChanged'],
		]);
		expect(events.every(({ at }) => at === row.created)).toBe(true);
	});

	const itemOf = (fields: IDataObject, simplify: boolean) =>
		toItem(refundedEvent(rowOf({ refund_total: '2.50', ...fields })), {
			apiKey: 'key-of-a-test',
			includeSensitiveData: false,
			simplify,
		}).json;

	it('begin with the event, and are simplified on request', () => {
		const item = itemOf({ extra: 1 }, true);
		expect(item).toMatchObject({ id: 'a', event_id: 'charge.refunded:a:2.50' });
		expect(item).not.toHaveProperty('extra');
		for (const keys of [Object.keys(item), Object.keys(itemOf({}, false))]) {
			expect(keys.slice(0, 3)).toEqual(['event', 'event_id', 'id']);
		}
	});

	it('are not hidden by fields of the charge with the same names', () => {
		expect(itemOf({ event: 'x', event_id: 'y' }, false)).toMatchObject({
			event: 'charge.refunded',
			event_id: 'charge.refunded:a:2.50',
		});
	});

	it('have no key in their id, should the service put it there', () => {
		expect(itemOf({ id: 'key-of-a-test' }, true).event_id).toBe('charge.refunded:[redacted]:2.50');
	});
});

describe('instants', () => {
	it('read offsets in hours alone and no-one’s days as nothing', () => {
		expect(parseInstant('2026-03-01T04:00:00+04')).toBe('2026-03-01T00:00:00');
		expect(parseInstant('2026-00-01T00:00:00Z')).toBeUndefined();
		expect(parseInstant('2026-01-01T00:61:00Z')).toBeUndefined();
	});

	it('are open at both ends', () => {
		expect(toMs('')).toBe(Number.NEGATIVE_INFINITY);
	});
});

describe('known charges', () => {
	it('are kept once, and told when there are too many', () => {
		const keys = new KeySet({}, 60);
		for (const [id, minute] of [
			['a', 1],
			['a', 1],
			['b', 2],
			['c', 3],
		] as const) {
			keys.add(keyOf(id), fromMs(minute * 60_000));
		}
		expect(keys.size).toBe(3);
		expect(keys.fits(3)).toBeUndefined();
		expect(keys.fits(2)).toBe(2 * 60_000);
	});
});

describe('the watch for refunds and changes of status', () => {
	const watch = { ...firstWatch([rowOf()], '2026-02-01T00:00:00', ''), isComplete: true };
	const round = { page: 1, nextFrom: watch.from, isComplete: true, from: watch.from };
	const since = '2026-03-10T00:00:00';

	it('tells 5.0 and 5.00 refunded as one, and 5.01 as another', () => {
		const watcher = new Watcher(watch);
		const told = ['5', '5.0', '5.00', '5.01', '50'].map(
			(total) => watcher.lookAgain(rowOf({ refund_total: total })).length,
		);
		expect(told).toEqual([1, 0, 0, 1, 1]);
	});

	it('begins empty where there is no charge, and does not tell what was there', () => {
		const first = firstWatch([], '2026-02-01T00:00:00', since);
		expect(first.usualStatus).toBe('');
		const watcher = new Watcher(first);
		expect(watcher.lookAgain(rowOf())).toEqual([]);
		expect(watcher.lookAgain(rowOf({ status: 'voided' }))).toHaveLength(1);
		expect(watcher.lookAgain(rowOf({ created: '2026-01-01T00:00:00Z' }))).toEqual([]);
		const dated = { type: 'settled', created: '2026-03-02T00:00:00Z' };
		expect(watcher.lookAgain(rowOf({ id: 'b', status: 'settled', events: dated }))).toEqual([]);
	});

	it('remembers at most so much, and says when it watches fewer days for it', () => {
		const watcher = new Watcher(watch);
		for (let index = 0; index < 18_100; index++) {
			const created = fromMs(Date.parse(DAY) + index * 60_000);
			watcher.lookAgain(rowOf({ id: `${index}`, created: `${created}Z`, refund_total: '1' }));
		}
		const { wasShortened, watch: next } = watcher.toWatch(round);
		expect(wasShortened).toBe(true);
		expect(next.from > round.from).toBe(true);
	});

	it('knows only so many statuses to begin with, and forgets none of the charges for it', () => {
		const watcher = new Watcher(watch);
		for (let index = 0; index < 40; index++) {
			const charge = rowOf({ id: `${index}`, status: `status ${index}` });
			expect(watcher.lookAtNew(charge)).toEqual([]);
			expect(watcher.lookAgain(charge)).toEqual([]);
		}
		expect(watcher.toWatch(round).watch.firstStatuses).toHaveLength(32);
	});
});

describe('a stored cursor', () => {
	const stored = { version: 2, account: 'a', filters: 'f', newest: 'n', from: 'f', known: {} };

	it('that lacks what every decision rests on is no cursor', () => {
		expect(parseCursor({ ...stored, account: 1 })).toBeUndefined();
		expect(parseCursor({ ...stored, newest: 1 })).toBeUndefined();
		expect(parseCursor({ ...stored, known: { a: 1 } })).toBeUndefined();
		expect(parseCursor({ ...stored, known: [] })).toBeUndefined();
	});

	it('keeps what can be read of the rest', () => {
		const rest = { slackMs: 3, isBehind: true, order: 'none', silentUpTo: 's' };
		expect(
			parseCursor({ ...stored, ...rest, pass: 7, watch: 7, snapshot: 7, position: 7 }),
		).toEqual({
			...stored,
			...rest,
		});
	});
});

describe('a change of filters', () => {
	const cursor = { version: 2, account: '', filters: 'old', newest: 'n', from: 'f', known: {} };

	it('keeps what does not depend on them, and looks at the watched charges afresh', () => {
		const watch = firstWatch([], 'f', 's');
		expect(underFilters(cursor, 'old')).toBe(cursor);
		expect(underFilters({ ...cursor, isBehind: true }, 'new')).toMatchObject({ isBehind: true });
		expect(underFilters({ ...cursor, order: 'none', slackMs: 5, watch }, 'new')).toMatchObject({
			silentUpTo: 'n',
			order: 'none',
			slackMs: 5,
			watch: { isComplete: false },
		});
	});
});

describe('failures', () => {
	const failure = { request: 'GET /x', isWrite: false, attempts: 1, detail: '', notExecuted: true };
	const node = {
		id: '',
		name: '',
		type: '',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	} satisfies Parameters<typeof toNodeError>[1];

	it('that nobody knows a word for are told by their code', () => {
		const texts = failureTexts({ ...failure, kind: 'network', detail: 'EWHATEVER' });
		expect(texts.message).toBe('No connection to the service (EWHATEVER)');
		expect(failureTexts({ ...failure, kind: 'http', status: 429 }).message).toBe(
			'The service receives too many requests (HTTP 429)',
		);
	});

	it('that are not ours come back as errors', () => {
		expect(toNodeError('text', node).message).toBe('text');
		expect(isTransient('text')).toBe(false);
	});
});

it('a filter that does not exist is an error, and no filters are none', () => {
	expect(filtersToQuery(undefined, {})).toEqual({});
	expect(() => filtersToQuery({ color: 'red' }, {})).toThrow('no filter named color');
});
