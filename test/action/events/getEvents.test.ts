import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { useFakeClock } from '../../support/clock';
import { runNode, runRouting } from '../../support/engine';
import { hintsOf, insertPlantedCharge, listSandbox, pageOf, shownError } from '../../support/lists';
import { uuid } from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';
import {
	failure,
	json,
	scriptedServer,
	type RecordedRequest,
} from '../../support/servers/http-server';
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
				total: '20.00',
				currency: 'EUR',
				status: 'authorised',
				refund_total: '5.00',
				user_name: null,
			},
		]);
	});

	it('keeps its own names whatever the charge calls its fields', async () => {
		const { result } = await eventsOf([chargeOf(1, 12, { event: 'x', event_id: 'y' })], {
			events: ['charge.created'],
		});
		expect(result.json).toMatchObject([
			{ event: 'charge.created', event_id: `charge.created:${uuid(1)}` },
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
		['2025-03-10T08:00:00', 'America/New_York'],
		['2025-03-10 08:00', 'America/New_York'],
		['2025-03-10T21:00:00+09:00', 'America/New_York'],
		['={{ DateTime.fromISO("2025-03-10T12:00:00Z") }}', 'Asia/Tokyo'],
		['={{ new Date("2025-03-10T12:00:00Z") }}', 'Asia/Tokyo'],
	])('%s is meant in the time zone of the workflow, or its own: %s', async (since, timeZone) => {
		const charges = [at(SINCE), chargeOf(2, 10, { created: '2025-03-10T11:59:59Z' })];
		const { ids, result } = await eventsOf(
			charges,
			{ since, events: ['charge.created'] },
			{ timeZone },
		);
		expect(result.error).toBeUndefined();
		expect(ids).toEqual([`charge.created:${uuid(1)}`]);
	});

	it.each([
		['=', 'Since is empty'],
		['={{ undefined }}', 'Since is empty'],
		['last week', 'Since is "last week": it must be a date such as'],
		[1_741_608_000_000, 'Since is 1741608000000: it must be a date such as'],
		['2025-13-01', 'Since is "2025-13-01": it must be a date such as'],
		[
			'2025-01-01T00:00:00+25:00',
			'Since is "2025-01-01T00:00:00+25:00": it must be a date such as',
		],
		[
			'2025-01-01T00:00:00-05:60',
			'Since is "2025-01-01T00:00:00-05:60": it must be a date such as',
		],
		[
			'2025-01-15T12:15:01Z',
			'Since is 2025-01-15 12:15:01 UTC: it must not be in the future, and now is 2025-01-15 12:00:00 UTC',
		],
	])('%p is refused before anything is sent', async (since, message) => {
		useFakeClock();
		const { result, server } = await eventsOf([], { since });
		expect(shownError(result).message).toContain(message);
		expect(server.requests).toEqual([]);
	});

	it.each(['0000-01-01', '0001-01-01', '0099-01-01', '1000-01-01T00:00', '1850-01-01'])(
		'may be long ago: %s',
		async (since) => {
			for (const timeZone of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
				const charges = [at(SINCE)];
				const asked = { since, events: ['charge.created'] };
				const { ids, result } = await eventsOf(charges, asked, { timeZone });
				expect(result.error).toBeUndefined();
				expect(ids).toHaveLength(1);
			}
		},
	);

	it('that the clocks skip is the hour before', async () => {
		const [since, timeZone] = ['2024-03-10T02:30', 'America/New_York'];
		const charges = ['06:29:59', '06:30:00'].map((time, index) =>
			chargeOf(index + 1, 1, { created: `2024-03-10T${time}Z` }),
		);
		const { ids } = await eventsOf(charges, { since, events: ['charge.created'] }, { timeZone });
		expect(ids).toEqual([`charge.created:${uuid(2)}`]);
	});

	it('may be reckoned from now', async () => {
		const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
		const { ids } = await eventsOf([at(hoursAgo(1)), chargeOf(2, 1, { created: hoursAgo(49) })], {
			since: '={{ $now.minus({ days: 1 }) }}',
			events: ['charge.created'],
		});
		expect(ids).toEqual([`charge.created:${uuid(1)}`]);
	});

	it('may be a little ahead of a slow clock', async () => {
		useFakeClock();
		const { result } = await eventsOf([], { since: '2025-01-15T12:14:00Z' });
		expect(result.error).toBeUndefined();
	});
});

