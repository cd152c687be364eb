import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { hintsOf, pageOf, shownError } from '../../support/lists';
import { uuid } from '../../support/operations';
import { failure, json, scriptedServer } from '../../support/servers/http-server';
import { chargeOf, eventIds, refundOn, runGetEvents, type EventOptions } from './events';

const SINCE = '2025-03-10T12:00:00Z';

async function eventsOf(
	charges: unknown[],
	parameters: INodeParameters = {},
	options: Partial<EventOptions> = {},
) {
	const server = await scriptedServer(({ query }) =>
		pageOf(charges as IDataObject[], Number(query['page']), Number(query['page_size'])),
	);
	const result = await runGetEvents(server, {
		...options,
		parameters: { since: SINCE, ...parameters },
	});
	return { ids: eventIds(result.json), hints: hintsOf(result), result, server };
}

const refunds = (...fields: IDataObject[]): Promise<Awaited<ReturnType<typeof eventsOf>>> =>
	eventsOf(
		fields.map((one, index) => chargeOf(index + 1, 5, one)),
		{ events: ['charge.refunded'] },
	);

const refundIds = (number: number, ...totals: string[]): string[] =>
	totals.map((total) => `charge.refunded:${uuid(number)}:${total}`);

it('returns each charge between event and event_id, the oldest event first', async () => {
	const older = chargeOf(1, 5, { refund_total: '5.00', refunds: [refundOn(14, '5.00')] });
	const newer = chargeOf(2, 12);
	const { result } = await eventsOf([newer, older]);
	const given = (event: string, state: string, charge: IDataObject) => ({
		event,
		...charge,
		...(event === 'charge.refunded' ? { refunded_amount: '5.00' } : {}),
		event_id: `${event}:${charge['id'] as string}${state}`,
	});
	expect(result.json).toEqual([
		given('charge.statusChanged', ':authorised', older),
		given('charge.created', '', newer),
		given('charge.statusChanged', ':authorised', newer),
		given('charge.refunded', ':5.00', older),
	]);
	for (const item of result.json) {
		const names = Object.keys(item);
		expect([names[0], names.at(-1)]).toEqual(['event', 'event_id']);
		expect(names.indexOf('refunded_amount')).toBe(item['event'] === 'charge.refunded' ? 1 : -1);
	}
});

it('a page that is always missing has a warning, also if the count changes meanwhile', async () => {
	const charges = Array.from({ length: 500 }, (_, index) => chargeOf(index + 1, 12));
	let count = 500;
	const server = await scriptedServer(({ query }) =>
		query['page'] === '4'
			? failure(404, 'No such page')
			: pageOf(charges, Number(query['page']), 100, { count: count++ }),
	);
	const result = await runGetEvents(server, { parameters: { since: SINCE } });
	expect(hintsOf(result)).toEqual([expect.stringContaining('might be incomplete')]);
});

describe('Since', () => {
	const at = (created: string) => chargeOf(1, 1, { created });

	it.each([
		['2025-03-10T12:00:00Z', 1],
		['2025-03-10T11:59:59.999999Z', 0],
		['2025-03-10T12:00:00.000001Z', 1],
		['2025-03-10T16:00:00+04:00', 1],
		['2025-03-10T15:59:59+04:00', 0],
		['2025-03-10T12:00:00', 1],
	])('includes its own moment: a charge of %s', async (created, events) => {
		const { ids } = await eventsOf([at(created)], { events: ['charge.created'] });
		expect(ids).toHaveLength(events);
	});

	it.each([
		['2025-03-10T08:00:00', 'America/New_York', SINCE],
		['2025-03-10 08:00', 'America/New_York', SINCE],
		['={{ DateTime.fromISO("2025-03-10T12:00:00Z") }}', 'Asia/Tokyo', SINCE],
		['={{ new Date("2025-03-10T12:00:00Z") }}', 'Asia/Tokyo', SINCE],
		// A skipped hour counts as the hour before, a repeated one as the first.
		['2024-03-10T02:30', 'America/New_York', '2024-03-10T06:30:00Z'],
		['2024-10-27T02:30', 'Europe/Paris', '2024-10-27T00:30:00Z'],
	])('%s is read in the workflow’s time zone (%s) or its own: %s', async (...row) => {
		const [since, timeZone, first] = row;
		const before = new Date(Date.parse(first) - 1000).toISOString();
		const charges = [at(first), chargeOf(2, 10, { created: before })];
		const { ids } = await eventsOf(charges, { since, events: ['charge.created'] }, { timeZone });
		expect(ids).toEqual([`charge.created:${uuid(1)}`]);
	});
});

