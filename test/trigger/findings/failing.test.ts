import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { ListManners } from '../../support/servers/chargeListServer';
import { json, text } from '../../support/servers/http-server';
import type { Answer } from '../../support/servers/http-server';
import { HOUR_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from './scene';

const SIZE = 10;
const broken = (): Answer => text('Internal Server Error', 500);

/** Pages that fail, and rows that can't be read. */
describe('a page that fails', () => {
	it('in one poll only does not change the order in which charges are told', async () => {
		const { activate, tick, ticks, told, list, arrive } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(SIZE) },
		);
		await activate();
		await ticks(2);
		const fresh = Array.from({ length: 25 }, () => arrive());
		let isFailing = true;
		list.manners.instead = ({ page }) => (isFailing && page === 3 ? broken() : undefined);
		await tick();
		expect(told).toEqual([]);
		isFailing = false;
		await ticks(2);
		expect(told).toEqual(createdIds(fresh));
	});

	it('once is tried again though rows that can’t be read are set aside, too', async () => {
		const rows = history(60, NOW_MS, MINUTE_MS);
		const { activate, ticks, told, list, arrive } = await scene(rows, { size: capped(SIZE) });
		await activate();
		await ticks(2);
		const fresh = [];
		// Two rows that nobody can ever read, and a page that fails for some polls, each on a page of its own.
		for (const kind of ['unreadable', 'unreadable', 'failing']) {
			for (let at = 0; at < SIZE; at++) fresh.push(arrive());
			if (kind === 'unreadable') list.rows.unshift(charge(NOW_MS, { created: null }));
		}
		const [poison] = fresh.slice(-SIZE);
		let isFailing = true;
		list.manners.instead = ({ page }) => {
			const shown = list.rows.slice((page - 1) * SIZE, page * SIZE);
			return isFailing && poison !== undefined && shown.includes(poison) ? broken() : undefined;
		};
		for (let at = 0; at < SIZE; at++) fresh.push(arrive());
		await ticks(5);
		isFailing = false;
		await ticks(6, 3 * MINUTE_MS);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});

	it('of old charges, when the watch begins, makes none of their refunds news', async () => {
		const before = { created: new Date(NOW_MS - MINUTE_MS).toISOString(), amount: '1.00' };
		const refunded = { refund_total: '1.00', refunds: [before] };
		const rows = history(40, NOW_MS, HOUR_MS, refunded);
		const { activate, ticks, told, list } = await scene(
			rows,
			{ size: capped(SIZE) },
			{ parameters: { events: ['charge.refunded'] } },
		);
		list.manners.instead = ({ page }) => (page === 3 ? broken() : undefined);
		await activate();
		await ticks(8);
		list.manners.instead = () => undefined;
		await ticks(8);
		expect(told).toEqual([]);
	});

	it('and takes half the time of a poll to do so keeps no refund from being told', async () => {
		const { activate, tick, ticks, told, list, arrive, clock } = await scene(
			history(600, NOW_MS, 10 * MINUTE_MS),
			{},
			{ parameters: { events: ['charge.created', 'charge.refunded'] } },
		);
		await activate();
		await ticks(8);
		const poison = arrive();
		const isShown = (page: number) =>
			list.rows.slice((page - 1) * 100, page * 100).includes(poison);
		list.manners.instead = ({ page }) => {
			if (isShown(page)) clock.advance(60 * SECOND_MS);
			return isShown(page) ? broken() : undefined;
		};
		for (let count = 0; count < 5; count++) {
			for (let at = 0; at < 25; at++) arrive();
			await tick();
		}
		await ticks(10);
		const refunded = { created: new Date(clock.now()).toISOString(), amount: '1.00' };
		Object.assign(list.rows[420] ?? {}, { refund_total: '1.00', refunds: [refunded] });
		await ticks(12);
		expect(told).toContain(`charge.refunded:${list.rows[420]?.['id'] as string}:1.00`);
	});
});

