import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { Row } from '../../support/servers/chargeListServer';
import { text } from '../../support/servers/http-server';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, createdIds, scene } from './scene';

const FROM_BEGINNING = {
	parameters: { events: ['charge.created'], options: { startFrom: 'beginning' } },
};

const createdOf = ({ created }: Row): string => created as string;

/** What goes wrong after a long time only, or in a long list. */
describe('in a life of a trigger', () => {
	it('a count that is wrong once tells nothing of a backlog, oldest first, again', async () => {
		const rows = history(20_000, NOW_MS, MINUTE_MS).reverse();
		const { activate, ticks, told, list } = await scene(rows, {}, FROM_BEGINNING);
		await activate();
		await ticks(1);
		expect(told).toHaveLength(10_000);
		list.manners.count = (total) => total - 50;
		await ticks(1);
		list.manners.count = (total) => total;
		await ticks(8);
		expect([new Set(told).size, told.length]).toEqual([20_000, 20_000]);
	}, 60_000);

	it('charges dated back now and then do not make every poll read a long list', async () => {
		const rows = history(1_600, NOW_MS, MINUTE_MS).reverse();
		const { activate, ticks, list, clock } = await scene(rows, { size: capped(10) });
		await activate();
		await ticks(3);
		for (let times = 0; times < 4; times++) {
			list.rows.unshift(charge(clock.now() - 30 * DAY_MS));
			await ticks(6);
		}
		list.requests();
		await ticks(10);
		expect(list.requests()).toBeLessThan(10 + 30);
	}, 60_000);

	it('a page that fails once, where charges come in late, makes no poll read the whole list', async () => {
		const rows = history(4_000, NOW_MS, 20_000).reverse();
		const { activate, tick, list, told, clock } = await scene(rows, { size: capped(20) });
		await activate();
		const came: string[] = [];
		list.requests();
		const most = [];
		for (let polls = 0; polls < 30; polls++) {
			for (let number = 0; number < 40; number++) {
				clock.advance(20_000);
				const row = charge(clock.now() - (number % 8 === 0 ? 10 * MINUTE_MS : 0));
				came.push(...createdIds([row]));
				const at = rows.findLastIndex((other) => createdOf(other) <= createdOf(row));
				rows.splice(at + 1, 0, row);
			}
			let isFailing = polls === 8;
			list.manners.instead = () => {
				const isLast = isFailing;
				isFailing = false;
				return isLast ? { kind: 'reply', status: 500 } : undefined;
			};
			await tick();
			most.push(list.requests());
		}
		expect(Math.max(...most)).toBeLessThan(100);
		expect(new Set(told)).toEqual(new Set(came));
	});

	it('a page that fails for good does not make every poll read the list', async () => {
		const rows = history(600, NOW_MS, MINUTE_MS);
		const { activate, ticks, list, clock, arrive, told } = await scene(rows, { size: capped(10) });
		const poison = rows[25];
		list.manners.instead = ({ page }) =>
			list.rows.indexOf(poison ?? {}) >= (page - 1) * 10 &&
			list.rows.indexOf(poison ?? {}) < page * 10
				? text('Internal Server Error', 500)
				: undefined;
		await activate();
		await ticks(8);
		list.requests();
		await ticks(10);
		expect(list.requests()).toBeLessThan(10 * 3 + 80);
		list.rows.push(charge(clock.now() - 30 * DAY_MS));
		const fresh = arrive();
		await ticks(8);
		list.requests();
		await ticks(10);
		expect(list.requests()).toBeLessThan(10 * 3 + 80);
		expect(told).toEqual(createdIds([fresh]));
	}, 60_000);

	it.each([{ id: null }, { created: null }])(
		'an old row that can’t be read does not make every poll read a list without a count: %p',
		async (defect) => {
			const rows = history(1_200, NOW_MS, MINUTE_MS);
			Object.assign(rows[700] ?? {}, defect);
			const { activate, ticks, list, told, arrive } = await scene(rows, {
				size: capped(20),
				count: () => undefined,
			});
			await activate();
			await ticks(6);
			list.requests();
			await ticks(20);
			expect(list.requests()).toBeLessThan(100);
			const fresh = arrive();
			await ticks(1);
			expect(told).toEqual(createdIds([fresh]));
		},
	);

	it('one row that can’t be read for weeks tells nobody that charges may be missed', async () => {
		const { activate, tick, list, clock, told } = await scene(history(30, NOW_MS, MINUTE_MS));
		await activate();
		list.rows.unshift(charge(NOW_MS, { created: null }));
		const warnings: string[] = [];
		for (let hour = 0; hour < 120; hour++) {
			const fresh = history(40, clock.now() + HOUR_MS, MINUTE_MS);
			list.rows.unshift(...fresh);
			const { logs } = await tick(HOUR_MS);
			warnings.push(
				...logs.flatMap(({ message }) => (message.includes('may be missed') ? message : [])),
			);
		}
		expect(told).toHaveLength(4_800);
		expect(warnings).toEqual([]);
	}, 60_000);

	it('one row that can’t be read for weeks has no charge told again that changes after them', async () => {
		const rows = history(30, NOW_MS, MINUTE_MS);
		const { activate, tick, ticks, list, clock, told } = await scene(rows);
		await activate();
		list.rows.unshift(charge(NOW_MS, { created: null }));
		for (let hour = 0; hour < 140; hour++) {
			list.rows.unshift(...history(40, clock.now() + HOUR_MS, MINUTE_MS));
			await tick(HOUR_MS);
		}
		expect(told).toHaveLength(5_600);
		for (let times = 0; times < 5; times++) {
			// The list is one by last change: one of the first moves to the top, beside a new one.
			const [changed] = list.rows.splice(list.rows.length - 150, 1);
			list.rows.unshift(charge(clock.now()));
			if (changed !== undefined) list.rows.unshift(changed);
			await ticks(2);
		}
		expect(told).toHaveLength(5_605);
		expect(new Set(told).size).toBe(5_605);
	}, 60_000);

	it('all that it remembers is full at once, and the state stays below 256 kB', async () => {
		const rows = history(13_000, NOW_MS, 1_000, {
			refund_total: '1.00',
			refunds: [],
		}).map((row, index) => ({
			...row,
			status: `status ${index % 60} of many that a charge may have`,
			...(index % 52 === 0 ? { created: null } : {}),
		}));
		const { activate, tick, list, clock, stateBytes } = await scene(
			rows,
			{},
			{
				parameters: {
					events: ['charge.created', 'charge.refunded'],
					options: { startFrom: 'beginning', maxChargesPerPoll: 4_000, lookbackMinutes: 10_080 },
				},
			},
		);
		await activate();
		let most = 0;
		for (let poll = 0; poll < 60; poll++) {
			const fresh = history(60, clock.now() + MINUTE_MS, 999, { refund_total: '2.00' });
			list.rows.unshift(...fresh);
			const { error } = await tick();
			expect(error).toBeUndefined();
			most = Math.max(most, stateBytes());
		}
		// What is left is for statuses and other accounts.
		expect(most).toBeLessThan(245_000);
		expect(most).toBeGreaterThan(200_000);
	}, 60_000);
});