describe('Until', () => {
	const untilThen = { until: '2025-03-20T12:00:00Z' };

	it('ends just before the events that the same time as Since begins with', async () => {
		const charges = [
			chargeOf(1, 1, { created: '2025-03-20T11:59:59.999999Z' }),
			chargeOf(2, 1, { created: '2025-03-20T16:00:00+04:00' }),
			chargeOf(3, 21),
		];
		const events = ['charge.created'];
		const until = { until: '2025-03-20T08:00' };
		const timeZone = 'America/New_York';
		const before = await eventsOf(charges, { events, ...until }, { timeZone });
		expect(before.ids).toEqual([`charge.created:${uuid(1)}`]);
		const after = await eventsOf(charges, { events, since: until.until }, { timeZone });
		expect(after.ids).toEqual([2, 3].map((number) => `charge.created:${uuid(number)}`));
	});

	it('includes refunds by the date of their records, and undated ones of earlier charges', async () => {
		const early = { refund_total: '5.00', refunds: [refundOn(12, '2.00'), refundOn(20, '3.00')] };
		const undated = { refund_total: '4.00', refunds: [] };
		const charges = [chargeOf(1, 5, early), chargeOf(2, 15, undated), chargeOf(3, 21, undated)];
		const { ids, hints } = await eventsOf(charges, {
			events: ['charge.refunded'],
			...untilThen,
		});
		expect(ids.sort()).toEqual([...refundIds(1, '2.00'), ...refundIds(2, '4.00')]);
		expect(hints).toEqual([expect.stringMatching(/don’t add up to refund_total: 1\./)]);
	});

	it('leaves out statuses that are dated then or later, and charges created then', async () => {
		const since = (day: number, type = 'authorised') => ({
			events: { type, created: `2025-03-${day}T12:00:00Z` },
		});
		const charges = [
			chargeOf(1, 11, since(19)),
			chargeOf(2, 12, since(20)),
			chargeOf(3, 13, since(20, 'captured')),
			chargeOf(4, 20),
		];
		const { ids } = await eventsOf(charges, { events: ['charge.statusChanged'], ...untilThen });
		expect(ids).toEqual([3, 1].map((number) => `charge.statusChanged:${uuid(number)}:authorised`));
	});
});

describe('refunds', () => {
	it('can be listed with the newest first, or in no order', async () => {
		const [early, late, last] = [refundOn(11, '1.00'), refundOn(12, '2.00'), refundOn(13, '4.00')];
		for (const records of [
			[last, late, early],
			[late, last, early],
		]) {
			const { ids } = await refunds({ refund_total: '7.00', refunds: records });
			expect(ids).toEqual(refundIds(1, '1.00', '3.00', '7.00'));
		}
	});

	it.each<[string, IDataObject]>([
		['without the list of them', { refunds: null }],
		['of which one is missing', { refunds: [refundOn(4, '3.00')] }],
		['of which one failed, perhaps', { refunds: [refundOn(4, '5.00'), refundOn(6, '1.00')] }],
		['with an amount that can’t be read', { refunds: [refundOn(4, 'all')] }],
		['at a time that can’t be read', { refunds: [{ created: null, amount: '5.00' }] }],
		['that are no records', { refunds: ['5.00'] }],
	])('%s are one event with the current total, and a warning', async (_what, fields) => {
		const { ids, hints } = await refunds({ refund_total: '5.00', ...fields });
		expect(ids).toEqual(refundIds(1, '5.00'));
		expect(hints).toEqual([
			expect.stringMatching(/refund records .* don’t add up to refund_total: 1\./),
		]);
	});

	it('that failed have no event and no warning', async () => {
		const failed = { ...refundOn(14, '1.00'), status: 'failed' };
		const records = [refundOn(12, '5.00'), failed];
		const { ids, hints } = await refunds({ refund_total: '5.00', refunds: records });
		expect([ids, hints]).toEqual([refundIds(1, '5.00'), []]);
	});

	it('of charges older than Watch Days are left out, and a hint says so', async () => {
		const refunded = { refund_total: '5.00', refunds: [refundOn(12, '5.00')] };
		const charges = [
			chargeOf(1, 3, refunded),
			chargeOf(2, 2, refunded),
			chargeOf(3, 2, { ...refunded, refunds: [] }),
			chargeOf(4, 1, { refund_total: '5.00', refunds: [refundOn(4, '5.00')] }),
		];
		const hint = (days: number) =>
			`Refunds and statuses of charges created more than ${days} days before 'Since' are not included. To include them, raise 'Options → Watch Days' (365 at most).`;
		const within = async (watchDays: number, events = ['charge.refunded']) => {
			const { ids, hints } = await eventsOf(charges, { events, options: { watchDays } });
			return [ids.length, hints.filter((one) => one.includes('Watch Days'))];
		};
		expect(await within(7)).toEqual([1, [hint(7)]]);
		// The refund of the oldest charge was before 'Since'.
		expect(await within(8)).toEqual([3, []]);
		expect(await within(7, ['charge.created'])).toEqual([0, []]);
		expect(await within(7, ['charge.statusChanged'])).toEqual([1, [hint(7)]]);
		const refundedOn = async (...days: number[]) => {
			const refunds = days.map((day) => refundOn(day, '5.00'));
			const refund_total = `${5 * days.length}.00`;
			const parameters = { events: ['charge.refunded'], options: { watchDays: 7 } };
			const charges = [chargeOf(1, 1, { refunds, refund_total })];
			return (await eventsOf(charges, { ...parameters, until: '2025-03-15' })).hints;
		};
		expect(await refundedOn(16)).toEqual([]);
		expect(await refundedOn(14, 16)).toEqual([hint(7)]);
		const longAfter = async (parameters: INodeParameters) =>
			(await eventsOf([chargeOf(1, 1)], { since: '2026-04-02', ...parameters })).hints;
		expect(await longAfter({})).toEqual([hint(30)]);
		expect(await longAfter({ options: { watchDays: 365 } })).toEqual([
			"Refunds and statuses of charges created more than 365 days before 'Since' are not included.",
		]);
	});
});

