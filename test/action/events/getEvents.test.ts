import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { runNode } from '../../support/engine';
import { hintsOf, pageOf, shownError } from '../../support/lists';
import { uuid } from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';
import { scriptedServer } from '../../support/servers/http-server';
import { chargeOf, eventIds, refundOn, runGetEvents, type EventOptions } from './events';

const SINCE = '2025-03-10T12:00:00Z';

/** What comes of a list of these charges. */
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

describe('an event', () => {
	it('is the charge with event and event_id first, the oldest event first', async () => {
		const older = chargeOf(1, 5, { refund_total: '5.00', refunds: [refundOn(14, '5.00')] });
		const newer = chargeOf(2, 12);
		const { result } = await eventsOf([newer, older]);
		const given = (event: string, state: string, charge: IDataObject) => ({
			event,
			event_id: `${event}:${charge['id'] as string}${state}`,
			...charge,
		});
		expect(result.json).toEqual([
			given('charge.statusChanged', ':authorised', older),
			given('charge.created', '', newer),
			given('charge.statusChanged', ':authorised', newer),
			given('charge.refunded', ':5.00', older),
		]);
		for (const item of result.json) {
			expect(Object.keys(item).slice(0, 2)).toEqual(['event', 'event_id']);
		}
	});

	it('is Charge Created alone, and simplified, unless told otherwise', async () => {
		const charge = chargeOf(1, 12, { refund_total: '5.00', refunds: [refundOn(14, '5.00')] });
		const server = await scriptedServer(() => pageOf([charge], 1, 100));
		const result = await runNode({
			nodeType: new PaymentCollection(),
			credentials: { baseUrl: server.url, apiKey: PLANTED.apiKey },
			parameters: { resource: 'charge', operation: 'getEvents', since: SINCE },
		});
		expect(result.json).toEqual([
			{
				event: 'charge.created',
				event_id: `charge.created:${uuid(1)}`,
				id: uuid(1),
				created: charge['created'],
				reference_id: null,
				total: '20.00',
				currency: 'EUR',
				status: 'authorised',
				refund_total: '5.00',
				net: null,
				payer_name: null,
				note: null,
			},
		]);
	});
});

describe('the time from which on events are given', () => {
	const at = (created: string) => chargeOf(1, 1, { created });

	it.each([
		['2025-03-10T12:00:00Z', 1],
		['2025-03-10T11:59:59.999999Z', 0],
		['2025-03-10T12:00:00.000001Z', 1],
		['2025-03-10T16:00:00+04:00', 1],
		['2025-03-10T15:59:59+04:00', 0],
		['2025-03-10T12:00:00', 1],
	])('includes its own moment: %s', async (created, events) => {
		const { ids } = await eventsOf([at(created)], { events: ['charge.created'] });
		expect(ids).toHaveLength(events);
	});

	it.each([
		['2025-03-10T08:00:00', 'America/New_York', SINCE],
		['2025-03-10 08:00', 'America/New_York', SINCE],
		['={{ DateTime.fromISO("2025-03-10T12:00:00Z") }}', 'Asia/Tokyo', SINCE],
		['={{ new Date("2025-03-10T12:00:00Z") }}', 'Asia/Tokyo', SINCE],
		// What the clocks skip is the hour before, and of an hour that comes twice it is the first.
		['2024-03-10T02:30', 'America/New_York', '2024-03-10T06:30:00Z'],
		['2024-10-27T02:30', 'Europe/Paris', '2024-10-27T00:30:00Z'],
	])('%s is meant in the time zone of the workflow (%s) or its own: %s', async (...row) => {
		const [since, timeZone, first] = row;
		const before = new Date(Date.parse(first) - 1000).toISOString();
		const charges = [at(first), chargeOf(2, 10, { created: before })];
		const { ids } = await eventsOf(charges, { since, events: ['charge.created'] }, { timeZone });
		expect(ids).toEqual([`charge.created:${uuid(1)}`]);
	});
});

