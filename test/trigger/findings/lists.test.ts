import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { ListManners, Row } from '../../support/servers/chargeListServer';
import { json } from '../../support/servers/http-server';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, createdIds, scene } from './scene';

/** What the first core lost in lists that are not sorted by date, or not in pages as asked. */
describe('nothing is lost in a list', () => {
	it.each(['newest first', 'oldest first'])(
		'without a count, %s, that says of every page that none follows',
		async (order) => {
			const rows = history(130, NOW_MS - MINUTE_MS, DAY_MS);
			if (order === 'oldest first') rows.reverse();
			const page = (number: number) => rows.slice((number - 1) * 20, number * 20);
			const { clock, activate, tick, ticks, told } = await scene(
				rows,
				{ instead: ({ page: number }) => json({ next: null, results: page(number) }) },
				{ parameters: { events: ['charge.created'], options: { startFrom: 'beginning' } } },
			);
			await activate();
			for (let round = 0; round < 25; round++) {
				const row = charge(clock.now());
				if (order === 'oldest first') rows.push(row);
				else rows.unshift(row);
				await tick();
			}
			await ticks(2, 20 * MINUTE_MS);
			expect([...told].sort()).toEqual(createdIds(rows).sort());
		},
	);

	it('without a count, oldest first by last change, where late charges stand before a page of older ones that changed', async () => {
		const rows = history(100, NOW_MS - HOUR_MS, HOUR_MS).reverse();
		const { clock, activate, ticks, told } = await scene(rows, {
			size: capped(10),
			count: () => undefined,
		});
		await activate();
		await ticks(2);
		const latest = charge(clock.now());
		rows.push(latest);
		await ticks(1);
		for (const row of rows.splice(0, 40)) {
			row['refunds'] = [{ created: new Date(clock.now()).toISOString(), amount: '1.00' }];
			row['refund_total'] = '1.00';
			rows.push(row);
		}
		const late = charge(clock.now() - 10 * MINUTE_MS);
		rows.splice(rows.indexOf(latest), 0, late);
		await ticks(40);
		expect([...told].sort()).toEqual(createdIds([latest, late]).sort());
	});

	it('by last change, where more old charges change than a page holds', async () => {
		const { list, arrive, activate, tick, ticks, told } = await scene(
			history(100, NOW_MS - MINUTE_MS, HOUR_MS),
			{
				size: capped(10),
			},
		);
		await activate();
		const fresh = [];
		for (let round = 0; round < 10; round++) {
			fresh.push(arrive());
			// Old ones that change go to the top.
			list.rows.unshift(...list.rows.splice(20, 25));
			await tick();
		}
		await ticks(4, 20 * MINUTE_MS);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it('by status, of which page 1 is sorted by date', async () => {
		const rows = history(200, NOW_MS, MINUTE_MS);
		for (const [index, row] of rows.entries())
			row['status'] = index % 2 === 0 ? 'authorised' : 'captured';
		const sort = (): Row[] =>
			rows.sort(
				(one, other) =>
					byText(one['status'], other['status']) || byText(other['created'], one['created']),
			);
		sort();
		const { clock, activate, tick, ticks, told } = await scene(rows, { size: capped(20) });
		await activate();
		const fresh = [];
		for (let round = 0; round < 12; round++) {
			const row = charge(clock.now(), { status: round % 3 === 0 ? 'authorised' : 'captured' });
			fresh.push(row);
			rows.push(row);
			sort();
			await tick();
		}
		await ticks(4, 20 * MINUTE_MS);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it('by amount, of which page 1 looks sorted by date', async () => {
		// Large amounts have come in one after another, small ones at any time.
		const rows = history(200, NOW_MS - DAY_MS, HOUR_MS).map((row, index) => ({
			...row,
			total: (1_000 - index).toFixed(2),
		}));
		const { list, clock, activate, tick, ticks, told } = await scene(rows, { size: capped(20) });
		await activate();
		const fresh = [];
		for (let round = 0; round < 20; round++) {
			const row = charge(clock.now());
			fresh.push(row);
			list.rows.splice(20 + ((round * 37) % 180), 0, row);
			await tick();
		}
		await ticks(4, 20 * MINUTE_MS);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it.each(['newest first', 'oldest first'])(
		'%s under a Status filter, where one charge leaves while another joins',
		async (order) => {
			const rows = history(60, NOW_MS, MINUTE_MS, { status: 'authorised' });
			const joining = [rows[12], rows[25], rows[38], rows[44]].filter((row) => row !== undefined);
			for (const row of joining) row['status'] = 'pending';
			if (order === 'oldest first') rows.reverse();
			const { activate, tick, ticks, told } = await scene(
				rows,
				{ size: capped(10) },
				{ parameters: { events: ['charge.created'], filters: { status: 'authorised' } } },
			);
			await activate();
			for (const row of joining) {
				const leaving = rows.find(({ status }) => status === 'authorised');
				if (leaving !== undefined) leaving['status'] = 'captured';
				row['status'] = 'authorised';
				await tick();
			}
			await ticks(8, 5 * MINUTE_MS);
			expect([...told].sort()).toEqual(createdIds(joining).sort());
		},
	);

	it('under a Status filter, to which an older charge comes later', async () => {
		const { list, activate, ticks, told } = await scene(
			history(40, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
			{
				parameters: { events: ['charge.created'], filters: { status: 'captured' } },
			},
		);
		await activate();
		await ticks(2);
		const [, , , older = {}] = list.rows;
		older['status'] = 'captured';
		await ticks(8, 10 * MINUTE_MS);
		expect(told).toEqual(createdIds([older]));
	});

	const sizes: Array<{ name: string; manners: ListManners }> = [
		{ name: 'the page size is ignored', manners: { size: () => 30 } },
		{
			name: 'only pages of 20, 50 and 100 exist',
			manners: { size: (asked) => (asked >= 100 ? 100 : asked >= 50 ? 50 : 20) },
		},
		{
			name: 'page sizes are rounded down to tens, 30 at most',
			manners: { size: (asked) => Math.max(10, Math.floor(Math.min(asked, 30) / 10) * 10) },
		},
	];
	describe.each(sizes)('where $name', ({ manners }) => {
		it.each(['newest first', 'oldest first'])('%s, with bursts', async (order) => {
			const rows = history(130, NOW_MS, MINUTE_MS);
			if (order === 'oldest first') rows.reverse();
			const { list, clock, activate, tick, ticks, told } = await scene(rows, manners);
			await activate();
			const fresh: Row[] = [];
			for (const count of [1, 45, 130, 31, 7, 61]) {
				for (let index = 0; index < count; index++) {
					const row = charge(clock.now() + index);
					fresh.push(row);
					if (order === 'oldest first') list.rows.push(row);
					else list.rows.unshift(row);
				}
				await tick();
			}
			await ticks(4, 20 * MINUTE_MS);
			expect([...told].sort()).toEqual(createdIds(fresh).sort());
		});

		it('with a backlog that is told a few at a time', async () => {
			const rows = history(150, NOW_MS, MINUTE_MS);
			const { activate, ticks, told } = await scene(rows, manners, {
				parameters: {
					events: ['charge.created'],
					options: { startFrom: 'beginning', maxChargesPerPoll: 40 },
				},
			});
			await activate();
			await ticks(12);
			expect([...told].sort()).toEqual(createdIds(rows).sort());
		});
	});

	it.each(['newest first', 'oldest first'])(
		'%s, whose end nothing shows but an empty page, from the beginning',
		async (order) => {
			const rows = history(95, NOW_MS, MINUTE_MS);
			if (order === 'oldest first') rows.reverse();
			const { list, activate, tick, told } = await scene(
				rows,
				{ size: capped(20), count: () => undefined, hasNext: false, end: 'empty' },
				{ parameters: { events: ['charge.created'], options: { startFrom: 'beginning' } } },
			);
			await activate();
			for (let poll = 0; poll < 5; poll++) {
				list.requests();
				await tick();
				expect(list.requests()).toBeLessThan(30);
			}
			expect([...told].sort()).toEqual(createdIds(rows).sort());
		},
	);
});

const byText = (one: unknown, other: unknown): number =>
	(one as string) < (other as string) ? -1 : one === other ? 0 : 1;
