import { capped, history } from '../../../support/servers/chargeListServer';
import type { Row } from '../../../support/servers/chargeListServer';
import { DAY_MS, MINUTE_MS, NOW_MS, createdIds, scene } from '../scene';
import type { Scene } from '../scene';

const SECOND_MS = 1_000;

interface Choice {
	events: string[];
	filters?: Record<string, string>;
	options?: Record<string, number>;
}

/** What happens to a charge, with a date or without one. */
const CHANGES = {
	refund: (row: Row) => {
		row['refund_total'] = '1.00';
	},
	'dated refund': (row: Row, atMs: number) => {
		row['refund_total'] = '1.00';
		row['refunds'] = [{ created: new Date(atMs).toISOString(), amount: '1.00' }];
	},
	status: (row: Row) => {
		row['status'] = 'captured';
	},
	'dated status': (row: Row, atMs: number) => {
		row['status'] = 'captured';
		row['events'] = { type: 'captured', created: new Date(atMs).toISOString() };
	},
};
type Kind = keyof typeof CHANGES;
const KINDS = Object.keys(CHANGES) as Kind[];

const idOf = (row: Row, kind: Kind): string =>
	kind.endsWith('refund')
		? `charge.refunded:${row['id'] as string}:1.00`
		: `charge.statusChanged:${row['id'] as string}:captured`;

/** 70 pages of charges, which are gone round in 14 polls. */
async function watching(choice: Choice, rows = history(700, NOW_MS, 10 * MINUTE_MS)) {
	const made = await scene(rows, { size: capped(10) }, { parameters: { ...choice } });
	await made.activate();
	await made.ticks(40);
	return made;
}

/** Charges on the page that the round comes to last. */
const farOff = ({ list }: Scene): Row[] => list.rows.slice(-3);

async function choose(made: Scene, choice: Choice): Promise<void> {
	await made.publish({ parameters: { ...choice } });
	await made.ticks(40);
}

const [REFUNDED, STATUS] = ['charge.refunded', 'charge.statusChanged'];

describe('other events are chosen while the round over the watched days is under way, and what happened meanwhile is told', () => {
	it.each<[Kind, string[], string[]]>([
		['refund', [REFUNDED], [REFUNDED, STATUS]],
		['dated refund', [REFUNDED], [REFUNDED, STATUS]],
		['refund', [REFUNDED, STATUS], [REFUNDED]],
		['status', [STATUS], [REFUNDED, STATUS]],
		['status', [REFUNDED, STATUS], [STATUS]],
	])('a %s, with %j and then %j', async (kind, before, after) => {
		const made = await watching({ events: before });
		const rows = farOff(made);
		for (const row of rows) CHANGES[kind](row, made.clock.now());
		await made.tick();
		expect(made.told).toEqual([]);
		await choose(made, { events: after });
		expect([...made.told].sort()).toEqual(rows.map((row) => idOf(row, kind)).sort());
	});
});

