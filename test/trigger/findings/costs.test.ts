import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { Row } from '../../support/servers/chargeListServer';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from './scene';

const MAX_STATE_BYTES = 256_000;
const LOOKBACK_MS = HOUR_MS;

/** Where the first core read or kept too much. */
describe('polls stay small', () => {
	const orders = ['newest first', 'oldest first'];
	it.each(orders.flatMap((order) => [0, 1, 99, 100, 250].map((count) => ({ order, count }))))(
		'with $count new charges each, $order: a page more than they fill, but for readings of the window',
		async ({ order, count }) => {
			const rows = history(1_000, NOW_MS, 10 * SECOND_MS);
			if (order === 'oldest first') rows.reverse();
			const { list, clock, activate, ticks, tick } = await scene(rows);
			await activate();
			await ticks(2);
			list.requests();
			let dear = 0;
			for (let poll = 0; poll < 35; poll++) {
				const fresh = Array.from({ length: count }, () => charge(clock.now()));
				if (order === 'oldest first') list.rows.push(...fresh);
				else list.rows.unshift(...fresh);
				await tick();
				if (list.requests() > Math.ceil(count / 100) + 1) dear += 1;
			}
			expect(dear).toBeLessThanOrEqual(2);
		},
	);

	it('after several imports of charges dated back, for which the count was right', async () => {
		const inOrder = history(100, NOW_MS, MINUTE_MS);
		const rows = inOrder.map((row, index) => inOrder[(index * 37) % 100] ?? row);
		const { list, activate, ticks } = await scene(rows, { size: capped(10) });
		await activate();
		for (let round = 0; round < 5; round++) {
			list.rows.splice(30 + round, 0, charge(NOW_MS - 30 * DAY_MS));
			await ticks(2);
		}
		list.requests();
		await ticks(20);
		// Single requests, and one reading of the list's eleven pages: without the count all of them would be read each time.
		expect(list.requests()).toBeLessThanOrEqual(20 + 12);
	});

	it('in a list without order whose count is off by one', async () => {
		const rows = history(100, NOW_MS, MINUTE_MS);
		rows.sort((one, other) =>
			String(one['id']).slice(-1).localeCompare(String(other['id']).slice(-1)),
		);
		const { list, clock, activate, tick, ticks, stateBytes, told } = await scene(rows, {
			size: capped(10),
			count: (total) => total + 1,
		});
		await activate();
		await ticks(5);
		list.requests();
		await ticks(60);
		// 60 single requests, and some readings of its eleven pages: one in half a lookback, and what the count asks for.
		expect(list.requests()).toBeLessThan(60 + 6 * 12);
		const fresh: Row[] = [];
		for (let poll = 0; poll < 40; poll++) {
			const row = charge(clock.now());
			fresh.push(row);
			list.rows.splice((poll * 37) % 100, 0, row);
			await tick(10 * MINUTE_MS);
		}
		const bytes = stateBytes();
		for (let poll = 0; poll < 40; poll++) {
			const row = charge(clock.now());
			fresh.push(row);
			list.rows.splice((poll * 37) % 100, 0, row);
			await tick(10 * MINUTE_MS);
		}
		expect(stateBytes()).toBeLessThan(bytes * 1.2 + 100);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it('with 130 to 250 new charges each, but for a reading of the window in half a lookback', async () => {
		const { list, clock, arrive, activate, tick, told } = await scene(
			history(300, NOW_MS, MINUTE_MS),
		);
		await activate();
		await tick();
		list.requests();
		const polls = 120;
		let fresh = 0;
		let dear = 0;
		for (let poll = 0; poll < polls; poll++) {
			const count = 130 + ((poll * 53) % 121);
			for (let index = 0; index < count; index++)
				arrive({ created: new Date(clock.now() + index * 200).toISOString() });
			fresh += count;
			await tick();
			if (list.requests() > Math.ceil(count / 100) + 1) dear += 1;
		}
		expect(new Set(told).size).toBe(fresh);
		expect(told).toHaveLength(fresh);
		expect(dear).toBeLessThanOrEqual(Math.ceil((polls * MINUTE_MS) / (LOOKBACK_MS / 2)) + 1);
	}, 60_000);

	it.each(['newest first', 'oldest first'])(
		'with 40,000 charges of one timestamp %s: below 3 s of CPU and 256 kB',
		async (order) => {
			const { list, activate, tick, stateBytes, told } = await scene(
				history(50, NOW_MS - HOUR_MS, MINUTE_MS),
				{
					size: () => 4_000,
				},
			);
			if (order === 'oldest first') list.rows.reverse();
			await activate();
			await tick();
			const mass = Array.from({ length: 40_000 }, () => charge(NOW_MS));
			if (order === 'oldest first') list.rows.push(...mass);
			else list.rows.unshift(...mass);
			for (let poll = 0; poll < 10; poll++) {
				const began = process.cpuUsage();
				const { error } = await tick();
				const { user, system } = process.cpuUsage(began);
				expect(error).toBeUndefined();
				// A second is the trigger's, the other n8n's, the server's and JSON's.
				expect((user + system) / 1_000).toBeLessThan(3_000);
				expect(stateBytes()).toBeLessThan(MAX_STATE_BYTES);
			}
			expect(new Set(told).size).toBe(40_000);
			expect(told).toHaveLength(40_000);
		},
	);

	it('in a list that is given as one page of 50,000 charges', async () => {
		const { list, activate, ticks, stateBytes, told } = await scene(history(50_000, NOW_MS, 50), {
			size: () => 100_000,
		});
		await activate();
		expect(stateBytes()).toBeLessThan(MAX_STATE_BYTES);
		const fresh = charge(NOW_MS + 1);
		list.rows.unshift(fresh);
		await ticks(2);
		expect(stateBytes()).toBeLessThan(MAX_STATE_BYTES);
		expect(told).toEqual(createdIds([fresh]));
	});

	it('from 125,000 charges of one timestamp on, a few at a time', async () => {
		const { activate, ticks, told } = await scene(
			Array.from({ length: 130_000 }, () => charge(NOW_MS)),
			{ size: () => 130_000 },
			{
				parameters: {
					events: ['charge.created'],
					options: { startFrom: 'beginning', maxChargesPerPoll: 100 },
				},
			},
		);
		expect((await activate()).error).toBeUndefined();
		await ticks(2);
		expect(told).toHaveLength(300);
		expect(new Set(told).size).toBe(300);
	}, 60_000);
});

describe('a backlog', () => {
	it('is told to its end though a filter is taken away meanwhile', async () => {
		const rows = history(200, NOW_MS, MINUTE_MS);
		for (const [index, row] of rows.entries()) if (index % 4 === 0) row['currency'] = 'EUR';
		const parameters = (filters: Record<string, string>) => ({
			events: ['charge.created'],
			filters,
			options: { startFrom: 'beginning', maxChargesPerPoll: 40 },
		});
		const { activate, ticks, publish, told } = await scene(
			rows,
			{ size: capped(20) },
			{
				parameters: parameters({ currency: 'USD' }),
			},
		);
		await activate();
		await publish({ parameters: parameters({}) });
		await ticks(12);
		expect([...told].sort()).toEqual(
			createdIds(rows.filter(({ currency }) => currency === 'USD')).sort(),
		);
	});
});
