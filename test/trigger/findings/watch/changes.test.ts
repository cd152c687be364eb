import { capped, charge, history } from '../../../support/servers/chargeListServer';
import type { Row } from '../../../support/servers/chargeListServer';
import { budgets } from '../../../../nodes/PaymentCollectionTrigger/cursor/budgets';
import { text } from '../../../support/servers/http-server';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, createdIds, scene } from '../scene';

const refund = (row: Row, atMs: number): void => {
	row['refund_total'] = '1.00';
	row['refunds'] = [{ created: new Date(atMs).toISOString(), amount: '1.00' }];
};
const refundedIds = (rows: readonly Row[]): string[] =>
	rows.map(({ id }) => `charge.refunded:${id as string}:1.00`);

/** What the first core made of refunds and of changes of status. */
describe('a change of status is told under a Status filter', () => {
	it.each([['charge.statusChanged'], ['charge.created', 'charge.statusChanged']])(
		'with %s',
		async (...events) => {
			const { list, activate, ticks, told } = await scene(
				history(40, NOW_MS, HOUR_MS),
				{
					size: capped(10),
				},
				{ parameters: { events, filters: { status: 'captured' } } },
			);
			await activate();
			await ticks(3);
			const changing = [2, 17, 33].map((index) => list.rows[index] ?? {});
			for (const row of changing) row['status'] = 'captured';
			await ticks(6);
			expect([...told].sort()).toEqual(
				changing.map(({ id }) => `charge.statusChanged:${id as string}:captured`).sort(),
			);
			const other = list.rows[5] ?? {};
			other['status'] = 'disputed';
			await ticks(6);
			expect(told).toHaveLength(changing.length);
		},
	);
});

describe('a refund', () => {
	it('is told though a charge of ten days ago stands before it', async () => {
		const rows = history(200, NOW_MS, 15 * MINUTE_MS);
		rows.splice(80, 0, charge(NOW_MS - 10 * DAY_MS));
		const { activate, ticks, told } = await scene(
			rows,
			{ size: capped(10) },
			{
				parameters: { events: ['charge.refunded'] },
			},
		);
		await activate();
		await ticks(2);
		const refunded = rows.filter((_, index) => index !== 80);
		for (const row of refunded) refund(row, NOW_MS + 3 * MINUTE_MS);
		// 21 pages, five in a poll, twice round.
		await ticks(12);
		expect([...told].sort()).toEqual(refundedIds(refunded).sort());
	});

	it.each([
		{ count: 40, gapMs: 3 * HOUR_MS, isDated: true },
		{ count: 40, gapMs: 3 * HOUR_MS, isDated: false },
		{ count: 700, gapMs: 10 * MINUTE_MS, isDated: true },
		{ count: 700, gapMs: 10 * MINUTE_MS, isDated: false },
	])(
		'is not told when it is older than the start date: $count charges, dated: $isDated',
		async ({ count, gapMs, isDated }) => {
			const rows = history(count, NOW_MS, gapMs);
			const old = rows.slice(-20);
			for (const row of old) {
				if (isDated) refund(row, NOW_MS - 2 * DAY_MS);
				else row['refund_total'] = '1.00';
			}
			const { activate, ticks, told } = await scene(
				rows,
				{ size: capped(10) },
				{
					parameters: {
						events: ['charge.refunded'],
						options: { startFrom: 'date', startDate: new Date(NOW_MS - DAY_MS).toISOString() },
					},
				},
			);
			await activate();
			await ticks(20);
			expect(told).toEqual([]);
			const [, , fresh = {}] = rows;
			refund(fresh, NOW_MS + 20 * MINUTE_MS);
			await ticks(20);
			expect(told).toEqual(refundedIds([fresh]));
		},
	);
});