describe('Filters are changed while the round over the watched days is under way', () => {
	const events = [REFUNDED, STATUS];
	const [all, usd, customer] = [
		{},
		{ currency: 'USD' },
		{ currency: 'USD', customerId: '00000000-0000-4000-8000-000000000001' },
	];
	const changed = async (made: Scene, rows: readonly Row[], kind: Kind): Promise<void> => {
		for (const row of rows) CHANGES[kind](row, made.clock.now());
		made.clock.advance(SECOND_MS);
		await made.tick();
		expect(made.told).toEqual([]);
	};
	const idsOf = (rows: readonly Row[], kind: Kind): string[] =>
		rows.map((row) => idOf(row, kind)).sort();

	it.each(
		KINDS.flatMap((kind) => [
			{ kind, from: all, to: [usd] },
			{ kind, from: usd, to: [customer] },
			{ kind, from: usd, to: [all] },
			{ kind, from: all, to: [usd, all, usd] },
		]),
	)(
		'and a $kind since then is told where both lists hold the charge: $from, then $to',
		async ({ kind, from, to }) => {
			const made = await watching({ events, filters: from });
			const rows = farOff(made);
			await changed(made, rows, kind);
			for (const filters of to) await made.publish({ parameters: { events, filters } });
			await made.ticks(40);
			expect([...made.told].sort()).toEqual(idsOf(rows, kind));
		},
	);

	it.each(KINDS)('and a %s from before is not told of charges that join the list', async (kind) => {
		const rows = history(700, NOW_MS, 10 * MINUTE_MS);
		const euros = rows.filter((_, index) => index % 2 === 0);
		for (const row of euros) row['currency'] = 'EUR';
		const made = await watching({ events, filters: usd }, rows);
		const [first = {}, ...others] = euros;
		await changed(made, others, kind);
		await choose(made, { events, filters: all });
		expect(made.told).toEqual([]);
		CHANGES[kind](first, made.clock.now());
		await made.ticks(20);
		expect(made.told).toEqual(idsOf([first], kind));
	});

	it.each(KINDS)('and a %s of while the list did not hold the charge is not told', async (kind) => {
		const made = await watching({ events });
		await choose(made, { events, filters: { currency: 'EUR' } });
		const rows = farOff(made);
		await changed(made, rows, kind);
		await choose(made, { events, filters: usd });
		await choose(made, { events });
		expect(made.told).toEqual([]);
	});
});

describe('Watch Days are raised', () => {
	const watchDays = (days: number) => ({ events: [REFUNDED], options: { watchDays: days } });

	it('and hold for charges that are still watched, and newer ones', async () => {
		const rows = history(30, NOW_MS, DAY_MS);
		const made = await watching(watchDays(7), rows);
		const [recent = {}, old = {}] = [rows[3], rows[20]];
		await choose(made, watchDays(30));
		for (let day = 0; day < 15; day++) {
			made.arrive();
			await made.ticks(1, DAY_MS);
		}
		for (const row of [recent, old]) CHANGES.refund(row);
		await made.ticks(10);
		expect(made.told).toEqual([idOf(recent, 'refund')]);
	});

	it('in a list by last change, and refunds below whole pages of older charges that were refunded later are told', async () => {
		const rows = history(200, NOW_MS, 20 * MINUTE_MS);
		const watched = rows.slice(0, 70);
		const made = await watching(watchDays(1), rows);
		await made.publish({ parameters: watchDays(30) });
		for (const row of [...rows]) {
			CHANGES['dated refund'](row, made.clock.now());
			made.clock.advance(1);
			rows.splice(rows.indexOf(row), 1);
			rows.unshift(row);
		}
		await made.ticks(10);
		const ids = watched.map((row) => idOf(row, 'refund'));
		expect(made.told).toEqual(expect.arrayContaining(ids));
	});
});

describe('Status is', () => {
	const statuses = (status?: string) => ({
		events: ['charge.created'],
		...(status === undefined ? {} : { filters: { status } }),
	});

	it.each<[string, string | undefined]>([
		['set', undefined],
		['changed', 'authorised'],
	])(
		'%s, and a charge that was told before is told once more when it gets one of the statuses',
		async (_how, before) => {
			const made = await watching(statuses(before), history(30, NOW_MS, 10 * MINUTE_MS));
			const row = made.arrive();
			await made.ticks(3);
			await choose(made, statuses('captured, settled'));
			for (const status of ['captured', 'settled', 'authorised', 'captured']) {
				row['status'] = status;
				await made.ticks(3);
			}
			expect(made.told).toEqual(createdIds([row, row]));
		},
	);

	it('widened or taken back, and a charge that was told with one of its statuses is not told again', async () => {
		const made = await watching(statuses('captured'), history(30, NOW_MS, 10 * MINUTE_MS));
		const row = made.arrive({ status: 'captured' });
		await made.ticks(3);
		await choose(made, statuses('captured, settled'));
		row['status'] = 'settled';
		await made.ticks(3);
		await choose(made, statuses());
		await choose(made, statuses('captured'));
		row['status'] = 'authorised';
		await made.ticks(3);
		expect(made.told).toEqual(createdIds([row]));
	});
});