describe('refunds', () => {
	it('are told one by one, each with what was refunded up to it', async () => {
		const { ids, hints } = await refunds({
			refund_total: '17.50',
			refunds: [refundOn(6, '5.00'), refundOn(11, '2.5'), refundOn(13, '10')],
		});
		expect(ids).toEqual(refundIds(1, '7.50', '17.50'));
		expect(hints).toEqual([]);
	});

	it('may be listed with the newest first, or in no order', async () => {
		const [early, late, last] = [refundOn(11, '1.00'), refundOn(12, '2.00'), refundOn(13, '4.00')];
		const { ids } = await refunds(
			{ refund_total: '7.00', refunds: [last, late, early] },
			{ refund_total: '7.00', refunds: [late, last, early] },
		);
		expect(ids.filter((id) => id.includes(uuid(1)))).toEqual(refundIds(1, '1.00', '3.00', '7.00'));
		expect(ids.filter((id) => id.includes(uuid(2)))).toEqual(refundIds(2, '1.00', '3.00', '7.00'));
	});

	it('of one moment are told in the order in which they are listed', async () => {
		const { ids } = await refunds({
			refund_total: '3.00',
			refunds: [refundOn(11, '1.00'), refundOn(11, '2.00')],
		});
		expect(ids).toEqual(refundIds(1, '1.00', '3.00'));
	});

	it.each<[string, string, string | number, string | number, string | number, string]>([
		['keeps zeros', 'EUR', '20.00', '7.50', '2.5', '2.50'],
		['keeps zeros, as the total shows', 'EUR', '20.00', '7.25', '2.5', '2.50'],
		['leaves zeros out', 'EUR', '20', '7.5', '2.50', '2.5'],
		['leaves zeros out, as the total shows', 'EUR', '20.5', '7.25', '2.50', '2.5'],
		['leaves zeros out of whole amounts', 'EUR', '20', '7', '2.50', '2.5'],
		['gives numbers', 'EUR', 20, 7.25, 2.5, '2.5'],
		['has no decimals', 'JPY', '2000', '750', '250', '250'],
		['has three', 'KWD', '2.000', '0.750', '0.25', '0.250'],
		['has more than its currency', 'EUR', '20.0000', '7.5000', '2.5', '2.5000'],
		['has a currency that nobody knows', 'XXQ', '20.0', '7.5', '2.50', '2.5'],
	])(
		'of a service that %s are written as it writes them',
		async (_what, currency, total, refundTotal, amount, expected) => {
			const rest = Number(refundTotal) - Number(amount);
			const { ids, hints } = await refunds({
				currency,
				total,
				refund_total: refundTotal,
				refunds: [refundOn(11, amount), refundOn(12, rest.toFixed(2))],
			});
			expect(ids).toEqual(refundIds(1, expected, String(refundTotal)));
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

	it('that came to nothing are none', async () => {
		const { ids, hints } = await refunds(
			{ refund_total: '0.00', refunds: [refundOn(12, '0.00')] },
			{ refund_total: null, refunds: null },
			{ refunds: [] },
		);
		expect([ids, hints]).toEqual([[], []]);
	});

	it('that were taken back are told as the trigger would have', async () => {
		const { ids } = await refunds({
			refund_total: '5.00',
			refunds: [refundOn(11, '5.00'), refundOn(12, '-3.00'), refundOn(13, '3.00')],
		});
		expect(ids).toEqual(refundIds(1, '5.00', '2.00'));
	});

	it.each<[unknown]>([[''], [null], [undefined]])(
		'with records and a refund total of %j add up to what the records do',
		async (missing) => {
			const { ids, hints } = await refunds({
				refund_total: missing,
				refunds: [refundOn(6, '5.00'), refundOn(11, 2.5), refundOn(13, '10')],
			} as IDataObject);
			expect(ids).toEqual(refundIds(1, '7.50', '17.50'));
			expect(hints).toEqual([]);
		},
	);

	it('with a record that can’t be read and no refund total are warned of', async () => {
		const { ids, hints } = await refunds({ refund_total: '', refunds: [refundOn(11, 'all')] });
		expect([ids.length, hints.length]).toEqual([0, 1]);
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
	const got = (day: number, status: string): IDataObject => ({
		status,
		events: { type: status, created: `2025-03-${String(day).padStart(2, '0')}T12:00:00Z` },
	});

	it('is applied to what the charges are now, and not sent', async () => {
		const { ids, server } = await eventsOf(
			[
				chargeOf(1, 12),
				chargeOf(2, 12, { status: 'captured' }),
				chargeOf(3, 12, { status: 'void' }),
			],
			{ filters: { status: 'captured, void' }, events: ['charge.created'] },
		);
		expect(ids).toEqual([2, 3].map((number) => `charge.created:${uuid(number)}`));
		expect(server.requests.map(({ query }) => query)).toEqual([{ page: '1', page_size: '100' }]);
	});

	it('gives a charge that got the status since then as created, as the trigger does', async () => {
		const charges = [chargeOf(1, 5, got(12, 'captured')), chargeOf(2, 5, got(9, 'captured'))];
		const filters = { status: 'captured' };
		const { ids, hints } = await eventsOf(charges, { filters, events: ['charge.created'] });
		expect([ids, hints]).toEqual([[`charge.created:${uuid(1)}`], []]);
		// It is a change of status where these are told.
		const both = await eventsOf(charges, {
			filters,
			events: ['charge.created', 'charge.statusChanged'],
		});
		expect(both.ids.sort()).toEqual(
			[1, 2].map((number) => `charge.statusChanged:${uuid(number)}:captured`),
		);
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

describe('charges that stand on any page', () => {
	it.each(['newestFirst', 'oldestFirst', 'shuffled'] as const)(
		'are found, %s',
		async (rowOrder) => {
			const sandbox = await listSandbox({
				counts: { charges: 230 },
				switches: { rowOrder, maxPageSize: 20 },
			});
			const since = '2025-05-30T00:00:00Z';
			const all = sandbox.store.charges.all().map(({ charge }) => charge);
			const expected = all.filter(({ created }) => created >= since).map(({ id }) => id);
			expect(expected.length).toBeGreaterThan(20);
			const { json: items } = await runGetEvents(sandbox, {
				parameters: { since, events: ['charge.created'] },
			});
			expect(items.map(({ id }) => id).sort()).toEqual(expected.sort());
			const dates = items.map(({ created }) => created as string);
			expect(dates).toEqual([...dates].sort());
		},
	);
});

describe('a list that changes while it is read', () => {
	it.each([
		['3 arrive', { insertCharges: 3 }],
		['3 vanish', { removeCharges: 3 }],
	])('%s: each charge that stayed is given once', async (_what, action) => {
		for (const rowOrder of ['newestFirst', 'oldestFirst', 'shuffled'] as const) {
			for (const omitCount of [false, true]) {
				const sandbox = await listSandbox({
					counts: { charges: 40 },
					switches: { maxPageSize: 12, rowOrder, omitCount },
				});
				const idsNow = () => sandbox.store.charges.all().map(({ charge }) => charge.id);
				const before = idsNow();
				sandbox.addFault({ match: { path: '/v1/charges', page: 2, times: 1 }, action });
				const parameters = { since: '2025-01-01', events: ['charge.created'] };
				const result = await runGetEvents(sandbox, { parameters });
				const after = new Set(idsNow());
				const ids = result.json.map(({ id }) => id);
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids).toEqual(expect.arrayContaining(before.filter((id) => after.has(id))));
				expect(hintsOf(result)).toEqual([]);
			}
		}
	});

	it('on every request: the output says that some may be missing', async () => {
		const sandbox = await listSandbox({ counts: { charges: 40 }, switches: { maxPageSize: 12 } });
		sandbox.addFault({ match: { path: '/v1/charges' }, action: { removeCharges: 1 } });
		const result = await runGetEvents(sandbox, { parameters: { since: '2025-01-01' } });
		expect(hintsOf(result)).toEqual([expect.stringContaining('may not be complete')]);
	});
});

it('two input items have each a time and filters of its own, and their results are linked to them', async () => {
	const charges = [chargeOf(1, 12), chargeOf(2, 14)];
	const answered: RecordedRequest[] = [];
	const server = await scriptedServer((request) => {
		answered.push(request);
		return pageOf(charges, 1, 100);
	});
	const result = await runGetEvents(server, {
		parameters: {
			since: '={{ $json.since }}',
			events: ['charge.created'],
			filters: { currency: '={{ $json.currency }}' },
		},
		items: [
			{ since: '2025-03-10', currency: 'EUR' },
			{ since: '2025-03-13', currency: 'USD' },
		],
	});
	expect(result.items.map(({ json: { id }, pairedItem }) => [id, pairedItem])).toEqual([
		[uuid(1), { item: 0 }],
		[uuid(2), { item: 0 }],
		[uuid(2), { item: 1 }],
	]);
	expect(answered.map(({ query }) => query['currency']).sort()).toEqual(['EUR', 'USD']);
});

it('an item that fails under Continue is an error item, and the others come out', async () => {
	const server = await scriptedServer(({ query }) =>
		query['currency'] === 'USD'
			? failure(422, 'No dollars here')
			: pageOf([chargeOf(1, 12)], 1, 100),
	);
	const result = await runGetEvents(server, {
		parameters: {
			since: SINCE,
			events: ['charge.created'],
			filters: { currency: '={{ $json.currency }}' },
		},
		items: [{ currency: 'USD' }, { currency: 'EUR' }],
		onError: 'continueRegularOutput',
	});
	expect(result.items).toMatchObject([
		{
			json: { error: expect.stringContaining('No dollars here') as string },
			pairedItem: { item: 0 },
		},
		{ json: { event: 'charge.created' }, pairedItem: { item: 1 } },
	]);
});

describe('secrets', () => {
	it('stay inside, unless the user wants them, and the security code even then', async () => {
		const sandbox = await listSandbox({ counts: { charges: 3 } });
		const id = insertPlantedCharge(sandbox);
		const parameters = { since: '2025-01-01' };
		const { json: items } = await runGetEvents(sandbox, { parameters });
		expect(eventIds(items)).toContain(`charge.created:${id}`);
		const whole = await runNode({
			nodeType: new PaymentCollection(),
			credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
			parameters: {
				...{ resource: 'charge', operation: 'getEvents', simplify: false },
				...{ ...parameters, options: { includeSensitiveData: true } },
			},
		});
		const text = JSON.stringify(whole.json.filter((item) => item['id'] === id));
		expect(text).toContain(PLANTED.cardNumber);
		expect(text).not.toContain(`"${PLANTED.securityCode}"`);
	});
});

it('as a tool of an agent it gives the same on both paths, and the selected fields after the event', async () => {
	const tool = new PaymentCollection();
	tool.description = { ...tool.description, name: `${tool.description.name}Tool` };
	const server = await scriptedServer(() => json({ count: 1, results: [chargeOf(1, 12)] }));
	const options = {
		nodeType: tool,
		credentials: { baseUrl: server.url, apiKey: PLANTED.apiKey },
		parameters: {
			...{ resource: 'charge', operation: 'getEvents', since: SINCE },
			...{ output: 'selectedFields', outputFields: ['total'] },
		},
	};
	const result = await runNode(options);
	const [older = []] = await runRouting(options);
	expect(older.map((item) => item.json)).toEqual(result.json);
	expect(result.json).toEqual([
		{
			event: 'charge.created',
			event_id: `charge.created:${uuid(1)}`,
			id: uuid(1),
			total: '20.00',
		},
	]);
});