describe('in a shop whose charges all change their status twice', () => {
	const { facts } = budgets;
	afterEach(() => {
		budgets.facts = facts;
	});

	it.each([
		{
			title: 'nothing is remembered of statuses that nobody asks for',
			events: ['charge.refunded'],
			most: 1_000,
		},
		{
			title: 'one fact is remembered of each',
			events: ['charge.refunded', 'charge.statusChanged'],
			most: 9_000,
		},
	])('$title', async ({ events, most }) => {
		budgets.facts = { most, enough: most - 100 };
		const { list, activate, ticks, told } = await scene(
			history(600, NOW_MS, 15 * MINUTE_MS),
			{},
			{ parameters: { events } },
		);
		await activate();
		await ticks(2);
		for (const status of ['captured', 'settled']) {
			for (const row of list.rows) row['status'] = status;
			await ticks(3);
		}
		const refunded = list.rows.slice(-9);
		for (const row of refunded) refund(row, NOW_MS + 8 * MINUTE_MS);
		told.length = 0;
		await ticks(3);
		expect([...told].sort()).toEqual(refundedIds(refunded).sort());
	});
});

it('statuses that were there before anybody asked for them are not told', async () => {
	const { list, activate, ticks, told, publish } = await scene(
		history(700, NOW_MS, 10 * MINUTE_MS),
		{ size: capped(10) },
		{ parameters: { events: ['charge.refunded', 'charge.statusChanged'] } },
	);
	await activate();
	await ticks(2);
	const change = async (events: string[]): Promise<void> => {
		await publish({ parameters: { events } });
		await ticks(16);
	};
	await change(['charge.refunded']);
	for (const row of list.rows.slice(0, 500)) row['status'] = 'captured';
	await ticks(16);
	await change(['charge.refunded', 'charge.statusChanged']);
	expect(told).toEqual([]);
	const [row = {}] = list.rows;
	row['status'] = 'settled';
	await ticks(16);
	expect(told).toEqual([`charge.statusChanged:${row['id'] as string}:settled`]);
});

it('what was refunded before it began is not told, though newer than all that was looked at first', async () => {
	const rows = history(1_200, NOW_MS - 5 * HOUR_MS, 5 * MINUTE_MS);
	refund(rows[1_100] ?? {}, NOW_MS - 2 * HOUR_MS);
	refund(rows[650] ?? {}, NOW_MS - 3 * HOUR_MS);
	const { activate, ticks, told } = await scene(
		rows,
		{ size: capped(10) },
		{ parameters: { events: ['charge.refunded'] } },
	);
	await activate();
	await ticks(26);
	expect(told).toEqual([]);
	const [row = {}] = rows.slice(-1);
	refund(row, NOW_MS + 10 * MINUTE_MS);
	await ticks(26);
	expect(told).toEqual(refundedIds([row]));
});

it('refunds beyond the open end of a list without a count, oldest first, are old when it begins', async () => {
	const rows = history(1_500, NOW_MS - HOUR_MS, 5 * MINUTE_MS).reverse();
	for (const row of rows.slice(500)) refund(row, NOW_MS - 30 * MINUTE_MS);
	const { activate, ticks, told } = await scene(
		rows,
		{ size: capped(10), count: () => undefined },
		{ parameters: { events: ['charge.refunded'] } },
	);
	await activate();
	await ticks(30);
	expect(told).toEqual([]);
	const [row = {}] = rows.slice(-1);
	refund(row, NOW_MS + 40 * MINUTE_MS);
	row['refund_total'] = '2.00';
	await ticks(30);
	expect(told).toEqual([`charge.refunded:${row['id'] as string}:2.00`]);
});

it.each([
	{ events: ['charge.statusChanged'], filters: {} },
	{ events: ['charge.created', 'charge.statusChanged'], filters: { status: 'captured' } },
])(
	'a charge of before the start date that is listed later has not changed its status: $filters',
	async ({ events, filters }) => {
		const options = { startFrom: 'date', startDate: new Date(NOW_MS).toISOString() };
		const { activate, ticks, told, list } = await scene(
			history(50, NOW_MS - HOUR_MS, HOUR_MS),
			{},
			{ parameters: { events, filters, options } },
		);
		await activate();
		await ticks(3);
		const late = charge(NOW_MS - 10 * MINUTE_MS, { status: 'captured' });
		list.rows.unshift(late);
		await ticks(5);
		expect(told).toEqual([]);
		late['status'] = 'settled';
		await ticks(1);
		late['status'] = 'captured';
		await ticks(3);
		expect(told).toEqual(
			'status' in filters ? [] : [`charge.statusChanged:${late['id'] as string}:settled`],
		);
	},
);

