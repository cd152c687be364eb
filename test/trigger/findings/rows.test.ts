import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { ListManners, Row } from '../../support/servers/chargeListServer';
import { json } from '../../support/servers/http-server';
import { MINUTE_MS, NOW_MS, createdIds, scene } from './scene';

/** What made each poll of the first core fail, for ever. */
describe('no poll fails, and what comes is told, though', () => {
	const defects: Array<{ name: string; defect: Row }> = [
		{ name: 'one charge has no created', defect: { created: null } },
		{ name: 'one charge has a created that is no date', defect: { created: 'yesterday' } },
		{ name: 'one charge has a number for an id', defect: { id: 4711 } },
		{ name: 'one charge has no id', defect: { id: null } },
	];
	it.each(defects)('$name', async ({ defect }) => {
		const { list, arrive, activate, ticks, told } = await scene(history(30, NOW_MS, MINUTE_MS), {
			size: capped(10),
		});
		await activate();
		list.rows.unshift(charge(NOW_MS, defect));
		const fresh = [arrive()];
		await ticks(3);
		fresh.push(arrive());
		await ticks(3);
		expect(told).toEqual(expect.arrayContaining(createdIds(fresh)));
		expect(told.length).toBeLessThanOrEqual(3);
	});

	it('a charge is no record at all', async () => {
		const { list, arrive, activate, ticks, told } = await scene(history(30, NOW_MS, MINUTE_MS));
		await activate();
		const fresh = arrive();
		list.manners.instead = ({ page }) =>
			page === 1
				? json({ count: list.rows.length + 1, results: ['charge', ...list.rows] })
				: undefined;
		await ticks(3);
		expect(told).toEqual(createdIds([fresh]));
	});

	const counts: Array<{ name: string; count: ListManners['count'] }> = [
		{ name: 'count is -1', count: () => -1 },
		{ name: 'count is a word', count: () => 'many' },
		{ name: 'count is a fraction', count: (total) => total + 0.5 },
		{ name: 'count is a list', count: () => [] },
	];
	it.each(counts)('$name', async ({ count }) => {
		const { arrive, activate, ticks, told } = await scene(history(30, NOW_MS, MINUTE_MS), {
			size: capped(10),
			count,
		});
		expect((await activate()).error).toBeUndefined();
		const fresh = [arrive(), arrive()];
		await ticks(3);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it('an empty list has null for its rows', async () => {
		const { list, arrive, activate, ticks, told } = await scene([]);
		list.manners.instead = () =>
			list.rows.length === 0 ? json({ count: 0, next: null, results: null }) : undefined;
		expect((await activate()).error).toBeUndefined();
		await ticks(2);
		const fresh = arrive();
		await ticks(2);
		expect(told).toEqual(createdIds([fresh]));
	});

	it('a page that is not the first has null for its rows', async () => {
		const { list, arrive, activate, ticks, told } = await scene(history(40, NOW_MS, MINUTE_MS), {
			size: capped(10),
		});
		await activate();
		list.manners.instead = ({ page, pageSize }) =>
			pageSize >= 10 && page === 3 ? json({ count: list.rows.length, results: null }) : undefined;
		const fresh = [];
		for (let poll = 0; poll < 40; poll++) {
			fresh.push(arrive());
			await ticks(1);
		}
		await ticks(3);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it.each(['9999-12-31', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-12:00'])(
		'one charge is dated %s, and it is told once',
		async (created) => {
			const { list, activate, ticks, told } = await scene(history(30, NOW_MS, MINUTE_MS), {
				size: capped(10),
			});
			await activate();
			const future = charge(NOW_MS, { created });
			list.rows.unshift(future);
			const fresh = [];
			for (let poll = 0; poll < 12; poll++) {
				const row = charge(NOW_MS + poll * 20 * MINUTE_MS);
				fresh.push(row);
				list.rows.splice(1, 0, row);
				await ticks(1, 20 * MINUTE_MS);
			}
			expect([...told].sort()).toEqual(createdIds([future, ...fresh]).sort());
		},
	);

	it('a charge of the far future was there when the trigger began', async () => {
		const { list, activate, ticks, told } = await scene([
			charge(NOW_MS, { created: '9999-12-31' }),
			...history(30, NOW_MS, MINUTE_MS),
		]);
		await activate();
		const fresh = [];
		for (let poll = 0; poll < 6; poll++) {
			const row = charge(NOW_MS + poll * 20 * MINUTE_MS);
			fresh.push(row);
			list.rows.splice(1, 0, row);
			await ticks(1, 20 * MINUTE_MS);
		}
		expect(told).toEqual(createdIds(fresh));
	});
});

describe('a charge is told once though its created moves', () => {
	it.each([-50, -10, -1, 1, 10, 50])('by %d minutes', async (minutes) => {
		const { list, clock, arrive, activate, ticks, told } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
		);
		await activate();
		const moving = arrive();
		await ticks(2);
		moving['created'] = new Date(clock.now() + minutes * MINUTE_MS).toISOString();
		list.rows.sort((one, other) => (String(one['created']) < String(other['created']) ? 1 : -1));
		await ticks(8, 10 * MINUTE_MS);
		expect(told).toEqual(createdIds([moving]));
	});

	it('to now, before it would be forgotten', async () => {
		const { list, clock, arrive, activate, ticks, told } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
		);
		await activate();
		const rows = [arrive()];
		for (let poll = 0; poll < 20; poll++) {
			await ticks(1, 10 * MINUTE_MS);
			const [first] = rows;
			if (poll === 4 && first !== undefined) {
				first['created'] = new Date(clock.now()).toISOString();
				list.rows.sort((one, other) =>
					String(one['created']) < String(other['created']) ? 1 : -1,
				);
			}
			rows.push(arrive());
		}
		await ticks(1);
		expect(told).toEqual(createdIds(rows));
	});
});

it.each([{ created: null }, { id: null }])(
	'a charge that can’t be read counts once in the warning, though its page is read twice in a poll: %j',
	async (defect) => {
		const rows = history(60, NOW_MS, 10 * MINUTE_MS);
		Object.assign(rows[4] ?? {}, defect);
		const { activate, ticks, tick, arrive, list } = await scene(rows, { size: capped(10) });
		await activate();
		await ticks(4);
		let hasArrived = false;
		list.beforeAnswer = ({ page }) => {
			if (page === 1 || hasArrived) return;
			hasArrived = true;
			arrive();
		};
		const { logs } = await tick(40 * MINUTE_MS);
		expect(hasArrived).toBe(true);
		const messages = logs.map(({ message }) => message);
		expect(messages.filter((text) => text.includes('no creation time'))).toEqual([
			'Charges that have no id or no creation time that can be read: 1. They are passed over until they have.',
		]);
	},
);
