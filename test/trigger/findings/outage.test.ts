import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { ListManners } from '../../support/servers/chargeListServer';
import { json } from '../../support/servers/http-server';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from './scene';

/** So many that the keys of all of them can't be remembered. */
const MANY = 11_000;
const FEW_AT_A_TIME = {
	parameters: { events: ['charge.created'], options: { maxChargesPerPoll: 1_000 } },
};
const NO_COUNT: ListManners = { count: () => undefined };
const SEARCHED = { parameters: { events: ['charge.created'], filters: { search: 'shop' } } };

/** More charges than a poll may tell, and than are remembered, have come in while n8n was down. */
describe('after an outage', () => {
	it.each([
		['without a count, newest first', 'newestFirst', {}, NO_COUNT],
		['without a count, oldest first', 'oldestFirst', {}, NO_COUNT],
		['under a Search filter', 'newestFirst', SEARCHED, {}],
		['without a count, a thousand at a time', 'newestFirst', FEW_AT_A_TIME, NO_COUNT],
	] as const)('%s, each charge is told once', async (_title, order, options, manners) => {
		const rows = history(100, NOW_MS, MINUTE_MS);
		if (order === 'oldestFirst') rows.reverse();
		const { activate, ticks, tick, told, clock } = await scene(rows, manners, options);
		await activate();
		await ticks(3);
		const missed = history(MANY, clock.now() + 8 * HOUR_MS, (8 * HOUR_MS) / MANY - 1);
		if (order === 'oldestFirst') rows.push(...missed.reverse());
		else rows.unshift(...missed);
		await tick(8 * HOUR_MS);
		await ticks(20);
		expect(told).toHaveLength(MANY);
		expect(new Set(told)).toEqual(new Set(createdIds(missed)));
	});

	it('without a count, what goes on coming in faster than it may be told is told once it may', async () => {
		const rows = history(100, NOW_MS, MINUTE_MS);
		const options = {
			parameters: { events: ['charge.created'], options: { maxChargesPerPoll: 100 } },
		};
		const { activate, tick, ticks, told, arrive, clock } = await scene(rows, NO_COUNT, options);
		await activate();
		const came: string[] = [];
		for (let poll = 0; poll < 60; poll++) {
			for (let number = 0; number < 200; number++) {
				clock.advance(4_500);
				came.push(...createdIds([arrive()]));
			}
			await tick(0);
		}
		await ticks(80);
		expect(told).toHaveLength(came.length);
		expect(new Set(told)).toEqual(new Set(came));
	});
});

it('in no order, none of more charges than are remembered is told twice', async () => {
	const rows = history(100, NOW_MS, DAY_MS);
	const { activate, tick, told, list, clock } = await scene(rows);
	await activate();
	const came: string[] = [];
	const place = (number: number): number => (number * 7_919) % 10_007;
	for (let poll = 0; poll < 30; poll++) {
		const fresh = history(400, clock.now() + 5 * MINUTE_MS, 700);
		came.push(...createdIds(fresh));
		for (const row of fresh) list.rows.splice(place(came.length) % list.rows.length, 0, row);
		await tick(5 * MINUTE_MS);
	}
	for (let poll = 0; poll < 10; poll++) await tick(5 * MINUTE_MS);
	expect(told).toHaveLength(came.length);
	expect(new Set(told)).toEqual(new Set(came));
}, 120_000);

it('a backlog is told whole though charges move to the new end of a list by last change meanwhile', async () => {
	const rows = history(8_000, NOW_MS, MINUTE_MS);
	const options = {
		parameters: {
			events: ['charge.created'],
			options: { startFrom: 'beginning', maxChargesPerPoll: 400 },
		},
	};
	const { activate, tick, told, list } = await scene(rows, {}, options);
	await activate();
	for (let poll = 0; poll < 40; poll++) {
		for (let number = 0; number < 4; number++) {
			const [changed] = list.rows.splice((poll * 4 + number) * 47, 1);
			if (changed !== undefined) list.rows.unshift(changed);
		}
		await tick();
	}
	expect(new Set(told)).toEqual(new Set(createdIds(rows)));
});

it('what a poll found while the workflow was unpublished is told, though the service is down when it is published again', async () => {
	const { publish, poller, ticks, told, arrive, list } = await scene(
		history(100, NOW_MS, MINUTE_MS),
	);
	await poller.activate();
	await ticks(1);
	const saved = poller.unsaved();
	const charge = arrive();
	// n8n throws away what this one found, and saves nothing of it.
	expect((await poller.tick()).json).toHaveLength(1);
	list.manners.instead = () => json({}, 500);
	expect((await publish({ staticData: saved })).error).toBeUndefined();
	delete list.manners.instead;
	await ticks(3);
	expect(told).toEqual(createdIds([charge]));
});

it.each([
	['newest first', 404],
	['oldest first', 404],
	['newest first', 400],
	['oldest first', 500],
] as const)(
	'in an outage, %s, that answers %d to all, each poll fails, and the count is believed after it',
	async (order, status) => {
		const rows = history(600, NOW_MS, 10 * MINUTE_MS);
		if (order === 'oldest first') rows.reverse();
		const { activate, tick, ticks, list, publish } = await scene(rows, { size: capped(20) });
		await activate();
		await ticks(4);
		list.manners.instead = () => json({ message: 'Not found' }, status);
		const outcomes = [];
		for (let polls = 0; polls < 6; polls++) outcomes.push(await tick());
		expect(outcomes.every(({ error }) => error !== undefined)).toBe(true);
		const wrong = await publish({ credentials: { baseUrl: list.url, apiKey: 'another-key' } });
		expect(wrong.error === undefined).toBe(status === 500);
		await publish({});
		delete list.manners.instead;
		await ticks(2);
		list.requests();
		await ticks(4);
		expect(list.requests()).toBe(4);
	},
);

it('a list that has shrunk by pages goes on being read by polls that have time for one request', async () => {
	const rows = history(300, NOW_MS, 10 * MINUTE_MS).reverse();
	const { activate, tick, ticks, told, list, clock } = await scene(rows, { size: capped(20) });
	await activate();
	await ticks(8);
	list.beforeAnswer = () => clock.advance(70 * SECOND_MS);
	rows.splice(0, 100);
	await ticks(20);
	const row = charge(clock.now());
	rows.push(row);
	for (let polls = 0; polls < 20; polls++) expect((await tick()).error).toBeUndefined();
	expect(told).toEqual(createdIds([row]));
});

it('a poll ends in its time though the clock of the host is set back meanwhile', async () => {
	const { activate, list, clock } = await scene(history(2_000, NOW_MS, SECOND_MS));
	const startedAt = clock.now();
	list.beforeAnswer = () => {
		clock.advance(30 * SECOND_MS);
		clock.setHost(-HOUR_MS);
	};
	await activate();
	const requests = list.requests();
	expect(requests).toBeGreaterThan(1);
	expect(clock.now() - startedAt + requests * HOUR_MS).toBeLessThanOrEqual(2 * MINUTE_MS);
});