/** A list that is told from the beginning, or from a date. */
describe('a page of which the service says that there is none, amid the list,', () => {
	const COUNT = 120;
	const PAGE = 6;
	const POLLS = 12;
	/** Charges of one poll where the page is to be come to in the second one. */
	const ROOM = 45;
	const denied = (status: number): Answer => text('No such page', status);
	const startFrom = {
		beginning: { startFrom: 'beginning' },
		date: { startFrom: 'date', startDate: '2025-01-01T00:00:00' },
	};
	const lists = {
		'with a count': {},
		'without a count': { count: () => undefined },
		'without a count that says nothing of what follows': {
			count: () => undefined,
			hasNext: false,
		},
	};
	const cases = (Object.keys(lists) as Array<keyof typeof lists>).flatMap((list) =>
		(['newest first', 'oldest first'] as const).flatMap((order) =>
			(['beginning', 'date'] as const).map((from) => ({ list, order, from })),
		),
	);

	async function backlog(
		{ list: kind, order, from }: (typeof cases)[number],
		instead: (page: number, poll: number) => Answer | undefined,
		maxChargesPerPoll = 5_000,
	) {
		const rows = history(COUNT, NOW_MS - MINUTE_MS, 10 * MINUTE_MS);
		if (order === 'oldest first') rows.reverse();
		const { activate, tick, told, list } = await scene(
			rows,
			{ ...lists[kind], size: capped(SIZE) },
			{
				parameters: {
					events: ['charge.created'],
					options: { ...startFrom[from], maxChargesPerPoll },
				},
			},
		);
		let poll = 0;
		list.manners.instead = ({ page }) => instead(page, poll);
		await activate();
		for (poll = 1; poll < POLLS; poll++) await tick();
		expect([...told].sort()).toEqual(createdIds(rows).sort());
	}

	it.each(cases)('$list, $order, from $from: once', async (one) => {
		let times = 0;
		await backlog(one, (page) => (page === PAGE && (times += 1) === 1 ? denied(404) : undefined));
	});

	it.each(cases)('$list, $order, from $from: in the first poll', async (one) => {
		await backlog(one, (page, poll) => (page === PAGE && poll === 0 ? denied(400) : undefined));
	});

	it.each(cases)('$list, $order, from $from: in the second and third poll', async (one) => {
		await backlog(
			one,
			(page, poll) => (page === PAGE && poll > 0 && poll < 3 ? denied(422) : undefined),
			ROOM,
		);
	});

	it.each(cases)('$list, $order, from $from: with all that follow, in one poll', async (one) => {
		await backlog(one, (page, poll) => (page >= PAGE && poll === 0 ? denied(416) : undefined));
	});

	it.each(cases)('$list, $order, from $from: with all that follow, broken', async (one) => {
		await backlog(one, (page, poll) => (page >= PAGE && poll === 0 ? broken() : undefined));
	});

	it.each(cases)('$list, $order, from $from: empty, once', async (one) => {
		let times = 0;
		const { count = (total: number) => total } = lists[one.list] as ListManners;
		await backlog(one, (page) =>
			page === PAGE && (times += 1) === 1
				? json({ count: count(COUNT, 0), next: null, previous: null, results: [] })
				: undefined,
		);
	});

	it('for long, after a day off, holds nothing else up and is told once it is there', async () => {
		const { activate, ticks, told, list, arrive, clock } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(SIZE) },
		);
		await activate();
		await ticks(2);
		clock.advance(24 * HOUR_MS);
		const fresh = Array.from({ length: 100 }, () => arrive());
		let isDenied = true;
		list.manners.instead = ({ page }) => (isDenied && page === 2 ? denied(404) : undefined);
		await ticks(40);
		expect(told.length).toBe(90);
		isDenied = false;
		await ticks(3);
		expect([...told].sort()).toEqual(createdIds(fresh).sort());
	});
});
