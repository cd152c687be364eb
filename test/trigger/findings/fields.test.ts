import { capped, charge, history } from '../../support/servers/chargeListServer';
import type { Row } from '../../support/servers/chargeListServer';
import type { PollOutcome } from '../../support/engine';
import { json } from '../../support/servers/http-server';
import { MINUTE_MS, NOW_MS, createdIds, scene } from './scene';

const warningsOf = ({ logs }: PollOutcome): string[] =>
	logs.flatMap(({ level, message }) => (level === 'warn' ? [message] : []));

const watching = (events: string[], filters: Record<string, string> = {}) => ({
	parameters: { events, filters },
});

describe('a refund that can’t be read is told once it can be, and the log says how many there are', () => {
	it.each<[string, Row]>([
		['a comma', { refund_total: '1,00' }],
		['a currency', { refund_total: 'USD 1.00' }],
		['an object', { refund_total: { amount: '1.00' } }],
		['a list', { refund_total: ['1.00'] }],
		['a truth', { refund_total: true }],
		['less than nothing', { refund_total: '-1.00' }],
		['records that can’t be read', { refund_total: null, refunds: [{ amount: '1,00' }] }],
	])('%s', async (_title, defect) => {
		const { list, activate, tick, told } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
			watching(['charge.refunded']),
		);
		await activate();
		const [first = {}, second = {}] = list.rows;
		Object.assign(first, defect);
		Object.assign(second, defect);
		expect(warningsOf(await tick())).toEqual([
			'Charges whose refund_total can’t be read: 2. What was refunded of them is told once it can be.',
		]);
		expect(told).toEqual([]);
		Object.assign(first, { refund_total: '1.00', refunds: [] });
		Object.assign(second, { refund_total: '0.00', refunds: [] });
		expect(warningsOf(await tick())).toEqual([]);
		expect(told).toEqual([`charge.refunded:${first['id'] as string}:1.00`]);
	});

	it('but not where nobody asks for refunds', async () => {
		const { list, activate, tick } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
			watching(['charge.created', 'charge.statusChanged']),
		);
		await activate();
		Object.assign(list.rows[0] ?? {}, { refund_total: '1,00' });
		expect(warningsOf(await tick())).toEqual([]);
	});
});

describe('a status that can’t be read is told once it can be, and the log says how many there are', () => {
	const WARNING =
		'Charges whose status can’t be read: 1. What became of them is told once it can be.';

	it.each([
		['a number', 5],
		['nothing', null],
		['an object', { name: 'captured' }],
		['a list', ['captured']],
		['a text without end', 'x'.repeat(300)],
	])('%s', async (_title, status) => {
		const { list, activate, tick, told } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
			watching(['charge.statusChanged']),
		);
		await activate();
		const [row = {}] = list.rows;
		row['status'] = status;
		expect(warningsOf(await tick())).toEqual([WARNING]);
		row['status'] = 'captured';
		expect(warningsOf(await tick())).toEqual([]);
		expect(told).toEqual([`charge.statusChanged:${row['id'] as string}:captured`]);
	});

	it('of a charge that comes in under a Status filter', async () => {
		const { list, activate, tick, told, clock } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
			watching(['charge.created'], { status: 'captured' }),
		);
		await activate();
		const row = charge(clock.now(), { status: 5 });
		list.rows.unshift(row);
		expect(warningsOf(await tick())).toEqual([WARNING]);
		expect(told).toEqual([]);
		row['status'] = 'captured';
		await tick();
		expect(told).toEqual(createdIds([row]));
	});

	it('but not where nobody asks for statuses', async () => {
		const { list, activate, tick } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{ size: capped(10) },
			watching(['charge.created', 'charge.refunded']),
		);
		await activate();
		Object.assign(list.rows[0] ?? {}, { status: 5 });
		expect(warningsOf(await tick())).toEqual([]);
	});
});

it('a currency is the same in small letters: what waits is told once its filter is taken away', async () => {
	const rows = history(60, NOW_MS, MINUTE_MS, { currency: 'usd' });
	const options = { startFrom: 'beginning', maxChargesPerPoll: 20 };
	const filters = { currency: 'USD' };
	const { list, activate, publish, ticks, told } = await scene(
		rows,
		{
			size: capped(10),
			// To the service it makes no difference, either.
			instead: ({ page }) =>
				json({
					count: list.rows.length,
					next: page * 10 < list.rows.length ? 'there is one' : null,
					results: list.rows.slice((page - 1) * 10, page * 10),
				}),
		},
		{ parameters: { filters, options } },
	);
	await activate();
	expect(told).toHaveLength(20);
	await publish({ parameters: { options } });
	await ticks(10);
	expect([...told].sort()).toEqual(createdIds(rows).sort());
});