it('from the beginning, without a count, nothing is told of a charge before it is told as created', async () => {
	const rows = history(300, NOW_MS, 20 * MINUTE_MS);
	for (const row of rows.slice(200)) row['status'] = 'captured';
	const { list, activate, ticks, told } = await scene(
		rows,
		{ size: capped(10), count: () => undefined },
		{
			parameters: {
				events: ['charge.created', 'charge.statusChanged'],
				options: { startFrom: 'beginning', maxChargesPerPoll: 20, sweepPages: 30 },
			},
		},
	);
	await activate();
	// What the walk over the past needs next fails, so that there is room for other events.
	list.manners.instead = ({ page }) => (page === 5 ? text('Error', 500) : undefined);
	await ticks(1);
	const missed = told.length;
	await ticks(1);
	expect(told).toHaveLength(missed);
	delete list.manners.instead;
	await ticks(20);
	expect([...told].sort()).toEqual(createdIds(rows).sort());
});

it('the watched days are gone round even where each poll brings as many new pages as Sweep Pages', async () => {
	const rows = history(700, NOW_MS, 14 * MINUTE_MS);
	const parameters = { events: ['charge.refunded'], options: { sweepPages: 5, watchDays: 60 } };
	const { activate, tick, told, clock, arrive } = await scene(
		rows,
		{ size: capped(20) },
		{ parameters },
	);
	await activate();
	await tick(0);
	const refunded = rows.slice(400, 403);
	for (const row of refunded) refund(row, clock.now());
	for (let day = 0; day < 20; day++) {
		for (let number = 0; number < 100; number++) {
			clock.advance(DAY_MS / 100);
			arrive();
		}
		await tick(0);
	}
	expect([...told].sort()).toEqual(refundedIds(refunded).sort());
});

it('in a list by last change, refunds below whole pages of older charges that were refunded later are told', async () => {
	const rows = history(200, NOW_MS, 20 * MINUTE_MS);
	const watched = rows.slice(0, 70);
	const parameters = { events: ['charge.refunded'], options: { watchDays: 1 } };
	const { list, clock, activate, ticks, told } = await scene(
		rows,
		{ size: capped(10) },
		{ parameters },
	);
	await activate();
	await ticks(2);
	for (const row of [...rows]) {
		refund(row, clock.now());
		clock.advance(1);
		rows.splice(rows.indexOf(row), 1);
		rows.unshift(row);
	}
	expect(list.rows[0]?.['id']).toBe(rows[0]?.['id']);
	await ticks(10);
	expect(told).toEqual(expect.arrayContaining(refundedIds(watched)));
});

describe('a change of status is told once', () => {
	it('also where Charge Status Changed is taken out of the events and put back', async () => {
		const made = await scene(history(40, NOW_MS, HOUR_MS));
		const events = async (...names: string[]) =>
			await made.publish({ parameters: { events: names } });
		await events('charge.created');
		await made.ticks(3);
		const row = made.arrive();
		await events('charge.created', 'charge.statusChanged');
		await made.ticks(3);
		row['status'] = 'captured';
		row['events'] = { type: 'captured', created: new Date(made.clock.now()).toISOString() };
		await made.ticks(3);
		await events('charge.created', 'charge.refunded');
		await made.ticks(3);
		await events('charge.created', 'charge.statusChanged');
		await made.ticks(6);
		expect(made.told).toEqual([
			...createdIds([row]),
			`charge.statusChanged:${row['id'] as string}:captured`,
		]);
	});

	it('whether the filter or the service writes it in small letters or capitals', async () => {
		const parameters = {
			events: ['charge.statusChanged'],
			filters: { status: 'Captured, DISPUTED' },
		};
		const { list, activate, ticks, told } = await scene(
			history(10, NOW_MS, HOUR_MS),
			{},
			{ parameters },
		);
		await activate();
		await ticks(3);
		const [row = {}, other = {}] = list.rows;
		row['status'] = 'captured';
		other['status'] = 'disputed';
		await ticks(3);
		row['status'] = 'CAPTURED';
		for (const each of list.rows.slice(2)) each['status'] = 'AUTHORISED';
		await ticks(3);
		expect([...told].sort()).toEqual(
			[
				`charge.statusChanged:${row['id'] as string}:captured`,
				`charge.statusChanged:${other['id'] as string}:disputed`,
			].sort(),
		);
	});
});