describe('refunds', () => {
	it('may be listed with the newest first, or in no order', async () => {
		const [early, late, last] = [refundOn(11, '1.00'), refundOn(12, '2.00'), refundOn(13, '4.00')];
		const { ids } = await refunds(
			{ refund_total: '7.00', refunds: [last, late, early] },
			{ refund_total: '7.00', refunds: [late, last, early] },
		);
		expect(ids.filter((id) => id.includes(uuid(1)))).toEqual(refundIds(1, '1.00', '3.00', '7.00'));
		expect(ids.filter((id) => id.includes(uuid(2)))).toEqual(refundIds(2, '1.00', '3.00', '7.00'));
	});

	it.each<[string, string | number, string | number, string[]]>([
		['EUR', 7.25, 2.5, ['2.50', '7.25']],
		['JPY', '750.00', '250', ['250', '750']],
	])(
		'in %s of %p, first %p, are told in one form: %j',
		async (currency, refundTotal, first, totals) => {
			const rest = (Number(refundTotal) - Number(first)).toFixed(4);
			const { ids, hints } = await refunds({
				currency,
				refund_total: refundTotal,
				refunds: [refundOn(11, first), refundOn(12, rest)],
			});
			expect(ids).toEqual(refundIds(1, ...totals));
			expect(hints).toEqual([]);
		},
	);

	it.each<[string, IDataObject]>([
		['that have no records', { refunds: [] }],
		['without the list of them', { refunds: null }],
		['of which one is missing', { refunds: [refundOn(4, '3.00')] }],
		['of which one failed, perhaps', { refunds: [refundOn(4, '5.00'), refundOn(6, '1.00')] }],
		['with an amount that can’t be read', { refunds: [refundOn(4, 'all')] }],
		['at a time that can’t be read', { refunds: [{ created: null, amount: '5.00' }] }],
		['that are no records', { refunds: ['5.00'] }],
	])('%s are told as what is refunded now, with a warning', async (_what, fields) => {
		const { ids, hints } = await refunds({ refund_total: '5.00', ...fields });
		expect(ids).toEqual(refundIds(1, '5.00'));
		expect(hints).toEqual([
			expect.stringMatching(/refund records .* don’t add up to refund_total: 1\./),
		]);
	});

	it('before Since are not told, nor those of charges older than Watch Days', async () => {
		const refunded = { refund_total: '5.00', refunds: [refundOn(12, '5.00')] };
		const charges = [chargeOf(1, 3, refunded), chargeOf(2, 2, refunded)];
		const events = ['charge.refunded'];
		expect((await eventsOf(charges, { events })).ids).toEqual(refundIds(1, '5.00'));
		const { ids } = await eventsOf(charges, { events, options: { watchDays: 8 } });
		expect(ids).toHaveLength(2);
	});
});

describe('a Status filter', () => {
	it('is applied to what the charges are now, and not sent', async () => {
		const { ids, server } = await eventsOf(
			[
				chargeOf(1, 12),
				chargeOf(2, 12, { status: 'captured' }),
				chargeOf(3, 12, { status: 'void' }),
			],
			{
				filters: { status: 'captured, void' },
				events: ['charge.created'],
				// For a service that refuses more rows.
				options: { pageSize: 50 },
			},
		);
		expect(ids).toEqual([2, 3].map((number) => `charge.created:${uuid(number)}`));
		expect(server.requests.map(({ query }) => query)).toEqual([{ page: '1', page_size: '50' }]);
	});

	it('warns of charges that may have got the status before or since', async () => {
		const charges = [chargeOf(1, 5, { status: 'captured' })];
		const { ids, hints } = await eventsOf(charges, {
			filters: { status: 'captured' },
			events: ['charge.created'],
		});
		expect(ids).toEqual([]);
		expect(hints).toEqual([
			expect.stringMatching(/^Charges created before Since .*: 1\. .*Charge Status/),
		]);
	});
});

describe('what can’t be read', () => {
	it('is warned of, and holds nothing up', async () => {
		const { ids, hints } = await eventsOf(
			[chargeOf(1, 12), chargeOf(2, 12, { created: null }), { ...chargeOf(3, 12), id: '' }],
			{ events: ['charge.created'] },
		);
		expect(ids).toEqual([`charge.created:${uuid(1)}`]);
		expect(hints).toEqual([
			expect.stringMatching(/^Rows of the charge list without an id .*: 2\./),
		]);
	});

	it('for a list that is not whole, the output says so', async () => {
		const charges = [chargeOf(1, 12)];
		const server = await scriptedServer(() => pageOf(charges, 1, 100, { count: 7 }));
		const result = await runGetEvents(server, { parameters: { since: SINCE } });
		expect(result.json).toHaveLength(2);
		expect(hintsOf(result)).toEqual([expect.stringContaining('may not be complete')]);
	});

	it('a list of more than 100,000 charges is refused before it is read, with what to do', async () => {
		const server = await scriptedServer(() =>
			pageOf([chargeOf(1, 12)], 1, 100, { count: 100_001 }),
		);
		const result = await runGetEvents(server, { parameters: { since: SINCE } });
		expect(shownError(result)).toEqual({
			message:
				'There are 100001 charges: more than the 100000 that can be read for their events at once',
			description: expect.stringMatching(/Narrow the list with Filters/) as string,
		});
		expect(server.requests).toHaveLength(1);
	});
});
