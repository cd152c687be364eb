import { capped, history } from '../../../support/servers/chargeListServer';
import type { Row } from '../../../support/servers/chargeListServer';
import { MINUTE_MS, NOW_MS, scene } from '../scene';
import type { Scene } from '../scene';

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
