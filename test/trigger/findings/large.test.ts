import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { Row } from '../../support/servers/chargeListServer';
import { HOUR_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from './scene';

const BEGINNING = {
	parameters: { events: ['charge.created'], options: { startFrom: 'beginning' } },
};
const repeated = (told: readonly string[]): number => told.length - new Set(told).size;

/** What shows only in lists of thousands of charges. */
describe('in a long list', () => {
	it('more rows that can’t be read than are remembered one by one hold nothing up', async () => {
		const rows = history(3_000, NOW_MS, MINUTE_MS);
		for (let at = 0; at < 240; at++) rows[at * 12 + 5] = { ...rows[at * 12 + 5], created: null };
		const readable = rows.filter(({ created }) => created !== null);
		const { activate, ticks, told, arrive } = await scene(rows, {}, BEGINNING);
		await activate();
		await ticks(6);
		expect(new Set(told)).toEqual(new Set(createdIds(readable)));
		const fresh = [arrive(), arrive()];
		await ticks(3);
		expect(told.slice(readable.length).sort()).toEqual(createdIds(fresh).sort());
	});

	it('without a count, oldest first, nothing of the past is told when it has more pages than one poll follows', async () => {
		const rows = history(1_500, NOW_MS, MINUTE_MS).reverse();
		const { activate, ticks, told } = await scene(rows, {
			size: capped(20),
			count: () => undefined,
		});
		await activate();
		await ticks(8);
		expect(told).toEqual([]);
		const fresh = charge(NOW_MS + 9 * MINUTE_MS);
		rows.push(fresh);
		await ticks(4);
		expect(told).toEqual(createdIds([fresh]));
	});

	it('without a count, oldest first, new charges are told though a poll has time for one request only', async () => {
		const rows = history(60, NOW_MS, HOUR_MS).reverse();
		const { activate, ticks, tick, told, list, clock } = await scene(rows, {
			size: capped(20),
			count: () => undefined,
		});
		await activate();
		await ticks(5);
		list.beforeAnswer = () => clock.advance(119 * SECOND_MS);
		const fresh = [charge(clock.now()), charge(clock.now())];
		rows.push(...fresh);
		for (let polls = 0; polls < 12; polls++) await tick(5 * MINUTE_MS);
		expect(told.sort()).toEqual(createdIds(fresh).sort());
	});

	it('whose first page alone has the count, oldest first, charges beyond a full last page are told', async () => {
		const rows = history(300, NOW_MS, MINUTE_MS).reverse();
		const { activate, ticks, told, list } = await scene(rows);
		let page = 1;
		list.beforeAnswer = (request) => (page = request.page);
		list.manners.count = (total) => (page === 1 ? total : undefined);
		await activate();
		await ticks(2);
		const fresh = [1, 2, 3].map((minute) => charge(NOW_MS + minute * MINUTE_MS));
		rows.push(...fresh);
		await ticks(6);
		expect(told.sort()).toEqual(createdIds(fresh).sort());
	});

	it('one answer without its count tells nothing of a backlog again', async () => {
		const rows = history(9_000, NOW_MS, MINUTE_MS);
		const { activate, ticks, told, list } = await scene(rows, {}, BEGINNING);
		await activate();
		let requests = 0;
		list.manners.count = (total) => (++requests === 1 ? undefined : total);
		await ticks(4);
		expect([new Set(told).size, repeated(told)]).toEqual([9_000, 0]);
	});

	it('whole pages of rows that can’t be read are not taken for its end', async () => {
		const rows = history(600, NOW_MS, SECOND_MS);
		for (let at = 100; at < 320; at++) rows[at] = { ...rows[at], created: null };
		const { activate, ticks, told, list } = await scene(
			rows,
			{ size: capped(100), count: () => undefined, hasNext: false },
			BEGINNING,
		);
		await activate();
		await ticks(5);
		expect([new Set(told).size, repeated(told)]).toEqual([380, 0]);
		list.requests();
		await ticks(10);
		expect(list.requests()).toBeLessThan(120);
	});

	it('nothing of it is told when the page that would show its end fails as the trigger begins', async () => {
		const rows = history(250, NOW_MS, SECOND_MS);
		const { activate, ticks, told, list } = await scene(rows, {
			count: (_total, onPage) => onPage,
			instead: ({ page }) => (page > 1 ? { kind: 'reply', status: 500 } : undefined),
		});
		await activate();
		list.manners.instead = () => undefined;
		await ticks(5);
		expect(told).toEqual([]);
	});

	it('a backlog in no order is told once where charges come in among what was read', async () => {
		const inOrder = history(9_000, NOW_MS - MINUTE_MS, 10 * MINUTE_MS);
		const rows = inOrder.map((row, index) => inOrder[(index * 3_701) % 9_000] ?? row);
		const parameters = {
			events: ['charge.created'],
			options: { startFrom: 'beginning', maxChargesPerPoll: 6_000 },
		};
		const { list, clock, activate, ticks, told } = await scene(
			rows,
			{ size: capped(500) },
			{ parameters },
		);
		await activate();
		for (let times = 0; times < 5; times++) list.rows.splice(-100, 0, charge(clock.now()));
		await ticks(4);
		expect(told).toHaveLength(9_005);
		expect(new Set(told).size).toBe(9_005);
	});

	it('a backlog from a date goes on under another filter', async () => {
		const rows = history(12_000, NOW_MS, MINUTE_MS).map(
			(row, index): Row => ({
				...row,
				currency: index % 2 === 0 ? 'EUR' : 'USD',
			}),
		);
		const from = (filters: Record<string, string>) => ({
			parameters: {
				events: ['charge.created'],
				filters,
				options: {
					startFrom: 'date',
					startDate: new Date(NOW_MS - 9_000 * MINUTE_MS).toISOString(),
				},
			},
		});
		const { activate, publish, ticks, told } = await scene(rows, {}, from({}));
		await activate();
		const before = told.length;
		await publish(from({ currency: 'EUR' }));
		await ticks(3);
		const since = new Date(NOW_MS - 9_000 * MINUTE_MS).toISOString();
		const euros = rows.filter(
			(row: Row) => row['currency'] === 'EUR' && (row['created'] as string) >= since,
		);
		expect(before).toBe(5_000);
		expect(createdIds(euros).filter((id) => !told.includes(id))).toEqual([]);
		expect(repeated(told)).toBe(0);
	}, 60_000);

	it('a backlog of which a Status filter leaves out every other charge, on one large page, leaves the stored state small', async () => {
		const rows = history(6_000, NOW_MS, MINUTE_MS);
		for (const [at, row] of rows.entries()) row['status'] = at % 2 === 0 ? 'captured' : 'declined';
		const parameters = {
			events: ['charge.created'],
			filters: { status: 'captured' },
			options: { startFrom: 'beginning', maxChargesPerPoll: 500 },
		};
		const wanted = rows.filter(({ status }) => status === 'captured');
		const { activate, tick, told, stateBytes } = await scene(
			rows,
			{ size: () => 6_000 },
			{ parameters },
		);
		await activate();
		for (let polls = 0; polls < 7; polls++) {
			expect(stateBytes()).toBeLessThan(150_000);
			await tick();
		}
		expect(told).toEqual(createdIds(wanted.reverse()));
	});

	it('statuses of any length leave the stored state small', async () => {
		const rows = history(60, NOW_MS, MINUTE_MS).map((row, index) => ({
			...row,
			status: `${index}`.repeat(10_000),
		}));
		const { activate, ticks, stateBytes } = await scene(
			rows,
			{},
			{ parameters: { events: ['charge.created', 'charge.statusChanged'] } },
		);
		await activate();
		await ticks(3);
		expect(stateBytes()).toBeLessThan(256_000);
	});

	it('one row in each page that can’t be read does not make every reading one of the whole list', async () => {
		const rows = history(3_000, NOW_MS, MINUTE_MS).map((row, index) =>
			index % 100 === 50 ? { ...row, created: null } : row,
		);
		const { activate, ticks, list } = await scene(rows);
		await activate();
		await ticks(3);
		list.requests();
		await ticks(35);
		expect(list.requests()).toBeLessThan(35 + 2 * 5);
	});
});