describe('a Status filter', () => {
	it('is compared with the current statuses, and not sent', async () => {
		const { ids, server } = await eventsOf(
			[
				chargeOf(1, 12),
				chargeOf(2, 12, { status: 'captured' }),
				chargeOf(3, 12, { status: 'Annul\u00e9' }),
			],
			{
				filters: { status: 'captured, annule\u0301' },
				events: ['charge.created'],
				options: { pageSize: 50 },
			},
		);
		expect(ids).toEqual([2, 3].map((number) => `charge.created:${uuid(number)}`));
		expect(server.requests.map(({ query }) => query)).toEqual([{ page: '1', page_size: '50' }]);
	});

	it('returns a charge and its last refund from when the charge got the status', async () => {
		const until = '2025-03-15T12:00:00Z';
		const charges = [
			chargeOf(1, 11, {
				status: 'captured',
				events: { type: 'captured', created: until },
				refund_total: '5.00',
				refunds: [refundOn(12, '5.00')],
			}),
		];
		const events = ['charge.created', 'charge.refunded'];
		const parameters = { filters: { status: 'captured' }, events };
		expect((await eventsOf(charges, { ...parameters, until })).ids).toEqual([]);
		const { ids } = await eventsOf(charges, { ...parameters, since: until });
		expect(ids).toEqual([`charge.created:${uuid(1)}`, ...refundIds(1, '5.00')]);
	});

	it('has no warning about refunds and statuses if neither is selected', async () => {
		const filters = { status: 'authorised' };
		const parameters = { filters, events: ['charge.created'], since: '2025-05-01' };
		expect((await eventsOf([chargeOf(1, 1)], parameters)).hints).toEqual([]);
	});

	it('warns of charges that may have got the status before Since or later', async () => {
		const charges = [chargeOf(1, 5, { status: 'captured' })];
		const { ids, hints } = await eventsOf(charges, {
			filters: { status: 'captured' },
			events: ['charge.created'],
		});
		expect(ids).toEqual([]);
		expect(hints).toEqual([
			expect.stringMatching(/^Charges created before 'Since' .*: 1\. .*Charge Status/),
		]);
	});
});

it('a charge that can’t be read has a warning, and the others are returned', async () => {
	const { ids, hints } = await eventsOf(
		[chargeOf(1, 12), chargeOf(2, 12, { created: null }), { ...chargeOf(3, 12), id: '' }],
		{ events: ['charge.created'] },
	);
	expect(ids).toEqual([`charge.created:${uuid(1)}`]);
	expect(hints).toEqual([expect.stringMatching(/^Charges without a readable ID .*: 2\./)]);
});

describe('an account of more than 100,000 charges', () => {
	const PAGE = 5_000;

	/** Reads this number of charges, the first of them created before March. */
	async function read(charges: number, older: number) {
		const server = await scriptedServer(({ query }) => {
			const start = (Number(query['page']) - 1) * PAGE;
			const results = Array.from({ length: Math.min(PAGE, charges - start) }, (_, index) => {
				const number = start + index + 1;
				return { id: uuid(number), created: number > older ? '2025-03-11' : '2025-01-01' };
			});
			const next = start + PAGE < charges ? 'http://127.0.0.1/' : null;
			return json({ count: charges, next, previous: null, results });
		});
		const result = await runGetEvents(server, {
			parameters: { since: SINCE, events: ['charge.created'] },
		});
		return { result, server };
	}

	it('is read if most of them are older than the period', async () => {
		const { result } = await read(105_000, 104_997);
		expect(eventIds(result.json)).toHaveLength(3);
		expect(hintsOf(result)).toEqual([]);
	});

	it('is refused once more than that are of the period or the watched days', async () => {
		const { result, server } = await read(300_000, 0);
		expect(shownError(result)).toEqual({
			message:
				'There are more than 100,000 charges created since 2025-03-10 12:00:00 UTC: n8n can’t handle that many from one node at once',
			description: expect.stringMatching(
				/later 'Since', an earlier 'Until' or fewer 'Options → Watch Days'/,
			) as string,
		});
		expect(server.requests.length).toBeLessThan(40);
	});
});
