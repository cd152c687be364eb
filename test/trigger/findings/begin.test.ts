import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { Row } from '../../support/servers/chargeListServer';
import { HOUR_MS, DAY_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from './scene';

/** What the first core told although it was there when the trigger began. */
describe('what was listed when the trigger began is never told', () => {
	it.each([
		{ order: 'newest first', gapMs: SECOND_MS, perRequestMs: 25 * SECOND_MS },
		{ order: 'oldest first', gapMs: HOUR_MS, perRequestMs: 40 * SECOND_MS },
		{ order: 'in no order', gapMs: MINUTE_MS, perRequestMs: 25 * SECOND_MS },
	])(
		'when the first poll runs out of time in a list $order',
		async ({ order, gapMs, perRequestMs }) => {
			const rows = history(1_000, NOW_MS, gapMs);
			if (order === 'oldest first') rows.reverse();
			if (order === 'in no order') rows.sort((one, other) => hash(one['id']) - hash(other['id']));
			const { list, clock, activate, ticks, tick, told } = await scene(rows, { size: capped(20) });
			list.beforeAnswer = () => clock.advance(perRequestMs);
			await activate();
			await tick();
			await tick();
			list.beforeAnswer = () => undefined;
			await ticks(10);
			expect(told).toEqual([]);
			const fresh = charge(clock.now());
			if (order === 'newest first') rows.unshift(fresh);
			else rows.push(fresh);
			await ticks(5);
			expect(told).toEqual(createdIds([fresh]));
		},
	);

	it('when the first poll fails in the middle of its search', async () => {
		const rows = history(600, NOW_MS, MINUTE_MS).reverse();
		const { list, activate, ticks, told } = await scene(rows, {
			size: capped(20),
			instead: ({ page }) => (page > 3 ? { kind: 'reply', status: 500 } : undefined),
		});
		await activate();
		list.manners.instead = () => undefined;
		await ticks(40);
		expect(told).toEqual([]);
	});

	it('when the filter matched nothing and is put right', async () => {
		const filter = (currency: string) => ({ events: ['charge.created'], filters: { currency } });
		const rows = history(300, NOW_MS, MINUTE_MS);
		const { activate, ticks, publish, arrive, told } = await scene(
			rows,
			{},
			{
				parameters: filter('EUR'),
			},
		);
		await activate();
		await ticks(3);
		await publish({ parameters: filter('USD') });
		await ticks(3);
		expect(told).toEqual([]);
		const fresh = arrive();
		await ticks(2);
		expect(told).toEqual(createdIds([fresh]));
	});

	it('when the node is renamed after a month in which each poll told something', async () => {
		const { activate, tick, ticks, publish, arrive, told } = await scene(
			history(20, NOW_MS, DAY_MS),
		);
		await activate();
		const fresh = [];
		for (let day = 0; day < 30; day++) {
			fresh.push(arrive());
			await tick(DAY_MS);
		}
		await publish({ nodeName: 'Payments', staticData: {} });
		await ticks(3);
		expect(told).toEqual(createdIds(fresh));
	});

	it('when it starts afresh because its state is damaged, and what comes then is told', async () => {
		const damages: Array<(text: string) => string> = [
			(text) => text.replace(/\d/g, '9'),
			(text) =>
				JSON.stringify(
					JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? '~' : value)),
				),
			(text) => text.replace(/:\d+/g, ':-1'),
			(text) => text.replace(/\d{4}-\d\d-\d\d/g, '2999-01-01'),
			(text) => text.replace(/:\d{9,}/g, ':32503680000000'),
		];
		for (const damage of damages) {
			const { activate, ticks, publish, arrive, poller, told } = await scene(
				history(30, NOW_MS, MINUTE_MS),
			);
			await activate();
			arrive();
			await ticks(2);
			told.length = 0;
			const staticData = JSON.parse(damage(JSON.stringify(poller.saved()))) as object;
			// In a process that remembers nothing of this trigger.
			await publish({
				staticData: { ...staticData },
				workflowId: `damaged-${damages.indexOf(damage)}`,
				activation: 'init',
			});
			await ticks(3);
			expect(told).toEqual([]);
			const fresh = arrive();
			await ticks(3);
			expect(told).toEqual(createdIds([fresh]));
		}
	});
});

describe('after an update of the package, whose state is of another version', () => {
	it.each([
		{ startFrom: 'now' },
		{ startFrom: 'beginning' },
		{ startFrom: 'date', startDate: '2026-01-01T00:00:00Z' },
	])('what came in since the last poll is told, and nothing else: %j', async (options) => {
		const parameters = { events: ['charge.created'], options };
		const rows = history(30, NOW_MS, MINUTE_MS);
		const { activate, tick, ticks, publish, arrive, poller, told, clock } = await scene(
			rows,
			{},
			{ parameters },
		);
		await activate();
		arrive();
		await ticks(2);
		told.length = 0;
		const { cursor } = poller.saved() as { cursor: object };
		clock.advance(HOUR_MS);
		const meanwhile = [arrive(), arrive()];
		const { logs } = await publish({
			parameters,
			staticData: { cursor: { ...cursor, version: 999, text: 'of another version' } },
			workflowId: `updated-${options.startFrom}`,
			activation: 'init',
		});
		expect(JSON.stringify(logs)).toContain('is of another version of the package');
		await tick();
		const later = arrive();
		await ticks(2);
		expect(told).toEqual(createdIds([...meanwhile, later]));
	});
});

describe('what arrives while the baseline is being read is told', () => {
	it('in a list without order that takes several polls', async () => {
		const rows = history(1_200, NOW_MS - MINUTE_MS, HOUR_MS).sort(
			(one, other) => hash(one['id']) - hash(other['id']),
		);
		const { list, clock, activate, tick, ticks, told } = await scene(rows, { size: capped(20) });
		list.beforeAnswer = () => clock.advance(8 * SECOND_MS);
		await activate();
		const fresh = [];
		for (const index of [1_100, 300, 700]) {
			const row = charge(clock.now());
			fresh.push(row);
			list.rows.splice(index, 0, row);
			await tick();
		}
		list.beforeAnswer = () => undefined;
		await ticks(15, 10 * MINUTE_MS);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it.each([1, 2, 3, 4])(
		'in a list oldest first with a host clock that is slow, when request %d of the first poll fails',
		async (failing) => {
			const rows = history(60, NOW_MS + 226 * SECOND_MS, MINUTE_MS).reverse();
			const { list, clock, activate, tick, ticks, told } = await scene(rows, { size: capped(8) });
			const serviceNow = () => clock.now() + 226 * SECOND_MS;
			await activate();
			const fresh = [charge(serviceNow())];
			list.rows.push(...fresh);
			list.manners.instead = ({ index }) =>
				index === failing - 1 ? { kind: 'reply', status: 500 } : undefined;
			list.requests();
			await tick();
			list.manners.instead = () => undefined;
			const more = charge(serviceNow());
			list.rows.push(more);
			await ticks(5);
			expect(told).toEqual(createdIds([...fresh, more]));
		},
	);
});

describe('the first reading is over, so that a late charge is told', () => {
	it('though the service refuses to say what follows the only page', async () => {
		const { list, activate, ticks, told } = await scene(history(5, NOW_MS - MINUTE_MS, MINUTE_MS), {
			instead: ({ page }) => (page > 1 ? { kind: 'reply', status: 400 } : undefined),
		});
		await activate();
		await ticks(5);
		const late = charge(NOW_MS - 90 * SECOND_MS);
		list.rows.splice(1, 0, late);
		await ticks(3);
		expect(told).toEqual(createdIds([late]));
		list.requests();
		await ticks(3);
		expect(list.requests()).toBe(3);
	});
});

/** Pseudo-random and always the same. */
function hash(id: unknown): number {
	let value = 7;
	for (const letter of id as string) value = (value * 31 + letter.charCodeAt(0) * 17) % 9_973;
	return value;
}

describe('from the beginning, what stands on a page that fails for nine polls is told once it can be read', () => {
	const orders = {
		'newest first': (rows: Row[]) => rows,
		'oldest first': (rows: Row[]) => rows.reverse(),
		'in no order': (rows: Row[]) => rows.sort((one, other) => hash(one['id']) - hash(other['id'])),
	};
	it.each(
		Object.entries(orders).flatMap(([order, sorted]) =>
			[true, false].map((hasCount) => ({ order, sorted, hasCount })),
		),
	)('in a list $order, with a count: $hasCount', async ({ sorted, hasCount }) => {
		const rows = sorted(history(200, NOW_MS, 10 * MINUTE_MS));
		const { list, activate, ticks, told } = await scene(
			rows,
			{ size: capped(10), ...(hasCount ? {} : { count: () => undefined }) },
			{
				parameters: {
					events: ['charge.created'],
					options: { startFrom: 'beginning', maxChargesPerPoll: 20 },
				},
			},
		);
		await activate();
		list.manners.instead = ({ page }) => (page === 7 ? { kind: 'reply', status: 500 } : undefined);
		await ticks(9);
		list.manners.instead = () => undefined;
		// The lookback is read again within half of it.
		await ticks(40);
		expect([...told].sort()).toEqual(createdIds(rows).sort());
	});
});
